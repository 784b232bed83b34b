import type { Tx } from "../../../store/transaction.ts";
import { keyHash } from "../../../store/key_hash.ts";
import * as keys from "../../../store/keys.ts";
import type { KnownThread } from "./known_threads.ts";
import type { Email } from "../email.ts";
import { type Participants, takePart } from "./participants.ts";
import { conversationSubject, subjectPrefix } from "../../../../mime/headers/subject.ts";

/** The newest conversations of one mailbox under one subject. */
export interface SubjectThreads {
  threads: { threadId: string; lastAt: number; participants: string[] }[];
}

/** The newest mail of the conversation must be of 30 days before or after (docs/specification.md "Threads"). */
const maxAgeMs = 30 * 86_400_000;
/** How many conversations and participants are kept for one subject; a subject such as "Hello" has many. */
const maxThreads = 10;
const maxParticipants = 30;

/** The subject of the conversation, and whether the subject has a reply prefix. */
export function normalisedSubject(subject: string): { base: string; isReply: boolean } {
  const prefix = subjectPrefix(subject);
  return { base: conversationSubject(subject), isReply: prefix === "reply" || prefix === "either" };
}

/**
 * The key of the conversations with the subject of the email, and whether the subject has a reply prefix. Null for an empty
 * subject, which joins nothing.
 */
export function subjectKey(
  email: Pick<Email, "userId" | "mailboxId" | "subject">,
): { key: Deno.KvKey; isReply: boolean } | null {
  const { base, isReply } = normalisedSubject(email.subject);
  if (base === "") return null;
  return { key: keys.threadsBySubject(email.userId, email.mailboxId, keyHash(base)), isReply };
}

/**
 * The thread of an email that names no ancestor but has a reply prefix in its subject: the newest thread of the mailbox and
 * subject within 30 days that has a participant in common. Null if there is none.
 */
export async function threadBySubject(
  tx: Tx,
  email: Email,
  people: Participants,
): Promise<KnownThread | null> {
  const subject = subjectKey(email);
  if (!subject?.isReply) return null;
  if (email.inReplyTo.length > 0 || email.references.length > 0) return null;
  const known = await tx.get<SubjectThreads>(subject.key);
  for (const { threadId, lastAt, participants } of known?.threads.toReversed() ?? []) {
    if (Math.abs(email.receivedAt - lastAt) > maxAgeMs) continue;
    if (await takePart(tx, email.userId, people, new Set(participants))) {
      return { threadId, people: participants };
    }
  }
  return null;
}

/** Writes the conversation of the email into the row of its subject. */
export async function rememberSubject(
  tx: Tx,
  email: Email,
  participants: Participants,
): Promise<void> {
  const subject = subjectKey(email);
  if (!subject) return;
  const { key, isReply } = subject;
  const known = (await tx.get<SubjectThreads>(key, { likelyAbsent: !isReply }))
    ?.threads ?? [];
  const { threadId, receivedAt } = email;
  const before = known.find((each) => each.threadId === threadId);
  const people = [...new Set([...participants.keys(), ...before?.participants ?? []])];
  const others = known.filter((each) => each.threadId !== threadId);
  const thread = {
    threadId,
    lastAt: Math.max(receivedAt, before?.lastAt ?? 0),
    participants: people.slice(0, maxParticipants),
  };
  // An import may be older than the others.
  const threads = [...others, thread].sort((one, other) => one.lastAt - other.lastAt);
  tx.set(key, { threads: threads.slice(-maxThreads) } satisfies SubjectThreads);
}
