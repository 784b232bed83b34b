import type { BlobRef } from "../../core/blob_ref.ts";
import type { Email } from "./email.ts";
import type { Address, EmailRow } from "./email_row.ts";
import { flat, type Packed, packed, pairs, unpacked } from "./row_text.ts";

const version = 2;

/** The fields by position of what no list shows; only those of sent mail change. */
type Fields = [
  version: typeof version,
  /** "" if the blob has the id of the email. */
  blobId: string,
  chunks: number,
  sha256: string,
  inReplyTo: string[],
  references: string[],
  replyTo: string[],
  bcc: string[],
  envelopeFrom: string,
  envelopeTo: string[],
  truncated: 0 | 1,
  problem: string | null,
  status: Email["status"] | null,
];

export type StoredDetails = Packed<Fields>;

export function storedDetails(email: Email): StoredDetails {
  const { raw, envelope } = email;
  return packed<Fields>([
    version,
    raw.blobId === email.emailId ? "" : raw.blobId,
    raw.chunks,
    raw.sha256,
    email.inReplyTo,
    email.references,
    flat(email.replyTo),
    flat(email.bcc),
    envelope.from,
    // Of received mail they are in the row, which lists read.
    email.envelopeTo ? [] : envelope.to,
    email.truncated ? 1 : 0,
    email.parsed?.problem ?? null,
    email.status ?? null,
  ]);
}

/** The bytes of an email, which has `size` of them. Throws for details of a version that this code does not know. */
export function rawOf(emailId: string, size: number, stored: StoredDetails): BlobRef {
  return rawOfFields(emailId, size, fieldsOf(stored));
}

function rawOfFields(emailId: string, size: number, fields: Fields): BlobRef {
  return { blobId: fields[1] || emailId, size, chunks: fields[2], sha256: fields[3] };
}

function fieldsOf(stored: StoredDetails): Fields {
  const fields = unpacked<Fields>(stored);
  if (fields[0] !== version) throw new Error(`email details of version ${fields[0]}`);
  return fields;
}

/** The whole email. Throws for details of a version that this code does not know. */
export function withDetails(userId: string, row: EmailRow, stored: StoredDetails): Email {
  const fields = fieldsOf(stored);
  const { emailId, size, parsed, ...shown } = row;
  const people = (n: 6 | 7): Address[] => pairs(fields[n]);
  const status = fields[12];
  const isSent = row.direction === "outbound";
  const envelopeTo = row.envelopeTo ?? (isSent ? undefined : fields[9]);
  return {
    ...shown,
    emailId,
    userId,
    size,
    raw: rawOfFields(emailId, size, fields),
    inReplyTo: fields[4],
    references: fields[5],
    replyTo: people(6),
    bcc: people(7),
    envelope: { from: fields[8], to: envelopeTo ?? fields[9] },
    ...envelopeTo && { envelopeTo },
    truncated: fields[10] === 1,
    parsed: parsed && { ...parsed, problem: fields[11] },
    ...(status ? { status } : {}),
  };
}
