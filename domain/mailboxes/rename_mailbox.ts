import { z } from "zod";
import { recordChange } from "../changes/change.ts";
import { operation } from "../core/operation.ts";
import { addressErrors, addressInput, failureOf, judgeAddress } from "./create_mailbox.ts";
import { claimAddress, releaseAddress } from "./address_claims.ts";
import { readMailbox } from "./visible_mailboxes.ts";
import { type Mailbox, shortMailboxRecord, shortMailboxRecordOf } from "./mailbox.ts";

export const renameMailbox = operation({
  name: "rename_mailbox",
  title: "Rename a mailbox",
  description:
    "Gives a mailbox another address, by the rules of creation. It keeps its id and its " +
    "mail; from the same commit on the new address receives and the old one is held.",
  scope: "mailboxes:write",
  audit: "change",
  input: addressInput.extend({ mailbox_id: z.string().min(1).max(100) }),
  output: z.object({ previous_email_address: z.string(), mailbox: shortMailboxRecord }),
  errors: [...addressErrors, "NOT_FOUND"],
  async run(service, caller, input, call) {
    const { before, after } = await service.database.transact(async (tx) => {
      const before = await readMailbox(tx, caller, input.mailbox_id);
      const verdict = await judgeAddress(tx, service, caller, input, before.mailboxId);
      if (!verdict.ok) throw failureOf(verdict);
      call.audit({ mailboxId: before.mailboxId }, tx);
      if (verdict.address === before.address) return { before, after: before };
      const after: Mailbox = { ...before, address: verdict.address, domain: verdict.domain };
      await releaseAddress(tx, service, before);
      await claimAddress(tx, service, after);
      const { mailboxId } = after, at = service.clock.now();
      recordChange(tx, caller.userId, { event: "mailbox.renamed", at, mailboxId });
      return { before, after };
    });
    service.log.info("mailbox.renamed", { user_id: caller.userId, mailbox_id: after.mailboxId });
    return { previous_email_address: before.address, mailbox: shortMailboxRecordOf(after) };
  },
});
