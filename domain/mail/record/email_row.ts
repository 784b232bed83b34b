import type { Address, Email } from "./email.ts";

/** What lists and conversations show of an email. Every index row holds it, so that a page is one scan. */
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
  /** null until the body is parsed. `excerpt` is in the rows of threads only. */
  parsed: { snippet: string; attachmentIds: string[]; excerpt?: string } | null;
}

const version = 1;

/** The fields of a row by position. A field more is a version more; `readRow` then reads both. */
type Fields = [
  version: typeof version,
  emailId: string,
  messageId: string,
  threadId: string,
  mailboxId: string,
  isOutbound: 0 | 1,
  /** Addresses and names in turn, here and in `to` and `cc`. */
  from: string[],
  to: string[],
  cc: string[],
  subject: string,
  date: number,
  receivedAt: number,
  size: number,
  parsed: [snippet: string, attachmentIds: string[], excerpt?: string] | null,
];

/**
 * A row in the database: the fields as JSON text. As an object with names a row takes twice the bytes, and fifty rows
 * take eighteen times as long to read. Fields whose text does not fit into a value are stored as an array.
 */
export type StoredRow = string | Fields;

/** A value of Deno KV has 65,536 bytes: a byte a character, or two if any is beyond Latin-1. */
const maxTextBytes = 60_000;

/** The rows of an email: one for the two lists, one for its thread. */
export function storedRows(email: Email): { list: StoredRow; thread: StoredRow } {
  const { parsed } = email;
  if (!parsed) {
    const row = storedRow(email, null);
    return { list: row, thread: row };
  }
  const { snippet, attachmentIds, excerpt } = parsed;
  return {
    list: storedRow(email, [snippet, attachmentIds]),
    thread: storedRow(email, [snippet, attachmentIds, excerpt]),
  };
}

function storedRow(email: Email, parsed: Fields[13]): StoredRow {
  const fields: Fields = [
    version,
    email.emailId,
    email.messageId,
    email.threadId,
    email.mailboxId,
    email.direction === "outbound" ? 1 : 0,
    flat([email.from]),
    flat(email.to),
    flat(email.cc),
    email.subject,
    email.date,
    email.receivedAt,
    email.size,
    parsed,
  ];
  const text = JSON.stringify(fields);
  return 2 * text.length <= maxTextBytes ? text : fields;
}

/** The row as it was stored. Throws for a version that this code does not know. */
export function readRow(stored: StoredRow): EmailRow {
  const fields: Fields = typeof stored === "string" ? JSON.parse(stored) : stored;
  if (fields[0] !== version) throw new Error(`an email row of version ${fields[0]}`);
  const parsed = fields[13];
  return {
    emailId: fields[1],
    messageId: fields[2],
    threadId: fields[3],
    mailboxId: fields[4],
    direction: fields[5] === 1 ? "outbound" : "inbound",
    from: pairs(fields[6])[0],
    to: pairs(fields[7]),
    cc: pairs(fields[8]),
    subject: fields[9],
    date: fields[10],
    receivedAt: fields[11],
    size: fields[12],
    parsed: parsed && {
      snippet: parsed[0],
      attachmentIds: parsed[1],
      ...(parsed[2] === undefined ? {} : { excerpt: parsed[2] }),
    },
  };
}

function flat(people: readonly Address[]): string[] {
  return people.flatMap(({ address, name }) => [address, name]);
}

function pairs(flat: readonly string[]): Address[] {
  const people: Address[] = [];
  for (let n = 0; n < flat.length; n += 2) people.push({ address: flat[n], name: flat[n + 1] });
  return people;
}
