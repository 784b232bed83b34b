import { Buffer, isAscii } from "node:buffer";
import { wrap } from "nodemailer/lib/base64";
import { contentFields } from "../body/mime_parts.ts";
import { decodeTransfer, isUnencoded } from "../body/transfer_encoding.ts";
import {
  fieldText,
  firstField,
  type Header,
  partHeaderLimits,
  readHeader,
} from "../headers/header_fields.ts";
import { startsWithField, wholeHeader } from "../headers/header_range.ts";
import { parseStructuredField, type StructuredField } from "../headers/structured_field.ts";
import { isBlankCode } from "../text/blanks.ts";
import { isLines } from "./lines.ts";
import { quotedPrintable } from "./quoted_printable.ts";
import { headerForm } from "./relay_header.ts";
import { bufferOf } from "../text/buffer_of.ts";

/** What a relay takes. */
export interface RelayTakes {
  /** Bytes above 127 in bodies (8BITMIME, RFC 6152). */
  eightBit: boolean;
}

/** What holds a message whole (RFC 2046, RFC 6532, RFC 5537). */
export const messageTypes: ReadonlySet<string> = new Set(
  ["message/rfc822", "message/global", "message/news"],
);

/** Levels of multiparts and of messages in messages; each takes a pass over the message. */
const maxDepth = 10;
/** Of one multipart. */
const maxParts = 2_000;

/** Whether a relay takes these bytes as they are. */
export function isTaken(bytes: Uint8Array, { eightBit }: RelayTakes): boolean {
  return (eightBit || isAscii(bytes)) && isLines(bytes);
}

/**
 * A message in the form that a relay takes: its header in ASCII, lines of at most 998 bytes without NUL, and in bodies only
 * what the relay takes. The parts that are not so are encoded anew as base64 or quoted-printable; `multipart` and
 * `message/rfc822` never are (RFC 2045, section 6.4; RFC 2046, section 5.2.1), the parts inside are. A message inside that
 * has no such form is sent as a file of bytes. null if the message has none: a part is signed (RFC 1847, section 2.1), or it
 * is malformed.
 */
export function relayForm(message: Uint8Array, takes: RelayTakes, depth = 0): Buffer | null {
  const { bytes, header } = wholeHeader(message, contentFields);
  return entityForm(bufferOf(bytes), header, { takes, depth });
}

interface Place {
  takes: RelayTakes;
  depth: number;
  inDigest?: boolean;
}

/** The body of a message or a part in its new form. */
interface BodyForm {
  body: Buffer;
  /** The new Content-Transfer-Encoding; null: as declared. */
  encoding: string | null;
  /** The new media type; absent: as declared. */
  type?: string;
}

function entityForm(
  bytes: Buffer,
  { fields, bodyStart }: Pick<Header, "fields" | "bodyStart">,
  place: Place,
): Buffer | null {
  const text = (name: string) => {
    const field = firstField(fields, name);
    return field ? fieldText(field) : "";
  };
  const declared = parseStructuredField(text("content-type"));
  const value = /^[^\s/]+\/[^\s/]+$/.test(declared.value)
    ? declared.value
    : place.inDigest
    ? "message/rfc822"
    : "text/plain";
  const encoding = text("content-transfer-encoding").trim().toLowerCase();
  const form = bodyForm(bytes.subarray(bodyStart), { ...declared, value }, encoding, place);
  const header = form && headerForm(bytes.subarray(0, bodyStart), {
    charset: declared.params.get("charset") ?? null,
    encoding: form.encoding,
    type: form.type ?? null,
  });
  return header && Buffer.concat([header, form!.body]);
}

