import { type Address, type Email } from "./email.ts";
import { type EmailRecord, emailRecordOf } from "./email_record.ts";

/** What lists show of an email, kept in every index row so that a page is one scan. */
export interface EmailRow {
  emailId: string;
  messageId: string;
  threadId: string;
  mailboxId: string;
  direction: "inbound" | "outbound";
  from: Address;
  to: Address[];
  cc: Address[];
  subject: string;
  date: number;
  receivedAt: number;
  size: number;
  /** `excerpt` is what a conversation shows: only the rows of threads have it. */
  parsed: { snippet: string; attachmentIds: string[]; excerpt?: string } | null;
}

/** A row as the database keeps it; see packRows. */
export type PackedRow = string | EmailRow;

/** Which index a row is for. */
export type RowUse = "list" | "thread";

/** A value of Deno KV has 65,536 bytes: a byte a character, or two where any is beyond Latin-1. */
const maxPackedBytes = 60_000;

/**
 * The rows of an email, for lists and for its thread, as one string of three lines each (JSON text has no line feed):
 * whether its body has been parsed, and its mailbox; its record as lists show it, up to `processed`, the last field and
 * the only one that is not of the row; the names of recipients, and in a thread the excerpt. A page is put together from
 * the second lines as they are: the structured clone of an object takes twice the bytes, and reading and printing fifty
 * rows eighteen times as long. A row that would not fit as a string is kept as an object.
 */
export function packRows(email: Email): Record<RowUse, PackedRow> {
  const { mailboxId, parsed, to, cc } = email;
  const record = JSON.stringify(emailRecordOf(email, false)).slice(0, -lastField(false).length);
  const front = `${parsed ? 1 : 0}${mailboxId}\n${record}\n`;
  const names: [string[], string[]] = [namesOf(to), namesOf(cc)];
  const list = front + JSON.stringify(names satisfies Others);
  const thread = parsed
    ? front + JSON.stringify([...names, parsed.excerpt] satisfies Others)
    : list;
  const fits = (packed: string) => 2 * packed.length <= maxPackedBytes;
  return {
    list: fits(list) ? list : rowOf(email, "list"),
    thread: fits(thread) ? thread : rowOf(email, "thread"),
  };
}

type Others = [toNames: string[], ccNames: string[], excerpt?: string];

function namesOf(people: readonly Address[]): string[] {
  return people.map((each) => each.name);
}

function lastField(processed: boolean): string {
  return `,"processed":${processed}}`;
}

export function unpackRow(packed: PackedRow): EmailRow {
  if (typeof packed !== "string") return packed;
  if (isOfFirstForm(packed)) return unpackFirstForm(packed);
  const [head, record, others] = packed.split("\n");
  const shown: EmailRecord = JSON.parse(`${record}}`);
  const [toNames, ccNames, excerpt]: Others = JSON.parse(others);
  const { snippet, attachment_ids: attachmentIds } = shown;
  return {
    emailId: shown.email_id,
    messageId: shown.message_id,
    threadId: shown.thread_id,
    mailboxId: shown.mailbox_id,
    direction: shown.direction,
    from: { address: shown.from, name: shown.from_name },
    to: shown.to.map((address, n) => ({ address, name: toNames[n] })),
    cc: shown.cc.map((address, n) => ({ address, name: ccNames[n] })),
    subject: shown.subject,
    date: Date.parse(shown.date),
    receivedAt: Date.parse(shown.received_at),
    size: shown.size,
    parsed: head[0] === "0"
      ? null
      : { snippet, attachmentIds, ...(excerpt === undefined ? {} : { excerpt }) },
  };
}

/** A row as it is kept, read no further than it is asked for. */
export class KeptRow {
  private readonly row: PackedRow;

  constructor(readonly emailId: string, row: PackedRow) {
    this.row = typeof row === "string" && isOfFirstForm(row) ? unpackFirstForm(row) : row;
  }

  get isParsed(): boolean {
    return typeof this.row === "string" ? this.row[0] === "1" : this.row.parsed !== null;
  }

  get mailboxId(): string {
    const { row } = this;
    return typeof row === "string" ? row.slice(1, row.indexOf("\n")) : row.mailboxId;
  }

  get unpacked(): EmailRow {
    return unpackRow(this.row);
  }

  /** Its record (message.ts, emailRecord) as JSON text. */
  record(processed: boolean): string {
    const { row } = this;
    if (typeof row !== "string") return JSON.stringify(emailRecordOf(row, processed));
    const start = row.indexOf("\n") + 1;
    return row.slice(start, row.indexOf("\n", start)) + lastField(processed);
  }
}

/** The form that rows had at first, and keep until they are written again: all fields as one array. */
type FirstForm = [
  emailId: string,
  messageId: string,
  threadId: string,
  mailboxId: string,
  isOutbound: 0 | 1,
  from: string[],
  to: string[],
  cc: string[],
  subject: string,
  date: number,
  receivedAt: number,
  size: number,
  parsed: [snippet: string, attachmentIds: string[], excerpt?: string] | null,
];

function isOfFirstForm(packed: string): boolean {
  return packed.startsWith("[");
}

function unpackFirstForm(packed: string): EmailRow {
  const fields: FirstForm = JSON.parse(packed);
  const [emailId, messageId, threadId, mailboxId, isOutbound, from, to, cc, subject, ...rest] =
    fields;
  const [date, receivedAt, size, parsed] = rest;
  const [snippet = "", attachmentIds = [], excerpt] = parsed ?? [];
  return {
    ...{ emailId, messageId, threadId, mailboxId, subject, date, receivedAt, size },
    direction: isOutbound ? "outbound" : "inbound",
    from: inPairs(from)[0],
    to: inPairs(to),
    cc: inPairs(cc),
    parsed: parsed && { snippet, attachmentIds, ...(excerpt === undefined ? {} : { excerpt }) },
  };
}

/** Address and name in turn. */
function inPairs(packed: string[]): Address[] {
  return packed.flatMap((address, n) => n % 2 === 0 ? [{ address, name: packed[n + 1] }] : []);
}

function rowOf(email: Email, use: RowUse): EmailRow {
  const { emailId, messageId, threadId, mailboxId, direction, from, to, cc, subject } = email;
  const { date, receivedAt, size, parsed } = email;
  return {
    emailId,
    messageId,
    threadId,
    mailboxId,
    direction,
    from,
    to,
    cc,
    subject,
    date,
    receivedAt,
    size,
    parsed: parsed && {
      snippet: parsed.snippet,
      attachmentIds: parsed.attachmentIds,
      ...(use === "thread" ? { excerpt: parsed.excerpt } : {}),
    },
  };
}
