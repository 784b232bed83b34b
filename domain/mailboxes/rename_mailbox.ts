import { z } from "zod";
import { recordChange } from "../changes/change.ts";
import type { Caller } from "../core/caller.ts";
import { invalidField } from "../core/errors.ts";
import { mailboxIdField } from "./mailbox_id.ts";
import { operation, type OperationCall } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { addressErrors, addressInput, failureOf, judgeAddress } from "./create_mailbox.ts";
import type { AddressInput } from "./check_address.ts";
import { claimAddress, releaseAddress } from "./address_claims.ts";
import { readMailbox } from "./visible_mailboxes.ts";
import { type Mailbox, shortMailboxRecord, shortMailboxRecordOf } from "./mailbox.ts";
import { mailboxDetail, mailboxSettings, setMailbox } from "./update_mailbox.ts";

/** The route of sessions: it changes the address, or what `update_mailbox` changes. */
export const renameMailbox = operation({
  name: "rename_mailbox",
  title: "Rename a mailbox",
  description:
    "Gives a mailbox another address, by the rules of creation. It keeps its id and its " +
    "mail; from the same commit on the new address receives and the old one is held. With display_name, signature, metadata or " +
    "catch_all in place of an address it sets these.",
  scope: "mailboxes:write",
  audit: "change",
  input: addressInput.extend({ mailbox_id: mailboxIdField(), ...mailboxSettings.shape }),
  output: z.object({
    previous_email_address: z.string(),
    mailbox: z.union([mailboxDetail, shortMailboxRecord]),
  }),
  errors: [...addressErrors, "NOT_FOUND", "CONFLICT"],
  async run(service, caller, { mailbox_id, ...input }, call) {
    const { local_part, email_address, domain, ...settings } = input;
    const address = { local_part, email_address, domain };
    const [named] = Object.keys(settings);
    if (named === undefined) return await rename(service, caller, call, mailbox_id, address);
    if (Object.values(address).some((each) => each !== undefined)) {
      throw invalidField(named, "cannot be given with a new address");
    }
    const mailbox = await setMailbox(service, caller, call, mailbox_id, settings);
    return { previous_email_address: mailbox.email_address, mailbox };
  },
});

async function rename(
  service: Service,
  caller: Caller,
  call: OperationCall,
  id: string,
  input: AddressInput,
) {
  const { before, after } = await service.database.transact(async (tx) => {
    const before = await readMailbox(tx, caller, id);
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
}
