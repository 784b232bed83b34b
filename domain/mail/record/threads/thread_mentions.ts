/** A thread in which a Message-ID was received, sent or named. */
export interface Mention {
  threadId: string;
  /** The id is of mail that this account sent: every message that names it joins the thread. */
  isSent: boolean;
  /** The message with this id, sent or received, is in the thread; otherwise messages of the thread only name the id. */
  isOwn: boolean;
  /** The participants when the row was written, as short hashes; empty if the row of the thread has them. */
  people: readonly string[];
}

/**
 * Threads that one id leads to, at most. Strangers can use each other's ids, and foresee ids such as
 * `<owner/repo/issues/5@github.com>`. Messages that only name an id cannot displace the message that has it: each kind
 * has its own limit, and keeps its first and its newest. All 20 lines take 3 of the 64 KiB of a row.
 */
const maxNaming = 4;
const maxOwn = 16;

/**
 * The row of an id has a line for each thread: the thread id, a digit (1: sent, 2: received, 0: only named), and the
 * hashes. An object would take twice the bytes, and an arrival writes a row for each id that no mail has named before.
 */
export function unpackMentions(row: string | null): Mention[] {
  if (!row) return [];
  return row.split("\n").map((line) => {
    const [threadId, sent, ...people] = line.split(" ");
    return {
      threadId,
      isSent: sent === "1",
      isOwn: sent === "1" || sent === "2",
      people,
    };
  });
}

export function packMentions(mentions: readonly Mention[]): string {
  return mentions.map(({ threadId, isSent, isOwn, people }) =>
    [threadId, isSent ? 1 : isOwn ? 2 : 0, ...people].join(" ")
  ).join("\n");
}

/** The mentions and one more. If there are too many of its kind, it replaces the newest. */
export function withMention(mentions: readonly Mention[], mention: Mention): Mention[] {
  const kind = mentions.filter(({ isOwn }) => isOwn === mention.isOwn);
  const isFull = kind.length >= (mention.isOwn ? maxOwn : maxNaming);
  return [...mentions.filter((each) => !isFull || each !== kind.at(-1)), mention];
}
