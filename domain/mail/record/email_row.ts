import type { SenderAuth } from "../../ports/sender_checks.ts";
import { readAuth, type StoredAuth, storedAuth } from "./stored_auth.ts";
import { flat, type Packed, packed, pairs, unpacked } from "./row_text.ts";

/** An email address and its display name, "" if there is none. */
export interface Address {
  address: string;
  name: string;
}

/** What lists show of an attachment. */
export interface AttachmentNote {
  attachmentId: string;
  filename: string | null;
  contentType: string;
  /** Bytes once decoded. */
  size: number;
}

/**
 * What lists show of an email, and all of it that can change later. Stored once, under the account and the email id, which
 * is in order of `receivedAt`: a page of all mail is one scan. The ranges of mailboxes and threads have keys alone.
 */
export interface EmailRow {
  emailId: string;
  /** Header form, `<left@right>`. If the message has none, it is made from the email id. */
  messageId: string;
  /** A merge of threads may have made it an alias (`findThread`). */
  threadId: string;
  mailboxId: string;
  direction: "inbound" | "outbound";
  isRead: boolean;
  /** Sorted. */
  labels: string[];
  /** A program wrote it: see `mime/headers/automatic.ts`. */
  automated: boolean;
  /** null until its sender is checked, and for sent mail. */
  auth: SenderAuth | null;
  from: Address;
  to: Address[];
  cc: Address[];
  subject: string;
  /** The Date header, or the time of arrival if it does not parse; ms since 1970. */
  date: number;
  /** Of imported mail the time of its source. */
  receivedAt: number;
  /** Of imported mail only: an id of the time at which it came into the store. */
  importId?: string;
  size: number;
  /** Of received mail: the recipients of envelopes that led to its mailbox, as given. Rows of earlier versions lack it. */
  envelopeTo?: string[];
  /** Of sent mail: what its sender keeps with it. */
  metadata?: Readonly<Record<string, string>>;
  /** null until the body is parsed. The row does not have the excerpt: see `threadRows`. */
  parsed: {
    snippet: string;
    attachmentIds: string[];
    /** null if the row has no room for them. Then the body is parsed. */
    attachments: AttachmentNote[] | null;
    excerpt?: string;
  } | null;
}

/** Whether this service received it: it was neither sent nor imported. */
export function hasArrived({ direction, importId }: Pick<EmailRow, "direction" | "importId">) {
  return direction === "inbound" && importId === undefined;
}

const version = 3;

const outbound = 1, read = 2, automated = 4;

/**
 * The fields of a row by position. A new field is optional and the last: older rows lack it, and `readRow` gives them
 * its default. Another change makes a new version, with a step in `domain/store/migrations.ts`. With its key the text of
 * a usual row is below 1,000 bytes: a larger one takes a whole SQLite page of 4 KiB.
 */
type Fields = [
  version: typeof version,
  messageId: string,
  threadId: string,
  mailboxId: string,
  flags: number,
  /** Addresses and names in turn, here and in `to` and `cc`. */
  from: string[],
  to: string[],
  cc: string[],
  subject: string,
  date: number,
  receivedAt: number,
  size: number,
  parsed:
    | [snippet: string, attachmentIds: string[], attachments?: (string | number | null)[]]
    | null,
  labels?: string[] | null,
  auth?: StoredAuth | null,
  importId?: string | null,
  metadata?: Readonly<Record<string, string>> | null,
  /** An address of To and Cc is its place among them. */
  envelopeTo?: (string | number)[] | null,
];

export type StoredRow = Packed<Fields>;

/** The stored form of an email, or of a row that was read. */
export function storedRow(email: Omit<EmailRow, "emailId">): StoredRow {
  const { parsed, labels, auth, importId, metadata } = email;
  const envelopeTo = storedEnvelope(email);
  const fields: Fields = [
    version,
    email.messageId,
    email.threadId,
    email.mailboxId,
    (email.direction === "outbound" ? outbound : 0) | (email.isRead ? read : 0) |
    (email.automated ? automated : 0),
    flat([email.from]),
    flat(email.to),
    flat(email.cc),
    email.subject,
    email.date,
    email.receivedAt,
    email.size,
    parsed && storedParsed(parsed, metadata ?? envelopeTo),
  ];
  const last = [
    labels.length > 0 ? labels : null,
    auth ? storedAuth(auth, email.from) : null,
    importId ?? null,
    metadata ?? null,
    envelopeTo,
  ];
  // Many rows have none of the last: they end with the last that is there.
  while (last.at(-1) === null) last.pop();
  return packed([...fields, ...last] as Fields);
}

