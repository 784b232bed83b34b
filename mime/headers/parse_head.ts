import { addressParser } from "postal-mime";
import { isDeliveryReport } from "../body/delivery_report.ts";
import { automaticFields, automaticMarks, isAutomatic } from "./automatic.ts";
import { decodeHeaderText, foreignWords, oneLine } from "./encoded_words.ts";
import {
  fieldText,
  firstField,
  type HeaderField,
  type HeaderLimits,
  headerValues,
  messageHeaderLimits,
  readHeader,
} from "./header_fields.ts";
import { FieldNames } from "./field_names.ts";
import { parseDate } from "./date_field.ts";
import { idsOfReply, messageIds } from "./message_ids.ts";
import { headRange } from "./header_range.ts";
import { firstEntries, withoutNestedGroups } from "./address_groups.ts";
import { plainAddresses } from "./plain_addresses.ts";
import { markLocals, unmarkLocal, unmarkName } from "./quoted_locals.ts";
import { parseStructuredField } from "./structured_field.ts";
import { charsetOfTexts } from "../text/charset.ts";
import { marked } from "../text/unseen_characters.ts";
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

/** The header block of a message, with the limits of docs/specification.md "Email". */
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
  /** By the header a program wrote the message or sent it to many; the envelope can show it too. */
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

const wantedFields = new FieldNames([
  ...["from", "reply-to", "to", "cc", "bcc", "subject", "date"],
  ...["message-id", "in-reply-to", "references"],
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
  const charset = charsetOfTexts(
    fields.map(({ bytes }) => bytes),
    parseStructuredField(contentType).params.get("charset") ?? null,
  );
  const text = (name: string): string | null => {
    const field = firstField(fields, name);
    return field && fieldText(field, charset);
  };

  const subject = marked(decodeHeaderText(text("subject") ?? ""));
  const references = capReferences(messageIds(text("references")));
  const entries = (name: string) => addressFields(fields, name, charset);
  const fromFields = entries("from");
  const authors = addressList(fromFields);
  const to = addressList(entries("to"));
  const cc = addressList(entries("cc"));
  const bcc = addressList(entries("bcc"));
  const replyTo = addressList(entries("reply-to"));
  return {
    messageId: messageIds(text("message-id"))[0] ?? null,
    inReplyTo: idsOfReply(text("in-reply-to")).slice(0, 20),
    references: references.kept,
    subject: cutText(subject, maxSubjectChars),
    from: fromFields.length === 0 ? null : oneAddress(fromFields[0]),
    authors: authors.kept.map(({ address }) => address),
    authorsCut: authors.cut,
    replyTo: replyTo.kept,
    to: to.kept,
    cc: cc.kept,
    bcc: bcc.kept,
    dateMs: parseDate(text("date")),
    isDeliveryReport: isDeliveryReport(contentType),
    isAutomatic: isAutomatic(automaticMarks(headerValues(fields), unknownPath)),
    truncated: header.truncated || subject.length > maxSubjectChars || references.cut ||
      to.cut || cc.cut || bcc.cut || replyTo.cut,
  };
}

/** Every address of every From field: RFC 5322, section 3.6.2 allows several authors in one field. Never throws. */
export function parseAuthors(raw: Uint8Array): MailAddress[] {
  const { bytes, start, end } = headRange(raw, headLimits.scanBytes);
  const { fields } = readHeader(bytes, start, end, fromField, headLimits);
  return addressList(addressFields(fields, "from", null)).kept;
}

const fromField = new FieldNames(["from"]);

/**
 * The addresses of all fields with these names, at most {@link maxAddresses}. `cut`: there are more, or a field could not be
 * read whole. Never throws.
 */
export function parseFieldAddresses(
  raw: Uint8Array,
  names: readonly string[],
): { kept: MailAddress[]; cut: boolean } {
  const { bytes, start, end } = headRange(raw, headLimits.scanBytes);
  const { fields, truncated } = readHeader(bytes, start, end, new FieldNames(names), headLimits);
  const lists = names.flatMap((name) => addressFields(fields, name, null));
  const { kept, cut } = addressList(lists);
  return { kept, cut: cut || truncated };
}

/** Only the header counts: a `Return-Path` that the sender wrote proves nothing. */
const unknownPath = "?";

/** The entries of an address field; `cut`: it has more. */
interface AddressEntries {
  addresses: readonly MailAddress[];
  cut: boolean;
}

function addressFields(
  fields: readonly HeaderField[],
  name: string,
  charset: string | null,
): AddressEntries[] {
  const found: AddressEntries[] = [];
  for (const field of fields) {
    if (field.name !== name) continue;
    const { addresses, cut } = parseAddresses(fieldText(field, charset));
    found.push({ addresses, cut: cut || field.cut });
  }
  return found;
}

function oneAddress({ addresses }: AddressEntries): MailAddress | null {
  const first = addresses.find(({ address }) => address !== "") ?? addresses[0];
  return first && (first.address !== "" || first.name !== "") ? first : null;
}

function addressList(fields: readonly AddressEntries[]) {
  const kept: MailAddress[] = [];
  let cut = false;
  for (const field of fields) {
    cut ||= field.cut;
    for (const entry of field.addresses) {
      if (entry.address === "") continue;
      if (kept.length >= maxAddresses) return { kept, cut: true };
      kept.push(entry);
    }
  }
  return { kept, cut };
}

function parseAddresses(text: string): AddressEntries {
  const hasWords = text.includes("=?");
  const plain = hasWords ? null : plainAddresses(text);
  if (plain !== null) return { addresses: withinLimits(plain), cut: false };
  const flat = withoutNestedGroups(hasWords ? foreignWords(text) : text);
  const front = firstEntries(flat, maxEntries);
  const list = markLocals(front);
  const addresses = addressParser(list.text, { flatten: true }).map(({ address, name }) => ({
    address: unmarkLocal(addrSpec(oneLine(address ?? "")), list.locals),
    name: unmarkName(oneLine(name), list.locals),
  }));
  return { addresses: withinLimits(addresses), cut: front.length < flat.length };
}

function withinLimits(addresses: readonly MailAddress[]): MailAddress[] {
  const kept: MailAddress[] = [];
  for (const { address, name } of addresses) {
    if (address.length <= maxAddressChars) {
      kept.push({ address: marked(address), name: cutText(marked(name), maxNameChars) });
    }
  }
  return kept;
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
