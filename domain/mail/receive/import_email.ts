import type { Caller } from "../../core/caller.ts";
import { requireAllowed } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import type { Delivery, DeliveryResult, Receives } from "./delivery.ts";
import type { SourceState } from "./imported.ts";
import { receive } from "./receive.ts";

/** What an import may do is what a change of an email may. */
export const importing = { name: "import_email", scope: "emails:write" } as const;

/**
 * Stores a message of an archive in a mailbox of the caller, which its id or address names, and answers as `receive` does. At most 8 at the same time an
 * account: another throws RATE_LIMIT_EXCEEDED (`window: "concurrent"`) before its body is read. Throws FORBIDDEN, NOT_FOUND,
 * and what `receive` throws.
 */
export async function importEmail(
  service: Receives & Pick<Service, "audit" | "mailboxNames" | "waiting">,
  caller: Caller,
  mailbox: string,
  { state, ...message }: Pick<Delivery, "body" | "declaredSize"> & { state: SourceState },
): Promise<DeliveryResult[]> {
  requireAllowed(caller, importing);
  using _place = service.waiting.begin(caller.userId, "import", {});
  const mailboxId = await service.mailboxNames.idOf(caller, mailbox);
  const { address } = await readMailbox(service.database, caller, mailboxId);
  const audited = service.audit.begin(caller, importing.name, { surface: "rest" });
  return await receive(service, {
    ...message,
    source: "import",
    sender: "",
    recipients: [address],
    ingestId: null,
    facts: {},
    imported: {
      ...state,
      into: mailboxId,
      audit: (facts, tx) => audited?.note(facts, tx),
    },
  });
}
