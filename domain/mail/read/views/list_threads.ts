import { z } from "zod";
import { mailboxIdField } from "../../../mailboxes/mailbox_id.ts";
import { isoTime, timestampField } from "../../../core/clock.ts";
import type { Caller } from "../../../core/caller.ts";
import { decodeCursor, encodeCursor } from "../../../core/cursor.ts";
import { TimeSlices } from "../../../core/work/time_slices.ts";
import { operation } from "../../../core/operation.ts";
import { mailboxForm } from "../../../mailboxes/address.ts";
import { ownAddresses } from "../../../mailboxes/own_addresses.ts";
import { requireMailbox, visibleMailboxes } from "../../../mailboxes/visible_mailboxes.ts";
import * as keys from "../../../store/keys.ts";
import type { EmailRow } from "../../record/email_row.ts";
import { rowsByIds } from "../../record/read_email.ts";
import { findThreadRow } from "../../record/threads/thread_aliases.ts";
import { pageOutput } from "../../record/pages.ts";
import type { Reads } from "../reads.ts";
import { rowsInOrder } from "../rows_in_order.ts";

/** At most this many messages of a conversation are counted, the newest. */
const maxCounted = 1_000;
/** The most rows that one request reads, of the list and of conversations. A page that reads more ends early. */
const maxRows = 20_000;
/** Conversations that are read at the same time: each takes three round trips to a remote database. */
const readAtOnce = 20;
const maxParticipants = 50;
/** People of one conversation of whom the own ones are looked up and left out. */
const maxNamed = 100;

const conversation = z.object({
  thread_id: z.string(),
  subject: z.string().describe("Of its newest message"),
  participants: z.array(z.object({ address: z.string(), name: z.string() })).describe(
    "Who wrote or got its messages, the latest first, without addresses that are or were own mailboxes; at most 50",
  ),
  count: z.number().int().describe("Its messages, at most 1,000"),
  last_email: timestampField.describe("When its newest message came in or went out"),
  last_direction: z.enum(["inbound", "outbound"]),
  answered: z.boolean().describe("The newest message is the account's own"),
}).meta({ id: "Conversation", description: "A conversation in a list" });

