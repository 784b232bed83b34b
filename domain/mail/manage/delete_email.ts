import { z } from "zod";
import type { Caller } from "../../core/caller.ts";
import { notFound } from "../../core/errors.ts";
import { operation } from "../../core/operation.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import type { Tx } from "../../store/database.ts";
import { emailIdInput } from "../read/get_email.ts";
import { deleteStored, type Parts } from "../lifecycle/apply.ts";
import { storedEmail } from "../record/read_email.ts";
import { forgetClaim } from "./claim_row.ts";

export const deleteEmail = operation({
  name: "delete_email",
  title: "Delete an email",
  description:
    "Deletes an email at once and permanently, received or sent: no list, thread or search shows it any more. Mail that is still being sent goes on to its " +
    "recipients. The same message delivered again does not come back.",
  scope: "emails:write",
  audit: "change",
  input: emailIdInput,
  output: z.object({ deleted: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { email_id }, call) {
    await service.database.transact(async (tx) => {
      const mailboxId = await removeEmail(tx, service, caller, email_id);
      call.audit({ emailId: email_id, mailboxId, count: 1 }, tx);
    });
    return { deleted: true as const };
  },
});

/**
 * Hides an email in the caller's transaction: nothing finds its rows any more. Jobs remove its bytes, which frees the
 * storage, and the entries of the indexes. The ids of its deliveries stay, so that a second delivery does not bring it
 * back; so do the references of its thread, so that a reply finds the thread. Returns the id of its mailbox. Throws
 * NOT_FOUND.
 */
export async function removeEmail(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  emailId: string,
): Promise<string> {
  const { userId } = caller;
  const email = await storedEmail(tx, userId, emailId);
  if (!email) throw notFound("email", emailId);
  const { mailboxId } = email;
  await readMailbox({ get: (key) => tx.peek(key) }, caller, mailboxId, "email");
  await forgetClaim(tx, { userId, mailboxId, emailId });
  await deleteStored(tx, parts, email);
  return mailboxId;
}
