import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import { notFound } from "../../core/errors.ts";
import type { Caller } from "../../core/caller.ts";
import { seesMailbox } from "../../core/caller.ts";
import type { SenderAuth } from "../../ports/sender_checks.ts";
import type { Tx } from "../../store/database.ts";
import { senderAuth, truncatedField } from "../record/email_record.ts";
import * as keys from "../../store/keys.ts";

/** Mail that an account has announced. */
export interface Expectation {
  expectationId: string;
  mailboxId: string;
  /** Lower-case ASCII. */
  fromDomain: string;
  /** As the caller wrote it; null: any. */
  subject: string | null;
  kind: "code" | "link" | "any";
  createdAt: number;
  expiresAt: number;
  /** Only mail with a later id meets it: the clocks of instances may differ, so this is a minute before it was made. */
  after: string;
  /** The emails after that id which were there when it was made; they do not meet it. */
  earlier: string[];
  met: { emailId: string; code: string | null; link: string | null; auth: SenderAuth } | null;
}

/** A row in the list of expected emails. */
export interface ExpectedEmail {
  mailboxId: string;
}

/** How long an expectation can be read after its end, ms. */
const expectationKeptMs = 7 * 86_400_000;

export const expectationRecord = z.object({
  expectation_id: z.string(),
  mailbox_id: z.string(),
  from_domain: z.string(),
  subject: z.string().nullable(),
  kind: z.enum(["code", "link", "any"]),
  status: z.enum(["waiting", "matched", "expired"]).describe(
    "It stays matched if the email is deleted",
  ),
  created_at: timestampField,
  expires_at: timestampField,
  email_id: emailId.nullable(),
  code: z.string().nullable().describe("Pass it on as it is; do not retype it"),
  link: z.string().nullable(),
  auth: senderAuth.nullable().describe("The check of the sender of that email"),
  truncated: truncatedField,
}).meta({
  id: "Expectation",
  description:
    "Mail that was announced; email_id, code, link and auth are null until it came, and again once it is deleted",
});

/** The record without what the email said, if that is deleted: a deleted email is hidden here too. */
export async function shownExpectation(
  store: Pick<Tx, "get">,
  userId: string,
  expectation: Expectation,
  now: number,
): Promise<z.input<typeof expectationRecord>> {
  const { met } = expectation;
  const isGone = met !== null && await store.get(keys.email(userId, met.emailId)) === null;
  return expectationRecordOf(expectation, now, isGone ? null : met);
}

export function expectationRecordOf(
  expectation: Expectation,
  now: number,
  shown = expectation.met,
): z.input<typeof expectationRecord> {
  return {
    expectation_id: expectation.expectationId,
    mailbox_id: expectation.mailboxId,
    from_domain: expectation.fromDomain,
    subject: expectation.subject,
    kind: expectation.kind,
    status: expectation.met ? "matched" : expectation.expiresAt <= now ? "expired" : "waiting",
    created_at: isoTime(expectation.createdAt),
    expires_at: isoTime(expectation.expiresAt),
    email_id: shown?.emailId ?? null,
    code: shown?.code ?? null,
    link: shown?.link ?? null,
    auth: shown?.auth ?? null,
  };
}

/**
 * The caller's expectation. Throws NOT_FOUND if it is unknown, another account's, or of a mailbox that the key may not
 * see.
 */
export async function readExpectation(
  store: Pick<Tx, "get">,
  caller: Caller,
  expectationId: string,
): Promise<Expectation> {
  const found = await store.get<Expectation>(keys.expectation(caller.userId, expectationId));
  const mailbox = found && seesMailbox(caller, found.mailboxId)
    ? await store.get(keys.mailbox(caller.userId, found.mailboxId))
    : null;
  if (!found || !mailbox) throw notFound("expectation");
  return found;
}

/**
 * Writes an expectation that waits. Its place among the open ones ends with a look after its end: 200 of a mailbox are
 * left at most.
 */
export function writeOpen(tx: Tx, userId: string, expectation: Expectation, now: number): void {
  const { mailboxId, expectationId } = expectation;
  const expireInMs = keptMs(expectation, now);
  tx.set(keys.expectation(userId, expectationId), expectation, { expireInMs });
  tx.set(keys.openExpectation(userId, mailboxId, expectationId), expectation);
}

/** Writes what met an expectation. From then on its email meets no other, also once the expectation is deleted. */
export function writeMet(
  tx: Tx,
  userId: string,
  expectation: Expectation,
  met: NonNullable<Expectation["met"]>,
  now: number,
): void {
  const { mailboxId, expectationId } = expectation;
  const expireInMs = keptMs(expectation, now);
  const row: Expectation = { ...expectation, met };
  tx.set(keys.expectation(userId, expectationId), row, { expireInMs });
  const expected: ExpectedEmail = { mailboxId };
  tx.set(keys.expectedEmail(userId, met.emailId), expected, { expireInMs });
  tx.delete(keys.openExpectation(userId, mailboxId, expectationId));
}

export function deleteRows(tx: Tx, userId: string, expectation: Expectation): void {
  const { mailboxId, expectationId } = expectation;
  tx.delete(keys.expectation(userId, expectationId));
  tx.delete(keys.openExpectation(userId, mailboxId, expectationId));
}

/** How long its row is kept from now on, ms. */
export function keptMs({ expiresAt }: Expectation, now: number): number {
  return Math.max(1, expiresAt + expectationKeptMs - now);
}
