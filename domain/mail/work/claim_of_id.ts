import type { Caller } from "../../core/caller.ts";
import { notFound, ServiceError } from "../../core/errors.ts";
import type { OperationCall } from "../../core/operation.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { ClaimPlace, ClaimRow } from "../manage/claim_row.ts";

/** The mailbox and the email of a claim, found by its id. */
export interface ClaimOfId {
  mailboxId: string;
  emailId: string;
}

/** For this long after its lease an ended claim is answered CLAIM_LOST, then NOT_FOUND. */
export const claimKeptMs = 7 * 86_400_000;

/**
 * Changes an open claim of the caller in a transaction. Throws NOT_FOUND if it is unknown, another account's or of a mailbox
 * that is hidden from the key, CLAIM_LOST if it has ended or its lease is over.
 */
export async function changeClaim<R>(
  { database, clock }: Service,
  caller: Caller,
  claimId: string,
  call: OperationCall,
  change: (tx: Tx, place: ClaimPlace, claim: ClaimRow, now: number) => R | Promise<R>,
): Promise<R> {
  const { userId } = caller;
  return await database.transact(async (tx) => {
    const ofId = await tx.peek<ClaimOfId>(keys.claimById(userId, claimId));
    if (!ofId) throw notFound("claim");
    const { mailboxId, emailId } = ofId;
    await readMailbox({ get: (key) => tx.peek(key) }, caller, mailboxId, "claim");
    const claim = await tx.get<ClaimRow>(keys.claim(userId, mailboxId, emailId));
    const now = clock.now();
    const isHeld = claim?.claimId === claimId && claim.state === "open" && claim.dueAt > now;
    if (!isHeld) throw new ServiceError("CLAIM_LOST");
    call.audit({ mailboxId, emailId, count: 1 }, tx);
    return await change(tx, { userId, mailboxId, emailId }, claim, now);
  });
}
