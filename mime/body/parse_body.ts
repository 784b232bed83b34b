import { createHash } from "node:crypto";
import { escapedHtml } from "../compose/forward.ts";
import { readAtOnce } from "./attachment_kinds.ts";
import { decodeHeaderText } from "../headers/encoded_words.ts";
import { htmlToText } from "./html_text.ts";
import { type BodyLimits, filenameOf, openMessage } from "./message_parts.ts";
import type { MimePart } from "./mime_parts.ts";
import { newTextOf } from "./new_text.ts";
import { cutText } from "../text/cut_text.ts";
import { decodeText } from "../text/charset_of_text.ts";
import { decodedText } from "../text/decoded_text.ts";
import { plainText } from "./plain_text.ts";
import { marked, unseenIn, withoutUnseen } from "../text/unseen_characters.ts";
import { standInText, type TextOfMessage } from "./stand_in_text.ts";

/** A part of a message that is not its text; {@link attachmentContents} returns its bytes. */
export interface AttachmentPart {
  /** `att_` and the section number; the same in every parse of the same bytes. Matches `[A-Za-z0-9_-]+`. */
  attachmentId: string;
  /** Decoded, one line, without folders (RFC 2183, section 2.3) and turns of the direction; null if absent. */
  filename: string | null;
  /** Lower case; `application/octet-stream` if it cannot be read. */
  contentType: string;
  /** As the part declares it; null if absent. */
  charset: string | null;
  /** Bytes, decoded. */
  size: number;
  /** `attachment`, `inline` or another token; null if absent. */
  contentDisposition: string | null;
  /** Without angle brackets, as in `cid:` links (RFC 2392). */
  contentId: string | null;
  /** Of the decoded bytes, in hex. */
  sha256: string;
}

/** The readable side of a message. */
export interface MessageBody {
  /**
   * Line ends LF; of mail with HTML only, or whose text only says so, the HTML as readable text. Of mail without text a
   * forwarded message, an invitation or a report in it, as text.
   */
  text: string;
  /** The HTML, decoded but not cleaned; null if absent. */
  html: string | null;
  /** The text without quotes, signature and disclaimer. */
  newText: string;
  /** Beginning of the new text, one line, at most 200 characters. */
  snippet: string;
  /** The same, at most 500 characters. */
  excerpt: string;
  /** At most {@link bodyLimits}.maxAttachments. */
  attachments: AttachmentPart[];
  /** The beginnings of attachments that are text (tables, logs, invitations), for the search index. */
  attachedTexts: string[];
  /** What characters that nobody sees say in the text, if there are any: they are in no other field but `html`. */
  unseen?: string;
  /** Present if its text stands in further forms too, such as AMP: they are in no field. */
  hasOtherForms?: true;
  /** True if a limit left something out. */
  truncated: boolean;
  /** If parsing failed, a sentence about why; else null. */
  problem: string | null;
}

const snippetChars = 200;
const excerptChars = 500;

/**
 * 100 levels: Postfix's mime_nesting_limit. 500 attachments: docs/specification.md "Email"; 1,000
 * parts allow as many texts. 1,000,000 characters are a book; an email with more would delay other
 * requests.
 */
export const bodyLimits: BodyLimits = {
  maxDepth: 100,
  maxParts: 1000,
  maxTextChars: 1_000_000,
  maxAttachments: 500,
};

/**
 * The text and the attachments of a message. Never throws: a message that cannot be parsed has a
 * `problem`. Synchronous: large messages belong in a Worker (parse_worker.ts).
 */
export function parseBody(raw: Uint8Array, limits: BodyLimits = bodyLimits): MessageBody {
  try {
    return readBody(raw, limits, forwardedTextOf);
  } catch {
    return unreadBody(unreadable);
  }
}

export const unreadable =
  "The message could not be read: it is malformed beyond what the parser takes.";

/** The empty body of a message that was not parsed; `problem` is the reason. */
export function unreadBody(problem: string): MessageBody {
  return {
    text: "",
    html: null,
    newText: "",
    snippet: "",
    excerpt: "",
    attachments: [],
    attachedTexts: [],
    truncated: true,
    problem,
  };
}

/**
 * The decoded bytes of attachments by their ids, in that order, of each at most the first `maxBytes`; null for one that
 * the message does not have. Never throws.
 */
