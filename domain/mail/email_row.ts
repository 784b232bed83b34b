import type { Address, Email } from "./message.ts";

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

/** A row as the database keeps it; see packRow. */
export type PackedRow = string | EmailRow;

/** Which index a row is for. */
export type RowUse = "list" | "thread";

/** A value of Deno KV has 65,536 bytes: a byte a character, or two where any is beyond Latin-1. */
const maxPackedBytes = 60_000;

/**
 * The row of an email as one string, its fields in order: three are written with every email, twice, and fifty are
 * read for a page; the structured clone of an object takes twice the bytes and half as long again. A row that would
 * not fit as a string is kept as an object.
 */
export function packRow(email: Email, use: RowUse): PackedRow {
  const { parsed } = email;
  const packed = JSON.stringify(
    [
      email.emailId,
      email.messageId,
      email.threadId,
      email.mailboxId,
      email.direction === "outbound" ? 1 : 0,
      packAddresses([email.from]),
      packAddresses(email.to),
      packAddresses(email.cc),
      email.subject,
      email.date,
      email.receivedAt,
      email.size,
      parsed &&
      (use === "thread"
        ? [parsed.snippet, parsed.attachmentIds, parsed.excerpt]
        : [parsed.snippet, parsed.attachmentIds]),
    ] satisfies Fields,
  );
  return 2 * packed.length <= maxPackedBytes ? packed : rowOf(email, use);
}

type Fields = [
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
  parsed:
    | [snippet: string, attachmentIds: string[], excerpt: string]
    | [snippet: string, attachmentIds: string[]]
    | null,
];

export function unpackRow(packed: PackedRow): EmailRow {
  if (typeof packed !== "string") return packed;
  const fields: Fields = JSON.parse(packed);
  const [emailId, messageId, threadId, mailboxId, isOutbound, from, to, cc, subject, ...rest] =
    fields;
  const [date, receivedAt, size, parsed] = rest;
  return {
    emailId,
    messageId,
    threadId,
    mailboxId,
    direction: isOutbound ? "outbound" : "inbound",
    from: unpackAddresses(from)[0],
    to: unpackAddresses(to),
    cc: unpackAddresses(cc),
    subject,
    date,
    receivedAt,
    size,
    parsed: parsed && parsed.length === 3
      ? { snippet: parsed[0], attachmentIds: parsed[1], excerpt: parsed[2] }
      : parsed && { snippet: parsed[0], attachmentIds: parsed[1] },
  };
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

/** Address and name in turn. */
function packAddresses(addresses: readonly Address[]): string[] {
  return addresses.flatMap(({ address, name }) => [address, name]);
}

function unpackAddresses(packed: string[]): Address[] {
  const addresses: Address[] = [];
  for (let n = 0; n < packed.length; n += 2) {
    addresses.push({ address: packed[n], name: packed[n + 1] });
  }
  return addresses;
}
