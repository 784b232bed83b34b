import { z } from "zod";
import { checkEmail } from "../../domain/mailboxes/check_email.ts";
import { createMailbox } from "../../domain/mailboxes/create_mailbox.ts";
import { deleteMailbox } from "../../domain/mailboxes/delete_mailbox.ts";
import { getPolicy, setPolicy } from "../../domain/mailboxes/policy/set_policy.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { listMailboxRecords } from "../../domain/mailboxes/list_mailboxes.ts";
import { listCountedMailboxes } from "../../domain/overview/list_counted_mailboxes.ts";
import { bareBody, besideSuccess, type Envelope } from "../http/envelopes.ts";
import { apiBases } from "../http/families.ts";
import { getMailbox, updateMailbox } from "../../domain/mailboxes/update_mailbox.ts";
import { renameMailbox } from "../../domain/mailboxes/rename_mailbox.ts";

/** `{success: true, mailbox}`. */
const inMailbox: Envelope = {
  body: (mailbox) => ({ success: true, mailbox }),
  schema: (mailbox) => z.object({ success: z.literal(true), mailbox }),
};

const params = { mailboxId: "mailbox_id" };

/** The routes that API keys and sessions share. */
export function mailboxRoutes(family: keyof typeof apiBases): RestRoute[] {
  const row = rowsOf(`${apiBases[family]}/mailboxes`, { family, tag: "Mailboxes", params });
  const list = family === "dashboard" ? listCountedMailboxes : listMailboxRecords;
  return [
    row("GET", "", list, "none", { envelope: bareBody }),
    row("POST", "", createMailbox, "json", { status: 201, envelope: inMailbox }),
    row("GET", "/check-email", checkEmail, "query", { envelope: besideSuccess }),
    row("GET", "/:mailboxId", getMailbox, "none", { envelope: inMailbox }),
    row("DELETE", "/:mailboxId", deleteMailbox, "json", { bodyOptional: true }),
    row("GET", "/:mailboxId/policy", getPolicy, "none"),
    row("PUT", "/:mailboxId/policy", setPolicy, "json", { strict: true }),
    // No API key can rename.
    family === "dashboard"
      ? row("PATCH", "/:mailboxId", renameMailbox, "json")
      : row("PATCH", "/:mailboxId", updateMailbox, "json", { strict: true, envelope: inMailbox }),
  ];
}
