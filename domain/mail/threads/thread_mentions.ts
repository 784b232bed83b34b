/** A thread in which a Message-ID was received, sent or named. */
export interface Mention {
  threadId: string;
  /** The id is of mail that this account sent: who names it joins, whoever it is. */
  isSent: boolean;
  /**
   * Who took part when this was written, as short hashes; empty if they are too many, for the thread's own row has
   * them then. Null in a row of the first form, which knew of nobody: everybody joins there, as it was.
   */
  people: readonly string[] | null;
}

/**
 * Threads that one id leads to. Strangers may use each other's ids, so that there may be several: the first three and
 * the newest stay. Who comes first cannot be driven out, and who comes last is found.
 */
const maxMentions = 4;

/**
 * The row of an id, a line a thread: its id, 1 if the message is sent mail, and the hashes. As an object it takes twice
 * the bytes, and an arrival writes one for each id that it is the first to name. The first form was the thread's id.
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

/** The mentions with one more. */
export function withMention(mentions: readonly Mention[], mention: Mention): Mention[] {
  return [...mentions.slice(0, maxMentions - 1), mention];
}
