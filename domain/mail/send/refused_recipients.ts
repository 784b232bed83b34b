import { mustConfirm, type User } from "../../accounts/user.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import { type Tx, withoutChecks } from "../../store/transaction.ts";
import { refuseSuppressed } from "../record/addresses/suppressions.ts";
import { findRoute } from "../receive/find_route.ts";

/**
 * Throws EMAIL_NOT_VERIFIED if the account's own address is not confirmed and a recipient is not one of its mailboxes, and
 * RECIPIENT_SUPPRESSED if earlier mail to a recipient came back. To be called in the commit that accepts a message to be
 * sent, now or later.
 */
export async function refuseRecipients(
  tx: Pick<Tx, "get" | "peek">,
  service: Service,
  user: User,
  addresses: readonly string[],
): Promise<void> {
  await Promise.all([
    refuseUnconfirmed(tx, service, user, addresses),
    refuseSuppressed(tx, user.userId, addresses),
  ]);
}

async function refuseUnconfirmed(
  tx: Pick<Tx, "peek">,
  service: Service,
  user: User,
  addresses: readonly string[],
): Promise<void> {
  if (!mustConfirm(user, service.settings)) return;
  const store = withoutChecks(tx);
  const routes = await Promise.all(
    addresses.map((address) => findRoute(store, service, mailboxForm(address))),
  );
  if (routes.every(({ route }) => route?.userId === user.userId)) return;
  throw new ServiceError(
    "EMAIL_NOT_VERIFIED",
    "Confirm the account's email address first; until then mail goes to own mailboxes only.",
  );
}
