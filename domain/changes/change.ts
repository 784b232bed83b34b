import { draftEvents } from "../core/draft_events.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import type { Database, Tx } from "../store/database.ts";

/** What can change in an account (docs/specification.md "Changes"). */
export const changeEvents = [
  "email.received",
  "email.imported",
  "email.processed",
  "email.sent",
  "email.failed",
  "email.updated",
  "email.deleted",
  ...draftEvents,
  "mailbox.created",
  "mailbox.renamed",
  "mailbox.deleted",
] as const;

export type ChangeEvent = typeof changeEvents[number];

/** One change in an account. Ids that do not apply are null. */
export interface Change {
  event: ChangeEvent;
  /** ms since 1970. */
  at: number;
  mailboxId: string | null;
  emailId: string | null;
  threadId: string | null;
  draftId: string | null;
  /** Of the draft after the change: two changes of one draft may be of one millisecond. */
  revision: number | null;
}

/** Records a change in the transaction that makes it. */
export function recordChange(
  tx: Pick<Tx, "append">,
  userId: string,
  change: Pick<Change, "event" | "at"> & Partial<Change>,
): void {
  const { event, at, mailboxId = null, emailId = null, threadId = null, draftId = null } = change;
  const revision = change.revision == null ? [] : [change.revision];
  // By position: a row holds up to a hundred of them.
  const entry = [event, at, mailboxId, emailId, threadId, draftId, ...revision];
  tx.append(userId, JSON.stringify(entry));
}

/** An entry of the journal, of the commit with this versionstamp; null, with a line in the log, if it is damaged. */
export function readableChange(
  { log }: Pick<Database, "log">,
  entry: string,
  versionstamp: string,
): Change | null {
  return skipDamaged(log, { table: "journal", id: versionstamp }, () => {
    const [event, at, mailboxId, emailId, threadId, draftId, revision = null] = JSON.parse(entry);
    if (!changeEvents.includes(event) || !Number.isInteger(at)) throw new Error("a damaged entry");
    return { event, at, mailboxId, emailId, threadId, draftId, revision };
  });
}
