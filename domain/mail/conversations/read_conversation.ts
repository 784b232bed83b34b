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

interface RowsToRead {
  visible: ReadonlySet<string>;
  slices: TimeSlices;
}

/** The newest messages of the conversation of a row, and the row itself. */
export async function readConversation(
  { database }: Reads,
  userId: string,
  { row, visible, slices }: RowsToRead & { row: EmailRow },
): Promise<Conversation> {
  const { threadId, thread } = await findThreadRow(database, userId, row.threadId);
  const threadIds = new Set([...thread?.absorbing ?? [], threadId]);
  const people = new People();
  const messages: Light[] = [];
  const labels = new Set<string>();
  let isRead = true, newestRows: EmailRow[] | null = null;
  for await (const shown of newestRowsOf(database, userId, threadIds, { row, visible, slices })) {
    newestRows ??= shown;
    for (const each of shown) {
      await slices.next();
      people.add(each);
      messages.push(lightOf(each));
      isRead &&= each.isRead || each.direction === "outbound";
      for (const label of each.labels) if (labels.size < maxLabels) labels.add(label);
    }
  }
  const items = itemsOf(messages);
  const [newest, human] = await Promise.all([
    rowOf(database, userId, items[0], newestRows ?? []),
    rowOf(database, userId, humanOf(items), newestRows ?? []),
  ]);
  return {
    ...{ threadId, threadIds, newest: newest ?? row, human, isRead },
    count: items.length,
    labels: [...labels].sort(),
    people: people.found,
    cost: messages.length + Math.ceil(people.looked / addressesOfRow),
  };
}

/** The visible messages of a conversation, the newest first, 25 at a time; with `row`, that one too. */
async function* newestRowsOf(
  database: Reads["database"],
  userId: string,
  threadIds: Iterable<string>,
  { row, visible, slices }: RowsToRead & { row?: EmailRow },
): AsyncGenerator<EmailRow[]> {
  const ids = new Set(row && [row.emailId]);
  for (const id of threadIds) {
    const selector = { prefix: keys.emailsByThread(userId, id) };
    const places = await database.collect(selector, { reverse: true, limit: maxCounted });
    for (const { key } of places) ids.add(String(key.at(-1)));
    if (ids.size > maxCounted) break;
  }
  const newestFirst = [...ids].slice(0, maxCounted).sort().reverse();
  for (let at = 0; at < newestFirst.length; at += rowsAtOnce) {
    const some = newestFirst.slice(at, at + rowsAtOnce);
    await slices.next();
    const rows = await rowsByIds(database, userId, some);
    const shown = rows.filter(({ mailboxId }) => visible.has(mailboxId));
    // The row may have been deleted meanwhile.
    if (
      row && some.includes(row.emailId) && !shown.some(({ emailId }) => emailId === row.emailId)
    ) {
      shown.push(row);
      shown.sort((a, b) => a.emailId < b.emailId ? 1 : -1);
    }
    yield shown;
  }
}

/**
 * The newest message of a conversation that no program wrote, as `readConversation` finds it; null if there is none. Reads no
 * more than it must; `isOwn`: whether an account's mailbox wrote the received message, which may be the copy of a sent one.
 */
export async function newestHuman(
  { database }: Reads,
  userId: string,
  threadIds: Iterable<string>,
  { isOwn, ...which }: RowsToRead & { isOwn(message: Light): Promise<boolean> },
): Promise<EmailRow | null> {
  const messages: Light[] = [];
  for await (const rows of newestRowsOf(database, userId, threadIds, which)) {
    messages.push(...rows.map(lightOf));
    const human = humanOf(itemsOf(messages));
    // The sent message of a copy is older: it may be still to come.
    const mayBeCopy = human?.direction === "inbound" && await isOwn(human);
    if (human && !mayBeCopy) return await rowOf(database, userId, human, rows);
  }
  return await rowOf(database, userId, humanOf(itemsOf(messages)), []);
}

const humanOf = (items: readonly Light[]) => items.find(({ automated }) => !automated);

/** The row of a message, which may be among those that were read; null if it is gone. */
async function rowOf(
  database: Reads["database"],
  userId: string,
  message: Light | undefined,
  read: readonly EmailRow[],
): Promise<EmailRow | null> {
  if (!message) return null;
  return read.find(({ emailId }) => emailId === message.emailId) ??
    (await rowsByIds(database, userId, [message.emailId]))[0] ?? null;
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
