import { withoutUnseen } from "../text/unseen_characters.ts";
import { cutText } from "../text/cut_text.ts";
import { decodeHeaderText } from "../headers/encoded_words.ts";
import { wholeHeader } from "../headers/header_range.ts";
import { FieldNames } from "../headers/field_names.ts";
import { headNames, type MailHead, mailHeadOf } from "../headers/mail_head.ts";
import { contentNames, type MimeLimits, type MimePart, mimeParts } from "./mime_parts.ts";
import { cmsContent } from "./signed_content.ts";
import { isTnef, messageOfTnef } from "./tnef/tnef_message.ts";
import { uuencodedFiles } from "./uuencoded_files.ts";
import { decodedPieces, decodeTransfer, isUnencoded } from "./transfer_encoding.ts";

/** Limits of a parsed message. */
export interface BodyLimits extends MimeLimits {
  /** Characters of text, and of HTML, that are kept. */
  maxTextChars: number;
  maxAttachments: number;
}

/** A message split into its parts, which are not decoded. */
export interface OpenMessage {
  head: MailHead;
  texts: MimePart[];
  /** Of a message in a file, for a message whose own texts say nothing. */
  furtherTexts: MimePart[];
  attached: MimePart[];
  /** It has its text in forms that are among neither, such as AMP. */
  hasOtherForms: boolean;
  /** True if a limit left something out. */
  truncated: boolean;
  content(part: MimePart, maxBytes?: number): Uint8Array;
  pieces(part: MimePart): Iterable<Uint8Array>;
}

/**
 * Splits a message. If it has no text but a file that is signed with S/MIME and holds its content (RFC 8551, section
 * 3.5.2), the parts of that content are parts of the message. So are the files in each `winmail.dat`. They stand before
 * the file from which they come.
 */
export function openMessage(raw: Uint8Array, limits: BodyLimits): OpenMessage {
  const outer = splitMessage(raw, limits);
  const attached: MimePart[] = [];
  const sources = new Map<MimePart, Uint8Array>();
  let { texts, truncated } = withoutWrittenFiles(
    outer,
    (part, bytes) => sources.set(part, bytes),
    attached,
  );
  let furtherTexts: MimePart[] = [];
  for (const file of outer.attached) {
    const inner = attached.length > limits.maxAttachments
      ? null
      : innerMessage(file, outer, limits);
    if (inner) {
      for (const part of [...inner.texts, ...inner.attached]) {
        part.section = `${file.section}.${part.section}`;
        sources.set(part, inner.bytes);
      }
      attached.push(...inner.attached);
      truncated ||= inner.truncated;
      if (texts.length === 0) texts = inner.texts;
      else if (furtherTexts.length === 0) furtherTexts = inner.texts;
    }
    attached.push(file);
  }
  const encoded = (part: MimePart) =>
    (sources.get(part) ?? outer.bytes).subarray(part.start, part.end);
  return {
    head: outer.head,
    texts,
    furtherTexts,
    attached: attached.slice(0, limits.maxAttachments),
    hasOtherForms: outer.hasOtherForms,
    truncated: truncated || attached.length > limits.maxAttachments,
    content: (part, maxBytes) => decodeTransfer(encoded(part), part.encoding, maxBytes),
    pieces: (part) => decodedPieces(encoded(part), part.encoding),
  };
}

/** The message with each uuencoded file in its plain texts as a part of its own. */
function withoutWrittenFiles(
  { bytes, texts, truncated }: SplitMessage,
  add: (part: MimePart, bytes: Uint8Array) => void,
  attached: MimePart[],
): { texts: MimePart[]; truncated: boolean } {
  const whole = (part: MimePart, content: Uint8Array): MimePart => {
    const made = { ...part, encoding: "", start: 0, end: content.length };
    add(made, content);
    return made;
  };
  const rest = texts.map((part) => {
    if (part.contentType !== "text/plain" || part.encoding.includes("base64")) return part;
    const encoded = bytes.subarray(part.start, part.end);
    if (!hasBegin(encoded)) return part;
    const text = decodeTransfer(encoded, part.encoding);
    const found = uuencodedFiles(text, part.params.get("charset") ?? null);
    if (found === null) return part;
    for (const [n, { name, encoded }] of found.files.entries()) {
      const file = whole({
        ...part,
        section: `${part.section}.${n + 1}`,
        contentType: "application/octet-stream",
        params: new Map([["name", name]]),
        disposition: { value: "attachment", params: new Map() },
        contentId: null,
      }, encoded);
      file.encoding = "x-uuencode";
      attached.push(file);
    }
    return whole(part, found.rest);
  });
  return { texts: rest, truncated };
}