/** The row of an email as it was stored. Throws for a version that this code does not know, and for a damaged row. */
export function readRow(emailId: string, stored: StoredRow): EmailRow {
  const fields = unpacked<Fields>(stored);
  if (fields[0] !== version) throw new Error(`an email row of version ${fields[0]}`);
  if (!isWhole(fields)) throw new Error("a damaged email row");
  const parsed = fields[12];
  const flags = fields[4];
  const isOutbound = (flags & outbound) !== 0;
  const from = pairs(fields[5])[0], to = pairs(fields[6]), cc = pairs(fields[7]);
  const envelopeTo = fields[17]?.map((each) =>
    typeof each === "number" ? [...to, ...cc][each].address : each
  );
  return {
    emailId,
    messageId: fields[1],
    threadId: fields[2],
    mailboxId: fields[3],
    direction: isOutbound ? "outbound" : "inbound",
    isRead: (flags & read) !== 0,
    labels: fields[13] ?? [],
    automated: (flags & automated) !== 0,
    auth: fields[14] ? readAuth(fields[14], from) : null,
    from,
    to,
    cc,
    subject: fields[8],
    date: fields[9],
    receivedAt: fields[10],
    ...fields[15] && { importId: fields[15] },
    size: fields[11],
    ...fields[16] && { metadata: fields[16] },
    ...envelopeTo && { envelopeTo },
    parsed: parsed && {
      snippet: parsed[0],
      attachmentIds: parsed[1],
      attachments: attachmentsOf(parsed[1], parsed[2]),
    },
  };
}

function storedEnvelope({ envelopeTo, to, cc }: Omit<EmailRow, "emailId">) {
  if (!envelopeTo) return null;
  const places = new Map([...to, ...cc].map(({ address }, n) => [address, n]));
  return envelopeTo.map((each) => places.get(each) ?? each);
}

/** Whether the fields that readers compute with have their types. */
function isWhole(fields: Fields): boolean {
  return typeof fields[1] === "string" && typeof fields[2] === "string" &&
    typeof fields[3] === "string" && typeof fields[4] === "number" &&
    typeof fields[5]?.[0] === "string" && typeof fields[8] === "string" &&
    isTime(fields[9]) && isTime(fields[10]) && typeof fields[11] === "number";
}

/** The farthest time of ECMAScript. */
const maxTimeMs = 8.64e15;

function isTime(ms: unknown): boolean {
  return typeof ms === "number" && Math.abs(ms) <= maxTimeMs;
}

/**
 * The most bytes of attachments in a row: 300 usual ones. The other fields, as `fitted` leaves them, take 40 of the 64
 * KiB of a value.
 */
const maxAttachmentBytes = 16_000;
/** Bytes of an attachment besides its texts. */
const attachmentOverheadBytes = 20;

function storedParsed(
  { snippet, attachmentIds, attachments }: NonNullable<EmailRow["parsed"]>,
  beside: EmailRow["metadata"] | (string | number)[] | null,
): NonNullable<Fields[12]> {
  if (attachmentIds.length === 0 || attachments === null) return [snippet, attachmentIds];
  // Metadata, of at most 22 kB, takes the place of attachments; so do the recipients of the envelope, of at most 16 kB.
  let bytes = beside ? 2 * JSON.stringify(beside).length : 0;
  for (const { filename, contentType } of attachments) {
    bytes += attachmentOverheadBytes + 2 * (filename?.length ?? 0) + contentType.length;
    if (bytes > maxAttachmentBytes) return [snippet, attachmentIds];
  }
  const about = attachments.flatMap(({ filename, contentType, size }) => [
    filename,
    contentType,
    size,
  ]);
  return [snippet, attachmentIds, about];
}

function attachmentsOf(
  ids: readonly string[],
  about: readonly (string | number | null)[] | undefined,
): AttachmentNote[] | null {
  if (ids.length > 0 && about === undefined) return null;
  return ids.map((attachmentId, n) => {
    const [filename, contentType, size] = about!.slice(3 * n, 3 * n + 3);
    return { attachmentId, filename, contentType, size } as AttachmentNote;
  });
}
