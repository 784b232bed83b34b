import { clockSlackMs } from "../../core/clock.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { changeRow, type Parts } from "../lifecycle/apply.ts";
import { emailRow } from "../record/read_email.ts";

/**
 * The claim of an email in a mailbox that several workers share. Without a row the email was never handed out. For an
 * open or a released claim a second row has the time at which the email is free again as its key.
 */
export interface ClaimRow {
  /** The last claim. */
  claimId: string;
  state: "open" | "released" | "acked" | "aside";
  /** How often it was handed out. */
  attempts: number;
  /** The end of the lease; of a released claim the time from which it can be claimed. ms since 1970. */
  dueAt: number;
}

export interface ClaimPlace {
  userId: string;
  mailboxId: string;
  emailId: string;
}

/** The mailbox and the email of a claim, found by its id. */
export interface ClaimOfId {
  mailboxId: string;
  emailId: string;
}

/** For this long after its lease an ended claim is answered CLAIM_LOST, then NOT_FOUND. */
export const claimKeptMs = 7 * 86_400_000;

/** The label of an email that was handed out many times without an ack: probably it makes workers fail. */
export const unclaimable = "unclaimable";
export const maxAttempts = 20;

/** Whether the email is handed out again at `dueAt`. */
function comesAgain({ state }: ClaimRow): boolean {
  return state === "open" || state === "released";
}

/** The longest lease, and the longest delay of a release. */
const longestMs = 3_600_000;

/** A claim that is due later was written by a clock ahead: its email is free. */
export function latestDueAt(now: number): number {
  return now + longestMs + clockSlackMs;
}

/** Whether the email can be handed out again. */
export function isFreeAgain(claim: ClaimRow, now: number): boolean {
  return comesAgain(claim) && (claim.dueAt <= now || claim.dueAt > latestDueAt(now));
}

/** Writes a claim in place of `before`; with null the email was handled and its row is not needed any more. */
export function writeClaim(
  tx: Tx,
  { userId, mailboxId, emailId }: ClaimPlace,
  before: ClaimRow | null,
  next: ClaimRow | null,
): void {
  const due = ({ dueAt }: ClaimRow) => keys.claimDue(userId, mailboxId, dueAt, emailId);
  if (before && comesAgain(before)) tx.delete(due(before));
  if (next && comesAgain(next)) tx.set(due(next), 0);
  const key = keys.claim(userId, mailboxId, emailId);
  if (next) tx.set(key, next);
  else tx.delete(key);
}

/**
 * Removes the claim of an email that is being deleted. An open claim is removed later, when its holder ends it or the
 * lease is over.
 */
export async function forgetClaim(tx: Tx, place: ClaimPlace): Promise<void> {
  const key = keys.claim(place.userId, place.mailboxId, place.emailId);
  const claim = await tx.get<ClaimRow>(key, { likelyAbsent: true });
  if (claim && claim.state !== "open") writeClaim(tx, place, claim, null);
}

/** No longer hands the email out, and labels it so. */
export async function setAside(
  tx: Tx,
  parts: Parts,
  place: ClaimPlace,
  before: ClaimRow,
): Promise<void> {
  const { userId, emailId } = place;
  writeClaim(tx, place, before, { ...before, state: "aside" });
  const row = await emailRow(tx, parts.database, userId, emailId);
  if (!row) return;
  // Also as a 33rd label: without it nobody could hand the email out again.
  const labels = [...new Set([...row.labels, unclaimable])].sort();
  await changeRow(tx, parts, { ...row, userId, labels });
}

/** Hands the email out again, counted from 0: its label `unclaimable` was taken off. */
export async function takeBack(tx: Tx, place: ClaimPlace, now: number): Promise<void> {
  const claim = await tx.get<ClaimRow>(
    keys.claim(place.userId, place.mailboxId, place.emailId),
  );
  if (claim?.state !== "aside") return;
  writeClaim(tx, place, claim, { ...claim, state: "released", attempts: 0, dueAt: now });
}