/** Whether a text has this word before a number, which nearly none has. A search in the bytes takes seven times as long. */
function hasBegin(text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at += searchedBytes) {
    if (begin.test(utf8.decode(text.subarray(at, at + searchedBytes + overlap)))) return true;
  }
  return false;
}

const begin = /begin [0-7]/;
const utf8 = new TextDecoder();
const searchedBytes = 2 ** 20, overlap = 7;

/** The message in a file, of those that are signed only in the first one and only if the message has no text. */
function innerMessage(
  file: MimePart,
  { bytes, texts, attached }: SplitMessage,
  limits: BodyLimits,
): SplitMessage | null {
  const content = () => decodeTransfer(bytes.subarray(file.start, file.end), file.encoding);
  if (isTnef(file.contentType, () => filenameOf(file))) {
    const message = messageOfTnef(content(), limits.maxAttachments);
    return message && splitMessage(message, limits);
  }
  if (texts.length > 0 || file !== attached.find(isSmime)) return null;
  const cms = cmsContent(content());
  return cms?.type === "signed" && cms.content !== null ? splitMessage(cms.content, limits) : null;
}

interface SplitMessage {
  head: MailHead;
  /** Of these the parts are ranges. */
  bytes: Uint8Array;
  texts: MimePart[];
  attached: MimePart[];
  hasOtherForms: boolean;
  truncated: boolean;
}

const messageFields = new FieldNames([...contentNames, ...headNames]);

function splitMessage(raw: Uint8Array, limits: BodyLimits): SplitMessage {
  const { bytes, header } = wholeHeader(raw, messageFields);
  const tree = mimeParts(bytes, header.bodyStart, bytes.length, header.fields, limits);
  const { texts, attached, hasOtherForms } = sortParts(tree.parts);
  for (const part of texts) {
    const isBase64 = part.encoding.includes("base64");
    if (isBase64 && isUnencoded(bytes.subarray(part.start, part.end))) part.encoding = "8bit";
  }
  const head = mailHeadOf(header.fields);
  const truncated = tree.truncated || header.truncated;
  return { head, bytes, texts, attached, hasOtherForms, truncated };
}

/** Some gateways write another type; the name counts then (RFC 8551, section 3.2.1). */
export function isSmime(part: MimePart): boolean {
  return /^application\/(?:x-)?pkcs7-mime$/.test(part.contentType) ||
    part.contentType === "application/octet-stream" && /\.p7m$/i.test(filenameOf(part) ?? "");
}

/** What a multipart/alternative has beside plain text and HTML: the same text for mail programs that show more, or less. */
const furtherTexts: ReadonlySet<string> = new Set(
  ["text/x-amp-html", "text/watch-html", "text/enriched", "text/richtext"],
);

/** Divides leaves into texts and attachments. */
function sortParts(
  parts: readonly MimePart[],
): Pick<SplitMessage, "texts" | "attached" | "hasOtherForms"> {
  const texts: MimePart[] = [];
  const attached: MimePart[] = [];
  const others: MimePart[] = [];
  for (const part of parts) {
    if (isBodyText(part, texts.length > 0)) texts.push(part);
    else if (part.alternative !== null && furtherTexts.has(part.contentType)) others.push(part);
    else attached.push(part);
  }
  if (texts.length === 0 && others.length > 0) texts.push(others[0]);
  if (texts.length === 0) {
    // Any other text is better than no text.
    const first = attached.findIndex((part) =>
      part.contentType.startsWith("text/") && part.contentType !== "text/calendar" &&
      part.disposition.value !== "attachment" && filenameOf(part) === null
    );
    if (first >= 0) texts.push(...attached.splice(first, 1));
  }
  return { texts, attached, hasOtherForms: others.some((part) => !texts.includes(part)) };
}

function isBodyText(part: MimePart, hasText: boolean): boolean {
  if (part.contentType !== "text/plain" && part.contentType !== "text/html") return false;
  if (part.disposition.value === "attachment") return false;
  // A named text after the first one is a file.
  return part.alternative !== null || !hasText || filenameOf(part) === null;
}

/** How many characters are decoded; 255 are kept, but encoded words take more each. */
const maxNameCharacters = 4_000;

/** Characters that turn the direction of text: with them `gpj.exe` is shown as a picture, `exe.jpg`. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

/** Decoded, one line, without folders and turns of the direction, at most 255 characters; null if absent. */
export function filenameOf(part: MimePart): string | null {
  const name = part.disposition.params.get("filename") || part.params.get("name");
  if (!name) return null;
  const decoded = decodeHeaderText(cutText(name, maxNameCharacters));
  const shown = withoutUnseen(decoded.replace(turns, ""));
  const base = shown.split(/[/\\]/).at(-1)?.trim() ?? "";
  return cutText(base, 255) || null;
}
