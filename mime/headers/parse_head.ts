import { addressParser } from "postal-mime";
import { isDeliveryReport } from "../body/delivery_report.ts";
import { automaticFields, automaticMarks, type HeaderValues, isAutomatic } from "./automatic.ts";
import { decodeHeaderText, foreignWords, oneLine } from "./encoded_words.ts";
import {
  fieldText,
  firstField,
  type HeaderField,
  type HeaderLimits,
  messageHeaderLimits,
  readHeader,
} from "./header_fields.ts";
import { parseDate } from "./date_field.ts";
import { idsOfReply, messageIds } from "./message_ids.ts";
import { headRange } from "./header_range.ts";
import { firstEntries, withoutNestedGroups } from "./address_groups.ts";
import { parseStructuredField } from "./structured_field.ts";
import { cutText } from "../text/cut_text.ts";
import {
  maxAddressChars,
  maxAddresses,
  maxNameChars,
  maxReferences,
  maxReferencesChars,
  maxSubjectChars,
} from "./limits.ts";

/** An addr-spec and the decoded display name; either may be empty. */
export interface MailAddress {
  address: string;
  name: string;
}

/** The header block of a message, with the limits of docs/specification.md "Record". */
export interface MessageHead {
  /** `<id>`, normalised as in {@link messageIds}; null if absent. */
  messageId: string | null;
  inReplyTo: string[];
  /** Unique, in document order, at most {@link maxReferences}: the first and the newest. */
  references: string[];
  /** Decoded, one line, at most {@link maxSubjectChars} characters. */
  subject: string;
  from: MailAddress | null;
  /** The addresses of every From field: RFC 5322, section 3.6.2 allows several authors. At most {@link maxAddresses}. */
  authors: string[];
  /** `authors` lacks some. */
  authorsCut: boolean;
  replyTo: MailAddress[];
  /** Groups (RFC 5322, section 3.4) are flattened; members without an address are left out. */
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  /** The Date field in milliseconds since 1970; null if it does not parse. */
  dateMs: number | null;
  /** A mail host reports whether a message could be delivered (RFC 3464). */
  isDeliveryReport: boolean;
  /** The header says that a program wrote the message or sent it to many; the envelope can say so too. */
  isAutomatic: boolean;
  /** True if a limit left something out. */
  truncated: boolean;
}

/** Entries of a list that are parsed. Each takes 2 µs, and 32 KiB of colons had 16,000. */
const maxEntries = 1_000;

/**
 * A subject of 1,000 characters fits, even if each is a separate encoded word; decoding it takes 3 ms. A References
 * field is searched for ids, never decoded whole: 1 MiB takes 20 ms.
 */
const headLimits: HeaderLimits = {
  ...messageHeaderLimits,
  longer: new Map([["subject", 32 * 1024], ["references", 1024 * 1024]]),
};

const wantedFields = new Set([
  "from",
  "reply-to",
  "to",
  "cc",
  "bcc",
  "subject",
  "message-id",
  "in-reply-to",
  "references",
  "date",
  "content-type",
  ...automaticFields,
]);

/**
 * Reads the header block of a message, and nothing of its body: this runs before an arrival is acknowledged. Of
 * duplicate fields the first counts; To, Cc, Bcc and Reply-To are joined. Never throws; a field that cannot be read
 * counts as absent.
 */
