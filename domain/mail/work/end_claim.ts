import { z } from "zod";
import { isoTime } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import type { Caller } from "../../core/caller.ts";
import { notFound, ServiceError } from "../../core/errors.ts";
import { operation, type OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { readMailbox } from "../../mailboxes/visible_mailboxes.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import {
  claimKeptMs,
  type ClaimOfId,
  type ClaimPlace,
  type ClaimRow,
  maxAttempts,
  setAside,
  writeClaim,
} from "../manage/claim_row.ts";
import { leaseField, leaseRecord } from "./claim_emails.ts";

const claimInput = z.object({
  claim_id: z.string().max(100).describe("claim_id of claim_emails"),
});

const endedClaim = z.object({
  claim_id: z.string(),
  email_id: emailId,
  status: z.enum(["acked", "released"]),
}).meta({ id: "EndedClaim", description: "A claim that its holder ended" });

const errors = ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "CLAIM_LOST"] as const;

export const ackEmail = operation({
  name: "ack_email",
  title: "Finish a claimed email",
  description:
    "Says that a claimed email is dealt with: nobody gets it again. CLAIM_LOST means that the lease was over before, and another worker may have the email.",
  scope: ["emails:write", "emails:read"],
  audit: "change",
  input: claimInput,
  output: endedClaim,
  errors,
  async run(service, caller, { claim_id }, call) {
    const email_id = await changeClaim(
      service,
      caller,
      claim_id,
      call,
      async (tx, place, claim) => {
        const mark = await tx.peek<string>(keys.claimMark(place.userId, place.mailboxId)) ?? "";
        // An email at or before the mark is never given out again if it has no row.
        const isNeeded = place.emailId > mark && await isThere(tx, place);
        writeClaim(tx, place, claim, isNeeded ? { ...claim, state: "acked" } : null);
        return place.emailId;
      },
    );
    return { claim_id, email_id, status: "acked" as const };
  },
});

export const nackEmail = operation({
  name: "nack_email",
  title: "Give a claimed email back",
  description:
    "Gives a claimed email back: you or another worker can claim it again, after delay_seconds if " +
    "given. After 20 claims without an ack an " +
    "email gets the label `unclaimable` and is no longer handed out, until the label is taken off.",
  scope: ["emails:write", "emails:read"],
  audit: "change",
  input: claimInput.extend({
    delay_seconds: z.int().min(0).max(3_600).default(0).describe(
      "When it can be claimed again, 0 to 3,600 seconds from now",
    ),
  }),
  output: endedClaim,
  errors,
  async run(service, caller, { claim_id, delay_seconds }, call) {
    const email_id = await changeClaim(
      service,
      caller,
      claim_id,
      call,
      async (tx, place, claim, now) => {
        const dueAt = now + delay_seconds * 1_000;
        if (!await isThere(tx, place)) writeClaim(tx, place, claim, null);
        else if (claim.attempts >= maxAttempts) await setAside(tx, service, place, claim);
        else writeClaim(tx, place, claim, { ...claim, state: "released", dueAt });
        // Wakes those who wait for a claim.
        tx.append(place.userId, null);
        return place.emailId;
      },
    );
    return { claim_id, email_id, status: "released" as const };
  },
});

/** Whether the email of a claim still exists. */
async function isThere(tx: Tx, { userId, emailId }: ClaimPlace): Promise<boolean> {
  return await tx.get(keys.email(userId, emailId)) !== null;
}

export const extendClaim = operation({
  name: "extend_claim",
  title: "Prolong a claim",
  description:
    "Prolongs the lease of a claimed email: it then ends lease_seconds from now. Call it before the lease is over if you need longer.",
  scope: ["emails:write", "emails:read"],
  audit: "change",
  input: claimInput.extend({
    lease_seconds: leaseField.default(60).describe("5 to 3,600 seconds from now"),
  }),
  output: leaseRecord,
  errors,
  async run(service, caller, { claim_id, lease_seconds }, call) {
    const leaseMs = lease_seconds * 1_000;
    const { dueAt, attempts } = await changeClaim(
      service,
      caller,
      claim_id,
      call,
      (tx, place, claim, now) => {
        const next = { ...claim, dueAt: now + leaseMs };
        writeClaim(tx, place, claim, next);
        const ofId: ClaimOfId = { mailboxId: place.mailboxId, emailId: place.emailId };
        const expireInMs = leaseMs + claimKeptMs;
        tx.set(keys.claimById(place.userId, claim_id), ofId, { expireInMs });
        // Those who wait for a claim look when the lease ends, which is sooner now.
        if (next.dueAt < claim.dueAt) tx.append(place.userId, null);
        return next;
      },
    );
    return { claim_id, lease_until: isoTime(dueAt), attempts };
  },
});

/**
 * Changes an open claim of the caller in a transaction. Throws NOT_FOUND if it is unknown, another account's or of a mailbox
 * that is hidden from the key, CLAIM_LOST if it has ended or its lease is over.
 */
async function changeClaim<R>(
  { database, clock }: Pick<Service, "clock" | "database">,
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
