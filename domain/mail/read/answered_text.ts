import type { Reads } from "./reads.ts";
import * as keys from "../../store/keys.ts";
import type { Email } from "../record/email.ts";
import { storedEmail } from "../record/read_email.ts";
import { findThread } from "../record/threads/thread_aliases.ts";
import { readBody } from "./parsing/parsed_bodies.ts";
import { nullIfDeleted } from "./parsing/stored_message.ts";

/** So many messages of the thread are looked at, the newest first; the few newest before the others. */
const lookedAt = [4, 20];
/** The clock of another sender may be wrong: an answer can seem older than what it answers. */
const maxClockErrorMs = 24 * 60 * 60 * 1000;
/** A larger message is not parsed to compare its text. */
const maxAnsweredBytes = 4 * 1024 * 1024;

export interface Answered {
  text: string;
  /** True if the email names it first: another mail that arrives later does not take its place. */
  isNamed: boolean;
}

/**
 * The text of the mail that a received one answers, received or sent by its mailbox: the one that In-Reply-To or
 * References name (RFC 5322, section 3.6.4), else the newest before it in its thread. Null if there is none, or its text
 * cannot be read whole.
 */
export async function answeredText(service: Reads, email: Email): Promise<Answered | null> {
  const answered = await answeredBy(service, email);
  if (!answered || answered.size > maxAnsweredBytes) return null;
  const body = await nullIfDeleted(readBody(service, answered));
  if (body === null || body.problem !== null || body.truncated) return null;
  const [first] = namesIn(email);
  return { text: body.text, isNamed: answered.messageId === first };
}

const namesIn = ({ inReplyTo, references }: Email): string[] => [
  ...inReplyTo,
  ...references.toReversed(),
];

async function answeredBy(service: Reads, email: Email): Promise<Email | undefined> {
  const { userId, emailId, mailboxId, date } = email;
  const thread = await findThread(service.database, userId, email.threadId);
  const prefix = keys.emailsByThread(userId, thread);
  const names = namesIn(email);
  let newest: Email | undefined;
  for (const limit of lookedAt) {
    const places = await service.database.collect<string>(
      { prefix, end: [...prefix, date + maxClockErrorMs] },
      { limit, reverse: true },
    );
    const ids = places.map(({ key }) => String(key.at(-1))).filter((id) => id !== emailId);
    const read = await Promise.all(ids.map((id) => storedEmail(service.database, userId, id)));
    const others = read.filter((each) => each !== null && each.mailboxId === mailboxId) as Email[];
    const named = names.map((id) => others.find(({ messageId }) => messageId === id));
    newest ??= others.find((each) =>
      each.date < date || (each.date === date && each.emailId < emailId)
    );
    const found = named.find((each) => each !== undefined);
    if (found) return found;
    if (places.length < limit || names.length === 0) break;
  }
  return newest;
}
