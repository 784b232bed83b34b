import type { BlobRef } from "../../store/blobs.ts";
import { cutText } from "../../../mime/headers/cut_text.ts";
import {
  maxAddressChars,
  maxNameChars,
  maxReferencesChars,
  maxSubjectChars,
} from "../../../mime/headers/limits.ts";
import { capReferences } from "../../../mime/headers/parse_head.ts";

/** An addr-spec and what was shown beside it; `name` is "" where there was none. */
export interface Address {
  address: string;
  name: string;
}

/**
 * One email of one mailbox, as stored under its owner. Bodies are not stored parsed: the raw bytes are the
 * truth, and a read parses them (domain/mail/body.ts). At most 16 KiB (`fitted`).
 */
export interface Email {
  emailId: string;
  userId: string;
  mailboxId: string;
  /** As given at arrival; a merge of threads may have made it an alias (threads.ts). */
  threadId: string;
  direction: "inbound" | "outbound";
  /** Header form, `<left@right>`; where the message had none, one made of its email id. */
  messageId: string;
  inReplyTo: string[];
  references: string[];
  from: Address;
  replyTo: Address[];
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  /** The Date header where it parses, else the time of arrival; ms since 1970. */
  date: number;
  receivedAt: number;
  size: number;
  raw: BlobRef;
  envelope: { from: string; to: string[] };
  truncated: boolean;
  /** null until the body has been read by the job; the list shows what is here. */
  parsed:
    | { snippet: string; excerpt: string; attachmentIds: string[]; problem: string | null }
    | null;
  /** Outbound only. */
  status?: "queued" | "sent" | "failed";
}

export function bare(addresses: readonly Address[]): string[] {
  return addresses.map((each) => each.address);
}

/** A line holds 998 characters (RFC 5322, section 2.1.1). */
const maxMessageIdChars = 998;
/**
 * Bytes that the addresses of each field may take: 200 ordinary ones with names fit. All fields, references,
 * subject, excerpt and 500 attachment ids together stay below the 64 KiB that a value holds.
 */
const maxAddressBytes = { from: 1_000, to: 16_000, cc: 16_000, replyTo: 3_000, bcc: 3_000 };
/** What the pair of an address and a name takes besides their letters. */
const addressOverheadBytes = 30;

/** Cuts what a sender may have made too long for a row; says so in `truncated`. The raw bytes stay whole. */
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
      // A name is worth less than an address: it goes first.
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

/** As the database keeps text: a byte a character, or two where any is beyond Latin-1. */
function bytesOf(text: string): number {
  // deno-lint-ignore no-control-regex -- the range is the point
  return /^[\x00-\xff]*$/.test(text) ? text.length : 2 * text.length;
}
