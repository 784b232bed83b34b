/** A thread in which a Message-ID was received, sent or named. */
export interface Mention {
  threadId: string;
  /** The id is of mail that this account sent: every message that names it joins the thread. */
  isSent: boolean;
  /**
   * The participants when the row was written, as short hashes; empty if the row of the thread has them. Null in a row from
   * before participants were kept: every message that names the id joins.
   */
  people: readonly string[] | null;
}

/**
 * Threads that one id leads to, at most. Strangers can use each other's ids, so that there can be several: the first three
 * and the newest are kept. Later mail cannot displace the first, and the newest is found.
 */
const maxMentions = 4;

/**
 * The row of an id has a line for each thread: the thread id, 1 for sent mail or 0, and the hashes. An object takes twice
 * the bytes, and an arrival writes a row for each id that it is the first to name. A line with the thread id alone is from
 * before participants were kept.
 */
export function unpackMentions(row: string | null): Mention[] {
  if (!row) return [];
  return row.split("\n").map((line) => {
    const [threadId, sent, ...people] = line.split(" ");
    return { threadId, isSent: sent === "1", people: sent === undefined ? null : people };
  });
}

export function packMentions(mentions: readonly Mention[]): string {
  return mentions.map(({ threadId, isSent, people }) =>
    people === null ? threadId : [threadId, isSent ? 1 : 0, ...people].join(" ")
  ).join("\n");
}

/** The mentions and one more, at most `maxMentions`. */
export function withMention(mentions: readonly Mention[], mention: Mention): Mention[] {
  return [...mentions.slice(0, maxMentions - 1), mention];
}