export function attachmentContents(
  raw: Uint8Array,
  attachmentIds: readonly string[],
  { maxBytes }: { maxBytes?: number } = {},
): (Uint8Array | null)[] {
  try {
    const message = openMessage(raw, bodyLimits);
    const parts = new Map(message.attached.map((part) => [attachmentIdOf(part), part]));
    return attachmentIds.map((id) => {
      const part = parts.get(id);
      const content = part && message.content(part, maxBytes);
      if (!content) return null;
      // The beginning of a file that was not encoded would keep the whole message in memory.
      return maxBytes === undefined ? content : content.slice();
    });
  } catch {
    return attachmentIds.map(() => null);
  }
}

/** Of a message in a message. One inside that is not read: each level would be parsed once more. */
const forwardedTextOf: TextOfMessage = (raw) => readBody(raw, bodyLimits, null).text;

function readBody(raw: Uint8Array, limits: BodyLimits, inner: TextOfMessage | null): MessageBody {
  const message = openMessage(raw, limits);
  const read = (part: MimePart): string => {
    // A character takes at most four bytes.
    const decoded = message.content(part, limits.maxTextChars * 4);
    const declared = part.params.get("charset") ?? null;
    return decodeText(decoded, { declared, isHtml: part.contentType === "text/html" });
  };
  const own = assemble(message.texts, read);
  const isOwn = message.furtherTexts.length === 0 || visible.test(own.text);
  const body = isOwn ? own : assemble(message.furtherTexts, read);
  if (inner && !visible.test(body.text)) {
    const maxBytes = limits.maxTextChars * 4;
    body.text = standInText(message.attached, (part) => message.content(part, maxBytes), inner) ||
      own.text;
  }
  const unseen = unseenIn(body.text);
  const text = cutText(withoutUnseen(body.text), limits.maxTextChars);
  const newText = newTextOf(text, body.html, message.head);
  const line = marked(firstLineOf(newText || text));
  const attachments = message.attached.map((part) => describe(part, message.pieces(part)));
  return {
    text,
    html: body.html === null ? null : cutText(body.html, limits.maxTextChars),
    newText,
    snippet: cutText(line, snippetChars).trimEnd(),
    excerpt: cutText(line, excerptChars).trimEnd(),
    attachments,
    ...(unseen === "" ? {} : { unseen: cutText(unseen, limits.maxTextChars) }),
    attachedTexts: attachedTexts(message.attached, attachments, message.content),
    ...message.hasOtherForms && { hasOtherForms: true },
    truncated: message.truncated || text.length < body.text.length ||
      (body.html?.length ?? 0) > limits.maxTextChars,
    problem: null,
  };
}

/**
 * The plain text, unless the HTML says more: if that is empty, or only says that the mail is HTML, which some programs
 * write in its place. Then it stands at the end.
 */
function textBeside(html: readonly string[], plain: string): string {
  const isNote = plain.length <= maxNoteChars && /\bhtml\b/i.test(plain);
  if (visible.test(plain) && !isNote) return plain;
  const shown = html.map(htmlToText).join("\n\n");
  if (!visible.test(plain)) return shown;
  const [line] = plain.trim().split("\n", 1);
  return oneLineOf(shown).includes(oneLineOf(line)) ? plain : `${shown}\n\n${plain}`;
}

const maxNoteChars = 300;

/** Some programs write a plain text of blanks, or of the invisible characters that fill a preheader. */
const visible = /[^\s\u00ad\u034f\u200b-\u200f\u2060\ufeff]/;

/** Joins the text parts. Parts of one multipart/alternative are one unit. */
function assemble(texts: readonly MimePart[], read: (part: MimePart) => string) {
  const units = new Map<number | MimePart, { plain: string[]; html: string[] }>();
  for (const part of texts) {
    const key = part.alternative ?? part;
    const unit = units.get(key) ?? { plain: [], html: [] };
    units.set(key, unit);
    if (part.contentType === "text/html") unit.html.push(read(part));
    else unit.plain.push(plainText(read(part), part.params));
  }
  const all = [...units.values()].map(withoutSource);
  const hasHtml = all.some((unit) => unit.html.length > 0);
  const pieces = all.map(({ plain, html }) => {
    const text = plain.join("\n");
    return html.length > 0 ? textBeside(html, text) : text;
  });
  return {
    text: pieces.join("\n").replaceAll("\0", ""),
    html: hasHtml
      ? all.map(({ plain, html }) => html.length > 0 ? html.join("\n") : asHtml(plain.join("\n")))
        .join("\n").replaceAll("\0", "")
      : null,
  };
}

