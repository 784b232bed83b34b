import type { Service } from "../../../core/service.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import * as keys from "../../../store/keys.ts";
import { rowsByIds } from "../../record/read_email.ts";
import { findThread } from "../../record/threads/thread_aliases.ts";
import { mentionsOf } from "../../record/threads/threads.ts";
import type { Answered, Written } from "../outgoing_message.ts";

/** Of the ids that a message names, of the threads of an id, and of the newest messages of a thread. */
const lookedAt = { ids: 3, threads: 4, messages: 100 };

/**
 * The mail of the mailbox, received or sent, that a submitted message names as the one that it answers (RFC 5322, section
 * 3.6.4); null if there is none.
 */
export async function findAnswered(
  { database }: Pick<Service, "database">,
  { userId, mailboxId }: Mailbox,
  { inReplyTo, references }: Pick<Written, "inReplyTo" | "references">,
): Promise<Pick<Answered, "parentId" | "parentThreadId"> | null> {
  const named = [...new Set([...inReplyTo, ...references.toReversed()])].slice(0, lookedAt.ids);
  for (const messageId of named) {
    const mentions = await mentionsOf(database, userId, messageId);
    const threads = mentions.filter(({ isOwn }) => isOwn).slice(0, lookedAt.threads);
    for (const { threadId } of threads) {
      const parentThreadId = await findThread(database, userId, threadId);
      const places = await database.collect(
        { prefix: keys.emailsByThread(userId, parentThreadId) },
        { reverse: true, limit: lookedAt.messages },
      );
      const rows = await rowsByIds(database, userId, places.map(({ key }) => String(key.at(-1))));
      const row = rows.find((row) => row.mailboxId === mailboxId && row.messageId === messageId);
      if (row) return { parentId: row.emailId, parentThreadId };
    }
  }
  return null;
}