function bodyForm(
  body: Buffer,
  type: StructuredField,
  encoding: string,
  place: Place,
): BodyForm | null {
  const { takes: { eightBit } } = place;
  const plain = eightBit ? "8bit" : "7bit";
  const isPlain = ["", "7bit", "8bit", "binary"].includes(encoding);
  if (isTaken(body, place.takes)) {
    const says = encoding === "binary" || encoding === "8bit" && !eightBit;
    return { body, encoding: says ? plain : null };
  }
  if (type.value.startsWith("multipart/")) {
    const parts = multipartForm(body, type, place);
    return parts && { body: parts, encoding: isPlain && encoding === "" ? null : plain };
  }
  if (type.value.startsWith("message/") && isPlain) {
    const message = messageTypes.has(type.value) && place.depth < maxDepth
      ? relayForm(body, place.takes, place.depth + 1)
      : null;
    if (message) return { body: message, encoding: plain };
    return { body: base64(body), encoding: "base64", type: "application/octet-stream" };
  }
  const isText = type.value.startsWith("text/");
  const isBare = isText && encoding.includes("base64") && isUnencoded(body);
  const content = isBare ? body : decodeTransfer(body, encoding);
  return isText && fitsQuotedPrintable(content)
    ? { body: quotedPrintable(content), encoding: "quoted-printable" }
    : { body: base64(content), encoding: "base64" };
}

function multipartForm(body: Buffer, type: StructuredField, place: Place): Buffer | null {
  const boundary = type.params.get("boundary")?.trimEnd() ?? "";
  if (!/^[\x20-\x7e]{1,200}$/.test(boundary) || place.depth >= maxDepth) return null;
  const found = type.value === "multipart/signed" ? null : partsOf(body, boundary);
  if (!found || found.parts.length > maxParts) return null;
  const inside = {
    takes: place.takes,
    depth: place.depth + 1,
    inDigest: type.value === "multipart/digest",
  };
  const pieces: Uint8Array[] = [];
  // Nobody is shown what stands around the parts.
  if (isTaken(found.before, place.takes)) pieces.push(found.before);
  for (const part of found.parts) {
    const form = entityForm(part, partHeader(part), inside);
    if (!form) return null;
    pieces.push(Buffer.from(`--${boundary}\r\n`), form, Buffer.from("\r\n"));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  if (isTaken(found.after, place.takes)) pieces.push(found.after);
  return Buffer.concat(pieces);
}

/** The header of a part, which may begin with its text. */
function partHeader(part: Buffer): Pick<Header, "fields" | "bodyStart"> {
  const hasHeader = isBlankCode(part[0]) || startsWithField(part, 0, part.length);
  return hasHeader
    ? readHeader(part, 0, part.length, contentFields, partHeaderLimits)
    : { fields: [], bodyStart: 0 };
}

interface Parts {
  before: Buffer;
  /** Without the line end that belongs to the next delimiter. */
  parts: Buffer[];
  after: Buffer;
}

/** The parts of a multipart (RFC 2046, section 5.1.1); null if its boundary does not occur. */
function partsOf(body: Buffer, boundary: string): Parts | null {
  const delimiter = Buffer.from(`--${boundary}`);
  const delimiters: { at: number; next: number }[] = [];
  let end = body.length, after = body.length;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const lf = body.indexOf(10, at);
    const next = lf < 0 ? body.length : lf + 1;
    if ((at > 0 && body[at - 1] !== 10) || next - at > maxDelimiterBytes) continue;
    const rest = body.toString("latin1", at + delimiter.length, next).trimEnd();
    if (rest === "") delimiters.push({ at, next });
    if (rest === "--" && delimiters.length > 0) {
      [end, after] = [lineEnd(body, at), next];
      break;
    }
  }
  if (delimiters.length === 0) return null;
  const ends = [...delimiters.slice(1).map(({ at }) => lineEnd(body, at)), end];
  return {
    before: body.subarray(0, delimiters[0].at),
    parts: delimiters.map(({ next }, n) => body.subarray(next, Math.max(next, ends[n]))),
    after: body.subarray(after),
  };
}

const maxDelimiterBytes = 250;

/** `at`, or where the line end before it begins. */
function lineEnd(bytes: Buffer, at: number): number {
  if (bytes[at - 1] !== 10) return at;
  return bytes[at - 2] === 13 ? at - 2 : at - 1;
}

/** Whether a text is shorter so than in base64, and is one of lines: UTF-16 has NULs. */
function fitsQuotedPrintable(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  let above = 0;
  for (let at = 0; at < content.length; at++) if (content[at] > 0x7e) above++;
  return above * 6 <= content.length;
}

function base64(content: Uint8Array): Buffer {
  return Buffer.from(wrap(bufferOf(content).toString("base64"), 76));
}
