import { createHash } from "node:crypto";
import type { MailAddress } from "../../../mime/headers/address_list.ts";

/** Recipients and texts of a message, without its attachments. */
export interface MessageContent {
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  bcc: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  subject: string;
  text?: string;
  html?: string;
  /** Fields beyond those that the service writes: names and values, in order. */
  headers?: Readonly<Record<string, string>>;
}

/** The input of the hash. */
export interface HashedContent extends MessageContent {
  from: MailAddress;
  /** `sha256` of the bytes, in hex. */
  attachments: readonly {
    filename: string;
    contentType: string;
    contentId?: string;
    sha256: string;
  }[];
  /** Of a message that goes out as it came: then this and `from` are all that is hashed. */
  written?: { sha256: string; recipients: readonly string[] };
}

/**
 * SHA-256 in hex of the content in the form that docs/sending.md "The content hash" describes: a JSON array of from, to,
 * cc, bcc, reply_to, subject, text, HTML, attachments and, if there are any, headers. Dates, ids and threading are not part of it, so that the same
 * content has the same hash as draft, dry run and send.
 */
export function contentHash(content: HashedContent): string {
  const person = ({ name, address }: MailAddress) => [name ?? "", address];
  const { text, html, attachments, headers = {}, written } = content;
  if (written) {
    const { recipients, sha256 } = written;
    return sha256Of(JSON.stringify([person(content.from), recipients, sha256]));
  }
  return sha256Of(JSON.stringify([
    person(content.from),
    content.to.map(person),
    content.cc.map(person),
    content.bcc.map(person),
    content.replyTo.map(person),
    content.subject,
    text ?? null,
    html ?? null,
    attachments.map(({ filename, contentType, sha256, contentId }) => [
      ...[filename, contentType, sha256],
      ...contentId ? [contentId] : [],
    ]),
    // Content without them has the hash that it had before there were any.
    ...Object.keys(headers).length > 0 ? [Object.entries(headers)] : [],
  ]));
}

/** In hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