/** A unit without plain text that is the source of HTML: that is the HTML, unless there is one. */
function withoutSource(unit: { plain: string[]; html: string[] }) {
  const sources = unit.plain.filter((text) => isHtmlSource(text, unit.html.length > 0));
  if (sources.length === 0) return unit;
  return {
    plain: unit.plain.filter((text) => !sources.includes(text)),
    html: unit.html.length > 0 ? unit.html : sources,
  };
}

/**
 * Whether a text begins and ends as HTML: a document, below which lists and gateways write their footer, elements with
 * which the HTML of mail begins, at least two, or beside HTML any element.
 */
function isHtmlSource(text: string, isBesideHtml: boolean): boolean {
  const front = text.slice(0, 1_000).trimStart().slice(0, 40);
  if (!anyElement.test(front)) return false;
  if (wholeDocument.test(front) && endOfDocument.test(text)) return true;
  const end = text.slice(-1_000).trimEnd().slice(-40);
  const begins = isBesideHtml || wholeDocument.test(front) ||
    mailElement.test(front) && text.indexOf("</") < text.lastIndexOf("</");
  return begins && /<\/[a-z][a-z0-9]{0,20}\s{0,5}>$|-->$/i.test(end);
}

const wholeDocument = /^(?:<\?xml|<!doctype\s{1,9}html|<html[\s>]|<head[\s>]|<body[\s>])/i;
const endOfDocument = /<\/(?:body|html)\s{0,5}>/i;
const mailElement = /^<(?:style|div|p|table|center|span|font|h[1-6])[\s>]/i;
const anyElement = /^(?:<\?xml|<!doctype\s{1,9}html|<!--|<[a-z][a-z0-9]{0,20}[\s>])/i;

/** Bytes of attached texts for the search index; more would outweigh the message itself. */
const maxAttachedBytes = 200_000;

/** NUL characters in the first of these show that a file is not the text that its name promises. */
const checkedChars = 10_000;

function attachedTexts(
  parts: readonly MimePart[],
  files: readonly AttachmentPart[],
  content: (part: MimePart, maxBytes: number) => Uint8Array,
): string[] {
  let left = maxAttachedBytes;
  return parts.flatMap((part, n) => {
    const kind = left > 0 ? readAtOnce(files[n]) : null;
    if (kind === null) return [];
    const bytes = content(part, left);
    left -= bytes.length;
    const declared = part.params.get("charset") ?? null;
    const text = decodedText(bytes, { declared, isHtml: kind === "html" });
    if (text.slice(0, checkedChars).includes("\0")) return [];
    return [withoutUnseen(kind === "html" ? htmlToText(text) : text)];
  });
}

function asHtml(text: string): string {
  return `<div>${escapedHtml(text).replaceAll("\n", "<br>\n")}</div>`;
}

/** Longer sections are hashed, because a record has up to 500 ids. */
const maxSectionCharacters = 16;

function attachmentIdOf(part: MimePart): string {
  const section = part.section.replaceAll(".", "_");
  if (section.length <= maxSectionCharacters) return `att_${section}`;
  const hash = createHash("sha256").update(section).digest("hex");
  return `att_${hash.slice(0, maxSectionCharacters)}`;
}

/** The content is decoded in pieces, because all of it would take as much memory as the message. */
function describe(part: MimePart, pieces: Iterable<Uint8Array>): AttachmentPart {
  const hash = createHash("sha256");
  let size = 0;
  for (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
  }
  const type = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}$/.test(part.contentType)
    ? part.contentType
    : "application/octet-stream";
  return {
    attachmentId: attachmentIdOf(part),
    filename: filenameOf(part),
    contentType: type,
    charset: cutText(part.params.get("charset") ?? "", 40) || null,
    size,
    contentDisposition: /^[\w-]{1,40}$/.test(part.disposition.value)
      ? part.disposition.value
      : null,
    contentId: part.contentId === null
      ? null
      : cutText(decodeHeaderText(part.contentId).replace(/^<|>$/g, ""), 500) || null,
    sha256: hash.digest("hex"),
  };
}

function oneLineOf(text: string): string {
  // A blank that is one already is no match, which would be listed.
  return text.slice(0, 4 * excerptChars).replace(/ \s+|[^\S ]\s*/g, " ").trim();
}

/** The beginning of {@link oneLineOf}: at least its first {@link excerptChars} characters. */
function firstLineOf(text: string): string {
  const line = oneLineOf(text.slice(0, excerptChars + excerptChars / 4));
  return line.length > excerptChars ? line : oneLineOf(text);
}