export const listThreads = operation({
  name: "list_threads",
  title: "List conversations",
  description: "Conversations by their newest message, newest first, of one mailbox or of all.",
  scope: "emails:read",
  audit: "read",
  emailsIn: ({ threads }) => threads.length,
  input: z.object({
    mailbox_id: mailboxIdField().optional().describe("Only messages of this mailbox"),
    limit: z.int().min(1).max(100).default(20).describe(
      "Conversations a page, 1 to 100",
    ),
    cursor: z.string().max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({ threads: z.array(conversation), ...pageOutput }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  async run(service, caller, { mailbox_id, limit, cursor }, call) {
    call.audit({ mailboxId: mailbox_id });
    const after = cursor === undefined ? null : decodeCursor(cursor, ["id"])[0];
    await requireMailbox(service, caller, mailbox_id);
    const mailboxes = await visibleMailboxes(service, caller);
    const shown = mailbox_id === undefined
      ? mailboxes
      : mailboxes.filter(({ mailboxId }) => mailboxId === mailbox_id);
    const visible = new Set(shown.map(({ mailboxId }) => mailboxId));
    const page = await newestOf(service, caller, { mailbox_id, limit, after, visible });
    const named = page.found.flatMap(({ people }) => people.map(({ address }) => address));
    const own = new Set(await ownAddresses(service, caller.userId, named));
    return {
      threads: page.found.map((found) =>
        conversationOf(found, found.people.filter(({ address }) => !own.has(mailboxForm(address))))
      ),
      has_more: page.last !== null,
      next_cursor: page.last === null ? null : encodeCursor([page.last]),
    };
  },
});

/** One conversation by its messages that are visible. */
interface Found {
  threadId: string;
  /** By arrival. */
  newest: EmailRow;
  count: number;
  /** Everybody in it, own addresses too. */
  people: Person[];
  /** What it took to read, in usual rows. */
  cost: number;
}

/**
 * A conversation is listed at its newest message. Messages are read by arrival; one that is not the newest of its
 * conversation is skipped, so no conversation is listed twice, even on different pages.
 */
async function newestOf(
  service: Reads,
  { userId }: Caller,
  { mailbox_id, limit, after, visible }: {
    mailbox_id?: string;
    limit: number;
    after: string | null;
    visible: ReadonlySet<string>;
  },
): Promise<{ found: Found[]; last: string | null }> {
  const found: Found[] = [];
  const slices = new TimeSlices(service.clock, userId);
  const known = new Set<string>();
  const range = {
    userId,
    mailboxId: mailbox_id ?? null,
    bounds: after === null ? {} : { end: after },
    reverse: true,
  };
  let left = maxRows;
  let last: string | null = null;
  for await (const rows of rowsInOrder(service, range, limit + 1)) {
    const read = new Map<string, Promise<Found>>();
    for (const [n, row] of rows.entries()) {
      if (left-- <= 0 && last !== null) return { found, last };
      if (!visible.has(row.mailboxId) || known.has(row.threadId)) {
        last = row.emailId;
        continue;
      }
      if (!read.has(row.emailId)) {
        const next = rows.slice(n).filter(({ mailboxId, threadId }) =>
          visible.has(mailboxId) && !known.has(threadId)
        );
        for (const each of firstOfThreads(next).slice(0, readAtOnce)) {
          const conversation = readConversation(service, userId, { row: each, visible, slices });
          conversation.catch(() => {});
          read.set(each.emailId, conversation);
        }
      }
      const conversation = await read.get(row.emailId)!;
      left -= conversation.cost;
      known.add(row.threadId).add(conversation.threadId);
      if (conversation.newest.emailId === row.emailId) {
        // There is one more conversation, so the next page is not empty.
        if (found.length === limit) return { found, last };
        found.push(conversation);
      }
      last = row.emailId;
    }
  }
  return { found, last: null };
}

/** The first row of each conversation. */
function firstOfThreads(rows: readonly EmailRow[]): EmailRow[] {
  const seen = new Set<string>();
  return rows.filter(({ threadId }) => !seen.has(threadId) && seen.add(threadId));
}

/** Rows of a conversation that are in memory at a time: a stranger can make a row of 16 KB. */
const rowsAtOnce = 25;

/** The newest messages, by date, of the conversation of a row, and the row itself. */
async function readConversation(
  { database }: Reads,
  userId: string,
  { row, visible, slices }: {
    row: EmailRow;
    visible: ReadonlySet<string>;
    slices: TimeSlices;
  },
): Promise<Found> {
  const { threadId, thread } = await findThreadRow(database, userId, row.threadId);
  const ids = new Set([row.emailId]);
  for (const id of [...thread?.absorbing ?? [], threadId]) {
    const selector = { prefix: keys.emailsByThread(userId, id) };
    const places = await database.collect(selector, { reverse: true, limit: maxCounted });
    for (const { key } of places) ids.add(String(key.at(-1)));
    if (ids.size > maxCounted) break;
  }
  const newestFirst = [...ids].slice(0, maxCounted).sort().reverse();
  const people = new People();
  let newest: EmailRow | null = null, count = 0;
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
    newest ??= shown[0] ?? null;
    count += shown.length;
    for (const each of shown) {
      await slices.next();
      people.add(each);
    }
  }
  const cost = count + Math.ceil(people.looked / addressesOfRow);
  return { threadId, newest: newest ?? row, count, people: people.found, cost };
}

type Person = z.input<typeof conversation>["participants"][number];

/** A mail can have 400 recipients, chosen by a stranger: so many of a conversation are looked at, of its newest messages. */
const maxRecipients = 2_000;
/** As many addresses take as long as a usual row. */
const addressesOfRow = 20;

/** The people of a conversation, in the order in which they are met: at most 100. */
export class People {
  private readonly known = new Map<string, Person>();
  /** Recipients that were looked at. */
  looked = 0;

  get found(): Person[] {
    return [...this.known.values()];
  }

  add({ from, to, cc }: Pick<EmailRow, "from" | "to" | "cc">): void {
    this.meet(from);
    for (const recipients of [to, cc]) {
      for (const each of recipients) {
        if (this.looked === maxRecipients) return;
        this.looked++;
        this.meet(each);
      }
    }
  }

  private meet({ address, name }: Person): void {
    const id = address.toLowerCase();
    if (id === "") return;
    const before = this.known.get(id);
    if (before) before.name ||= name;
    else if (this.known.size < maxNamed) this.known.set(id, { address, name });
  }
}

function conversationOf(
  { threadId, newest, count }: Found,
  participants: Person[],
): z.input<typeof conversation> {
  return {
    thread_id: threadId,
    subject: newest.subject,
    participants: participants.slice(0, maxParticipants),
    count,
    last_email: isoTime(newest.receivedAt),
    last_direction: newest.direction,
    answered: newest.direction === "outbound",
  };
}
