import { z } from "zod";
import { mailboxIdField } from "./mailbox_id.ts";
import { invalidField } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import { recordChange } from "../changes/change.ts";
import * as keys from "../store/keys.ts";
import { releaseAddress } from "./address_claims.ts";
import { readMailbox } from "./visible_mailboxes.ts";

export const deleteMailbox = operation({
  name: "delete_mailbox",
  title: "Delete a mailbox",
  description:
    "Deletes a mailbox and all its mail; this cannot be undone. Both are gone from every answer at once, and from " +
    "storage soon after. The address is held for the account. confirm_email_address must be the address of the mailbox, exactly.",
  scope: "mailboxes:write",
  audit: "change",
  input: z.object({
    mailbox_id: mailboxIdField().describe("The mailbox to delete; see list_mailboxes"),
    confirm_email_address: z.string().describe("The mailbox's full address, exactly"),
  }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ["BAD_REQUEST", "VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, input, call) {
    const { userId } = caller;
    await service.database.transact(async (tx) => {
      const mailbox = await readMailbox(tx, caller, input.mailbox_id);
      if (input.confirm_email_address !== mailbox.address) {
        throw invalidField("confirm_email_address", "must be the mailbox's full address, exactly");
      }
      const { mailboxId } = mailbox;
      await releaseAddress(tx, service, mailbox);
      tx.delete(keys.mailbox(userId, mailboxId));
      service.jobs.add(tx, "purge_mailbox", { userId, mailboxId });
      const at = service.clock.now();
      recordChange(tx, userId, { event: "mailbox.deleted", at, mailboxId });
      call.audit({ mailboxId }, tx);
    });
    service.log.info("mailbox.deleted", { user_id: userId, mailbox_id: input.mailbox_id });
    return { deleted: true as const };
  },
});
