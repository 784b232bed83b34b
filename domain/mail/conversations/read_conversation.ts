import type { TimeSlices } from "../../core/work/time_slices.ts";
import * as keys from "../../store/keys.ts";
import type { Reads } from "../read/reads.ts";
import type { EmailRow } from "../record/email_row.ts";
import { rowsByIds } from "../record/read_email.ts";
import { findThreadRow } from "../record/threads/thread_aliases.ts";
import { type Compared, OwnCopies } from "./own_copies.ts";
import { People, type Person } from "./people.ts";

/** At most this many messages of a conversation are counted, the newest. */
const maxCounted = 1_000;
/** Rows of a conversation that are in memory at a time: a stranger can make a row of 16 KB. */
const rowsAtOnce = 25;
/** As many addresses take as long as a usual row. */
const addressesOfRow = 20;
/** Labels of a conversation that are shown. */
const maxLabels = 100;

/** A conversation by its messages that are visible. */
export interface Conversation {
  threadId: string;
  /** Its id, and those of threads that are being merged into it. */
  threadIds: ReadonlySet<string>;
  /** The newest message, and the newest that no program wrote. */
  newest: EmailRow;
  human: EmailRow | null;
  count: number;
  isRead: boolean;
  /** Sorted. */
  labels: string[];
  /** Everybody in it, own addresses too. */
  people: Person[];
  /** What it took to read, in usual rows. */
  cost: number;
}

/** What is kept of every message until the sent one of a copy is found, which is older. */
type Light = Compared & Pick<EmailRow, "automated">;

/** The newest messages of the conversation of a row, and the row itself. */
export async function readConversation(
  { database }: Reads,
  userId: string,
  { row, visible, slices }: {
    row: EmailRow;
    visible: ReadonlySet<string>;
    slices: TimeSlices;
  },
): Promise<Conversation> {
  const { threadId, thread } = await findThreadRow(database, userId, row.threadId);
  const threadIds = new Set([...thread?.absorbing ?? [], threadId]);
  const ids = new Set([row.emailId]);
  for (const id of threadIds) {
    const selector = { prefix: keys.emailsByThread(userId, id) };
    const places = await database.collect(selector, { reverse: true, limit: maxCounted });
    for (const { key } of places) ids.add(String(key.at(-1)));
    if (ids.size > maxCounted) break;
  }
  const newestFirst = [...ids].slice(0, maxCounted).sort().reverse();
  const people = new People();
  const messages: Light[] = [];
  const labels = new Set<string>();
  let isRead = true, newestRows: EmailRow[] = [];
  for (let at = 0; at < newestFirst.length; at += rowsAtOnce) {
    const some = newestFirst.slice(at, at + rowsAtOnce);
    await slices.next();
    const rows = await rowsByIds(database, userId, some);
    const shown = rows.filter(({ mailboxId }) => visible.has(mailboxId));
    // The row may have been deleted meanwhile.
    if (some.includes(row.emailId) && !shown.some(({ emailId }) => emailId === row.emailId)) {
      shown.push(row);
      shown.sort((a, b) => a.emailId < b.emailId ? 1 : -1);
    }
    if (at === 0) newestRows = shown;
    for (const each of shown) {
      await slices.next();
      people.add(each);
      messages.push(lightOf(each));
      isRead &&= each.isRead;
      for (const label of each.labels) if (labels.size < maxLabels) labels.add(label);
    }
  }
  const items = itemsOf(messages);
  const rowOf = async (message: Light | undefined) =>
    message && (newestRows.find(({ emailId }) => emailId === message.emailId) ??
      (await rowsByIds(database, userId, [message.emailId]))[0]);
  const [newest = row, human = null] = await Promise.all([
    rowOf(items[0]),
    rowOf(items.find(({ automated }) => !automated)),
  ]);
  return {
    ...{ threadId, threadIds, newest, human, isRead },
    count: items.length,
    labels: [...labels].sort(),
    people: people.found,
    cost: messages.length + Math.ceil(people.looked / addressesOfRow),
  };
}

function lightOf(row: EmailRow): Light {
  const { emailId, mailboxId, direction, messageId, from, size, auth, importId, automated } = row;
  return { emailId, mailboxId, direction, messageId, from, size, auth, importId, automated };
}

/** The messages, the newest first, without the copies of sent ones. */
function itemsOf(messages: readonly Light[]): Light[] {
  const copies = new OwnCopies();
  for (const each of messages) if (each.direction === "outbound") copies.take(each);
  return messages.filter((each) => !copies.take(each));
}
