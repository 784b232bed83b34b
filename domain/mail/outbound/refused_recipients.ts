import type { User } from "../../accounts/user.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import type { Tx } from "../../store/database.ts";
import { findRoute } from "../inbound/find_route.ts";

/**
 * Throws EMAIL_NOT_VERIFIED if the account's own address is not confirmed and a recipient is not one of its mailboxes. To be
 * called in the commit that accepts a message to be sent, now or later.
 */
export async function refuseRecipients(
  tx: Pick<Tx, "get">,
  service: Service,
  user: User,
  addresses: readonly string[],
): Promise<void> {
  if (!user.emailUnverified || service.settings.EMAIL_VERIFICATION === "off") return;
  const routes = await Promise.all(
    addresses.map((address) => findRoute(tx, service, mailboxForm(address))),
  );
  if (routes.every(({ route }) => route?.userId === user.userId)) return;
  throw new ServiceError(
    "EMAIL_NOT_VERIFIED",
    "Confirm the account's email address first; until then mail goes to own mailboxes only.",
  );
}
