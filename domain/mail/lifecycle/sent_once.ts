import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Draft } from "../record/draft.ts";
import { sha256Of } from "../record/content_hash.ts";

/*
 * Within 24 hours each recipient gets a Message-ID of a mailbox once (docs/sending.md "SMTP"). A row for the message is
 * written by every commit that sends it, and checked by the next; a row for each recipient says that it has had it.
 */

export const onceMs = 86_400_000;

/** A message that is sent once to each of its recipients. */
export interface Once {
  row: Deno.KvKey;
  inputHash: string;
  /** Their rows. */
  recipients: readonly Deno.KvKey[];
  /** As it was read, when its recipients were looked up. */
  before: MessageOnce | null;
}

/** What was sent under a Message-ID. */
interface MessageOnce {
  revision: number;
  inputHash: string;
  isSent: boolean;
  /** Of drafts that waited for a person. */
  draftIds: string[];
  expiresAt: number;
}

/** What a recipient has had. */
interface Had {
  emailId?: string;
  draftId?: string;
  expiresAt: number;
}

/** The message was sent to others since its recipients were looked up. */
export class SentMeanwhile extends Error {}

/** Further drafts of one message are not looked up again when their persons have rejected them. */
const maxDrafts = 50;

/**
 * Which of `recipients` have not had the message yet, and the id of what one of the others has had. What a person rejected
 * or somebody canceled does not count. Throws CONFLICT if the Message-ID was used for other bytes.
 */
export async function lookUpOnce(
  store: Pick<Tx, "get">,
  { userId, mailboxId }: { userId: string; mailboxId: string },
  { messageId, inputHash, recipients }: {
    messageId: string;
    inputHash: string;
    recipients: readonly string[];
  },
  now: number,
): Promise<{ left: string[]; had: string | null; once: Once }> {
  const rowOf = (...names: string[]) =>
    keys.idempotency(userId, "smtp", sha256Of(JSON.stringify([mailboxId, messageId, ...names])));
  const row = rowOf();
  const stored = await store.get<MessageOnce>(row);
  const before = stored && stored.expiresAt > now ? stored : null;
  const hasEnded = async (draftId: string) => {
    const draft = await store.get<Draft>(keys.draft(userId, draftId));
    return !draft || draft.status === "rejected" || draft.status === "canceled";
  };
  if (before && before.inputHash !== inputHash) {
    const ended = await Promise.all(before.draftIds.map(hasEnded));
    if (before.isSent || ended.includes(false)) {
      throw new ServiceError(
        "CONFLICT",
        "This Message-ID was used for another message; give a new one.",
      );
    }
  }
  const left: string[] = [];
  let had: string | null = null;
  for (const recipient of recipients) {
    const known = await store.get<Had>(rowOf(recipient.toLowerCase()));
    const counts = known && known.expiresAt > now &&
      !(known.draftId !== undefined && await hasEnded(known.draftId));
    if (counts) had ??= known.emailId ?? known.draftId ?? null;
    else left.push(recipient);
  }
  const once = {
    ...{ row, inputHash, before: stored },
    recipients: left.map((each) => rowOf(each.toLowerCase())),
  };
  return { left, had, once };
}

/** Throws SentMeanwhile if the message was sent to anybody since it was looked up. */
export async function requireSameOnce(tx: Pick<Tx, "get">, { row, before }: Once): Promise<void> {
  const stored = await tx.get<MessageOnce>(row);
  if (stored?.revision !== before?.revision) throw new SentMeanwhile();
}

/** Writes, in the commit of the send or draft, that its recipients have had it. */
export function rememberOnce(tx: Tx, once: Once, output: unknown, now: number): void {
  const { row, inputHash, before, recipients } = once;
  const { email_id: emailId, draft_id: draftId } = output as {
    email_id?: string;
    draft_id?: string;
  };
  const expiresAt = now + onceMs;
  const isSame = before?.inputHash === inputHash;
  const next: MessageOnce = {
    revision: (before?.revision ?? 0) + 1,
    inputHash,
    isSent: emailId !== undefined || (isSame && before.isSent),
    draftIds: [...isSame ? before.draftIds : [], ...draftId ? [draftId] : []].slice(-maxDrafts),
    expiresAt,
  };
  const kept = { expireInMs: onceMs };
  tx.set(row, next, kept);
  const had: Had = emailId === undefined ? { draftId, expiresAt } : { emailId, expiresAt };
  for (const recipient of recipients) tx.set(recipient, had, kept);
}