export function parseHead(raw: Uint8Array): MessageHead {
  const { bytes, start, end } = headRange(raw, headLimits.scanBytes);
  const header = readHeader(bytes, start, end, wantedFields, headLimits);
  const { fields } = header;
  const type = firstField(fields, "content-type");
  const contentType = type ? fieldText(type) : "";
  const charset = parseStructuredField(contentType).params.get("charset") ?? null;
  const text = (name: string): string | null => {
    const field = firstField(fields, name);
    return field && fieldText(field, charset);
  };
  const list = (name: string) => addressList(fields.filter((f) => f.name === name), charset);

  const subject = decodeHeaderText(text("subject") ?? "");
  const references = capReferences(messageIds(text("references")));
  const [authors, to, cc, bcc, replyTo] = ["from", "to", "cc", "bcc", "reply-to"].map(list);
  return {
    messageId: messageIds(text("message-id"))[0] ?? null,
    inReplyTo: idsOfReply(text("in-reply-to")).slice(0, 20),
    references: references.kept,
    subject: cutText(subject, maxSubjectChars),
    from: oneAddress(firstField(fields, "from"), charset),
    authors: authors.kept.map(({ address }) => address),
    authorsCut: authors.cut,
    replyTo: replyTo.kept,
    to: to.kept,
    cc: cc.kept,
    bcc: bcc.kept,
    dateMs: parseDate(text("date")),
    isDeliveryReport: isDeliveryReport(contentType),
    isAutomatic: isAutomatic(automaticMarks(valuesOf(fields), unknownPath)),
    truncated: header.truncated || subject.length > maxSubjectChars || references.cut ||
      [to, cc, bcc, replyTo].some((addresses) => addresses.cut),
  };
}

/** Every address of every From field: RFC 5322, section 3.6.2 allows several authors in one field. Never throws. */
export function parseAuthors(raw: Uint8Array): MailAddress[] {
  const { bytes, start, end } = headRange(raw, headLimits.scanBytes);
  const { fields } = readHeader(bytes, start, end, new Set(["from"]), headLimits);
  return addressList(fields, null).kept;
}

/** Only the header counts: a `Return-Path` that the sender wrote proves nothing. */
const unknownPath = "?";

function valuesOf(fields: readonly HeaderField[]): HeaderValues {
  return (name) => fields.filter((field) => field.name === name).map((field) => fieldText(field));
}

function oneAddress(field: HeaderField | null, charset: string | null): MailAddress | null {
  if (field === null) return null;
  const { addresses } = parseAddresses(fieldText(field, charset));
  const first = addresses.find(({ address }) => address !== "") ?? addresses[0];
  return first && (first.address !== "" || first.name !== "") ? first : null;
}

function addressList(fields: readonly HeaderField[], charset: string | null) {
  const kept: MailAddress[] = [];
  let cut = fields.some((field) => field.cut);
  for (const field of fields) {
    const found = parseAddresses(fieldText(field, charset));
    cut ||= found.cut;
    for (const { address, name } of found.addresses) {
      if (address === "") continue;
      if (kept.length >= maxAddresses) return { kept, cut: true };
      kept.push({ address, name });
    }
  }
  return { kept, cut };
}

function parseAddresses(text: string): { addresses: MailAddress[]; cut: boolean } {
  const flat = withoutNestedGroups(text.includes("=?") ? foreignWords(text) : text);
  const front = firstEntries(flat, maxEntries);
  const addresses = addressParser(front, { flatten: true }).flatMap(({ address, name }) => {
    const bare = addrSpec(oneLine(address ?? ""));
    if (bare.length > maxAddressChars) return [];
    return [{ address: bare, name: cutText(oneLine(name), maxNameChars) }];
  });
  return { addresses, cut: front.length < flat.length };
}

/** An address without comments, blanks around its signs and a route (RFC 5322, section 4.4), which old mail may have. */
function addrSpec(text: string): string {
  if (!/[( :]/.test(text)) return text;
  const bare = text.replace(/\([^()]*\)/g, "").replace(/\s+/g, " ");
  return bare.replace(/ ?([@.]) ?/g, "$1").replace(/^@[^:]*:/, "").trim();
}

/**
 * The ids of a References field that fit, in their order. The first names the thread and the last the parent, so ids
 * between them are dropped first. The first is kept whatever `maxChars` is.
 */
export function capReferences(
  ids: readonly string[],
  maxChars = maxReferencesChars,
): { kept: string[]; cut: boolean } {
  const kept = ids.slice(0, 1);
  let chars = kept.join("").length;
  const newest: string[] = [];
  for (const id of ids.slice(1).reverse()) {
    if (kept.length + newest.length >= maxReferences) break;
    if (chars + id.length > maxChars) break;
    chars += id.length;
    newest.push(id);
  }
  kept.push(...newest.reverse());
  return { kept, cut: kept.length < ids.length };
}
