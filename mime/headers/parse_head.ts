import { addressParser } from "postal-mime";
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
import { headRange } from "../body/line_ends.ts";
import { firstEntries, withoutNestedGroups } from "./address_groups.ts";
import { parseStructuredField } from "./structured_field.ts";
import { cutText } from "./cut_text.ts";
import {
  maxAddressChars,
  maxAddresses,
  maxNameChars,
  maxReferences,
  maxReferencesChars,
  maxSubjectChars,
} from "./limits.ts";

/** An addr-spec and the decoded display name, either of them possibly empty. */
export interface MailAddress {
  address: string;
  name: string;
}

/** What the header block of a message says, capped as DECISIONS.md, section 5, asks. */
export interface MessageHead {
  /** Header form `<id>`, normalised as in {@link messageIds}; null where there is none. */
  messageId: string | null;
  inReplyTo: string[];
  /** Unique, in document order, at most {@link maxReferences}: the first and the newest. */
  references: string[];
  /** Decoded, one line, at most {@link maxSubjectChars} characters. */
  subject: string;
  from: MailAddress | null;
  sender: MailAddress | null;
  replyTo: MailAddress[];
  /** Groups are flattened (RFC 5322, section 3.4); members without an address are left out. */
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  /** The Date field in milliseconds since 1970, null where it does not parse. */
  dateMs: number | null;
  /** Auto-Submitted (RFC 3834), Precedence and List-Id (RFC 2919) as they stand, 200 characters. */
  autoSubmitted: string | null;
  precedence: string | null;
  listId: string | null;
  /** Media type of the whole message in lower case, `text/plain` where it says none. */
  contentType: string;
  /** True where a cap left something out. */
  truncated: boolean;
}

/** Of a list of more entries than 200 addresses may be: each takes 2 µs, and 32 KiB of colons were 16,000. */
const maxEntries = 1_000;
/** Of a field of which 200 characters are shown. */
const maxNoteChars = 4_000;

/**
 * Enough of a subject for 1,000 characters each in an encoded word of its own; decoding it takes 3 ms.
 * A References field is searched for ids, never decoded whole: a megabyte of it costs 20 ms.
 */
const headLimits: HeaderLimits = {
  ...messageHeaderLimits,
  longer: new Map([["subject", 32 * 1024], ["references", 1024 * 1024]]),
};

const wantedFields = new Set([
  "from",
  "sender",
  "reply-to",
  "to",
  "cc",
  "bcc",
  "subject",
  "message-id",
  "in-reply-to",
  "references",
  "date",
  "auto-submitted",
  "precedence",
  "list-id",
  "content-type",
]);

/**
 * Reads the header block of a message and nothing of its body, for the path of the acknowledgement.
 * Of fields that may stand only once the first counts; To, Cc, Bcc and Reply-To are added up.
 * Never throws, whatever the bytes; a field that cannot be read is as if it were not there.
 */
export function parseHead(raw: Uint8Array): MessageHead {
  const { bytes, start, end } = headRange(raw, headLimits.scanBytes);
  const header = readHeader(bytes, start, end, wantedFields, headLimits);
  const { fields } = header;
  const type = firstField(fields, "content-type");
  const contentType = parseStructuredField(type ? fieldText(type) : "");
  const charset = contentType.params.get("charset") ?? null;
  const text = (name: string): string | null => {
    const field = firstField(fields, name);
    return field && fieldText(field, charset);
  };
  const note = (name: string): string | null => {
    const value = text(name);
    return value ? cutText(decodeHeaderText(cutText(value, maxNoteChars)), 200) : null;
  };
  const list = (name: string) => addressList(fields.filter((f) => f.name === name), charset);

  const subject = decodeHeaderText(text("subject") ?? "");
  const references = capReferences(messageIds(text("references")));
  const [to, cc, bcc, replyTo] = ["to", "cc", "bcc", "reply-to"].map(list);
  return {
    messageId: messageIds(text("message-id"))[0] ?? null,
    inReplyTo: idsOfReply(text("in-reply-to")).slice(0, 20),
    references: references.kept,
    subject: cutText(subject, maxSubjectChars),
    from: oneAddress(firstField(fields, "from"), charset),
    sender: oneAddress(firstField(fields, "sender"), charset),
    replyTo: replyTo.kept,
    to: to.kept,
    cc: cc.kept,
    bcc: bcc.kept,
    dateMs: parseDate(text("date")),
    autoSubmitted: note("auto-submitted"),
    precedence: note("precedence"),
    listId: note("list-id"),
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(contentType.value)
      ? cutText(contentType.value, 100)
      : "text/plain",
    truncated: header.truncated || subject.length > maxSubjectChars || references.cut ||
      [to, cc, bcc, replyTo].some((addresses) => addresses.cut),
  };
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
    const bare = oneLine(address ?? "");
    if (bare.length > maxAddressChars) return [];
    return [{ address: bare, name: cutText(oneLine(name), maxNameChars) }];
  });
  return { addresses, cut: front.length < flat.length };
}

/**
 * The ids of a References field that fit, in their order. The first names the thread and the newest the parent: those
 * in between are dropped first. The first is kept whatever `maxChars` is.
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
