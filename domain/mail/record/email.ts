import { isReadApart, textKindOf } from "../../../mime/body/attachment_kinds.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { cutText } from "../../../mime/text/cut_text.ts";
import {
  maxAddressChars,
  maxNameChars,
  maxReferencesChars,
  maxSubjectChars,
} from "../../../mime/headers/limits.ts";
import { capReferences } from "../../../mime/headers/parse_head.ts";
import type { BlobRef } from "../../core/blob_ref.ts";
import type { Address, AttachmentNote, EmailRow } from "./email_row.ts";
import type { SendStatus } from "./outgoing.ts";

/**
 * One email of one mailbox, as stored under its account. Bodies are not stored parsed: a read parses the raw bytes
 * (`readBody`). `fitted` keeps it below the 64 KiB of a value.
 */
export interface Email extends Omit<EmailRow, "parsed"> {
  userId: string;
  inReplyTo: string[];
  references: string[];
  replyTo: Address[];
  bcc: Address[];
  raw: BlobRef;
  /** `to`: of received mail, `envelopeTo`. */
  envelope: { from: string; to: string[] };
  truncated: boolean;
  /** null until a job has parsed the body: large emails only, small ones are parsed before their commit. */
  parsed:
    | {
      snippet: string;
      attachmentIds: string[];
      /** null: see `EmailRow`. */
      attachments: AttachmentNote[] | null;
      problem: string | null;
    }
    | null;
  /** Outbound only. */
  status?: SendStatus;
}

export function bare(addresses: readonly Address[]): string[] {
  return addresses.map((each) => each.address);
}

/** A line holds 998 characters (RFC 5322, section 2.1.1). */
const maxMessageIdChars = 998;
/**
 * Bytes of the addresses of each field: 200 ordinary ones with names fit. All fields, references, subject, excerpt and 500
 * attachment ids together stay below the 64 KiB of a value. The parser has limits of its own, in characters, for the work
 * of one arrival; these hold for sent mail too.
 */
const maxAddressBytes = { from: 1_000, to: 16_000, cc: 16_000, replyTo: 3_000, bcc: 3_000 };
/** Bytes of an address and a name besides their text. */
const addressOverheadBytes = 30;

/**
 * The email with its fields cut so that it fits into a row; `truncated` is true if any was cut. The raw bytes stay
 * complete.
 */
export function fitted(email: Email): Email {
  let cut = email.truncated;
  const text = (value: string, max: number) =>
    value.length <= max ? value : (cut = true, cutText(value, max));
  const addresses = (list: Address[], maxBytes: number) => {
    const kept: Address[] = [];
    let left = maxBytes;
    for (const each of list) {
      const address = text(each.address, maxAddressChars);
      const name = text(each.name, maxNameChars);
      left -= bytesOf(address) + addressOverheadBytes;
      if (left < 0) {
        cut = true;
        break;
      }
      // The name is dropped before the address.
      const fits = left >= bytesOf(name);
      if (fits) left -= bytesOf(name);
      else cut = true;
      kept.push({ address, name: fits ? name : "" });
    }
    return kept;
  };
  const parents = capReferences(email.inReplyTo);
  const references = capReferences(
    email.references,
    maxReferencesChars - parents.kept.join("").length,
  );
  cut ||= parents.cut || references.cut;
  const fit: Email = {
    ...email,
    messageId: text(email.messageId, maxMessageIdChars),
    from: addresses([email.from], maxAddressBytes.from)[0] ?? { address: "", name: "" },
    replyTo: addresses(email.replyTo, maxAddressBytes.replyTo),
    to: addresses(email.to, maxAddressBytes.to),
    cc: addresses(email.cc, maxAddressBytes.cc),
    bcc: addresses(email.bcc, maxAddressBytes.bcc),
    subject: text(email.subject, maxSubjectChars),
    inReplyTo: parents.kept,
    references: references.kept,
  };
  return { ...fit, truncated: cut };
}

/** Bytes of the recipients of an envelope: a hundred of the 256 that RFC 5321 4.5.3.1.3 allows would be too much. */
const maxEnvelopeBytes = 16_000;

/** The recipients of an envelope as far as they fit into a row, at least one. */
export function fittedRecipients(recipients: readonly string[]): string[] {
  let left = maxEnvelopeBytes;
  return recipients.map((each) => each.slice(0, 512)).filter((each, n) =>
    (left -= bytesOf(each) + 5) >= 0 || n === 0
  );
}

/** The bytes of a text in the database: one a character, or two if any is beyond Latin-1. */
function bytesOf(text: string): number {
  // deno-lint-ignore no-control-regex -- the range is the point
  return /^[\x00-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

/** The fields of a parsed body that the record keeps. */
export function parsedFields(body: MessageBody): NonNullable<Email["parsed"]> {
  return {
    snippet: body.snippet,
    attachmentIds: body.attachments.map((each) => each.attachmentId),
    attachments: body.attachments.map(({ attachmentId, filename, contentType, size }) => ({
      attachmentId,
      filename,
      contentType,
      size,
    })),
    problem: body.problem,
  };
}

/** Whether an email has files whose text a separate job indexes. */
export function hasFilesToIndex({ parsed }: Pick<Email, "parsed">): boolean {
  return (parsed?.attachments ?? []).some((each) => isReadApart(textKindOf(each)));
}
