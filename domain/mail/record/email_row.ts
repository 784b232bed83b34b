import type { Address, Email } from "./email.ts";
import { flat, type Packed, packed, pairs, unpacked } from "./row_text.ts";

/**
 * What lists show of an email, and all of it that can change later. Stored once, under the account and the email id, which
 * is in order of arrival: a page of all mail is one scan. The ranges of mailboxes and threads have keys alone.
 */
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
  /** null until the body is parsed. The row does not have the excerpt: see `threadRows`. */
  parsed: { snippet: string; attachmentIds: string[]; excerpt?: string } | null;
}

const version = 2;

/**
 * The fields of a row by position. A field more is a version more; `readRow` then reads both. With its key the text of a
 * usual row is below 1,000 bytes: above, SQLite gives it a page of 4 KiB of its own.
 */
type Fields = [
  version: typeof version,
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
  parsed: [snippet: string, attachmentIds: string[]] | null,
];

export type StoredRow = Packed<Fields>;

/** The row of an email, or of a row that was read. */
export function storedRow(email: Omit<EmailRow, "emailId"> | Email): StoredRow {
  const { parsed } = email;
  return packed<Fields>([
    version,
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
    parsed && [parsed.snippet, parsed.attachmentIds],
  ]);
}

/** The row of an email as it was stored. Throws for a version that this code does not know. */
export function readRow(emailId: string, stored: StoredRow): EmailRow {
  const fields = unpacked<Fields>(stored);
  if (fields[0] !== version) throw new Error(`an email row of version ${fields[0]}`);
  const parsed = fields[12];
  return {
    emailId,
    messageId: fields[1],
    threadId: fields[2],
    mailboxId: fields[3],
    direction: fields[4] === 1 ? "outbound" : "inbound",
    from: pairs(fields[5])[0],
    to: pairs(fields[6]),
    cc: pairs(fields[7]),
    subject: fields[8],
    date: fields[9],
    receivedAt: fields[10],
    size: fields[11],
    parsed: parsed && { snippet: parsed[0], attachmentIds: parsed[1] },
  };
}
