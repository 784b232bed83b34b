import { Buffer } from "node:buffer";
import {
  fieldText,
  firstField,
  type HeaderField,
  partHeaderLimits,
  readHeader,
} from "../headers/header_fields.ts";
import { FieldNames } from "../headers/field_names.ts";
import { startsWithField } from "../headers/header_range.ts";
import { isBlankCode } from "../text/blanks.ts";
import { parseStructuredField, type StructuredField } from "../headers/structured_field.ts";
import { bufferOf } from "../text/buffer_of.ts";

/** A leaf of the MIME tree: a part that is not a multipart (RFC 2046). */
export interface MimePart {
  /** Section number of IMAP (RFC 3501, section 6.4.5): "1", "2.1". */
  section: string;
  /** Media type in lower case. */
  contentType: string;
  params: Map<string, string>;
  disposition: StructuredField;
  /** Content-Transfer-Encoding in lower case, or "". */
  encoding: string;
  contentId: string | null;
  /** The encoded content is `bytes[start, end)`. */
  start: number;
  end: number;
  /** Number of the nearest multipart/alternative around it, or null. */
  alternative: number | null;
}

export interface MimeLimits {
  /** Levels of multiparts; deeper ones are skipped. */
  maxDepth: number;
  /** Leaves; later ones are skipped. */
  maxParts: number;
}

interface Multipart {
  section: string;
  boundary: string;
  bodyStart: number;
  children: number;
  digest: boolean;
  alternative: number | null;
}

/** The header fields that describe a body. */
export const contentNames = [
  "content-type",
  "content-transfer-encoding",
  "content-disposition",
  "content-id",
];
export const contentFields = new FieldNames(contentNames);

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dashCode = 0x2d;

/** Bytes of a delimiter line. RFC 2046 allows a boundary of 70; some software writes more. */
const maxDelimiterBytes = 250;

/**
 * Splits `bytes[start, end)`, a body with the content fields `fields`, into its leaves. One pass over the lines: open
 * boundaries are looked up by name, so that the time does not grow with the depth. A multipart without a closing
 * delimiter ends at the next outer one or at the end. Without a boundary parameter, the boundary is taken from the
 * beginning of the body. If the boundary never occurs, the multipart is a text leaf. `truncated` is true if a limit
 * left something out. Never throws.
 */
export function mimeParts(
  bytes: Uint8Array,
  start: number,
  end: number,
  fields: readonly HeaderField[],
  limits: MimeLimits,
): { parts: MimePart[]; truncated: boolean } {
  const walk = new MimeWalk(bytes, end, limits);
  walk.enter("1", start, fields);
  let at = start;
  while (at < end && walk.open.size > 0 && !walk.full) {
    const lf = bytes.indexOf(lineFeed, at);
    const next = lf < 0 || lf >= end ? end : lf + 1;
    if (bytes[at] === dashCode && bytes[at + 1] === dashCode && next - at <= maxDelimiterBytes) {
      at = walk.delimiter(at, next);
    } else {
      at = next;
    }
  }
  walk.closeDownTo(0, end);
  return { parts: walk.parts, truncated: walk.truncated };
}

/** State of one pass: the open multiparts, innermost last, and the current leaf. */
class MimeWalk {
  readonly parts: MimePart[] = [];
  readonly open = new Map<string, Multipart>();
  truncated = false;
  full = false;
  private readonly stack: Multipart[] = [];
  private leaf: MimePart | null = null;
  private alternatives = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly end: number,
    private readonly limits: MimeLimits,
  ) {}

  /** Begins a part whose body starts at `bodyStart`. */
  enter(section: string, bodyStart: number, fields: readonly HeaderField[]): void {
    const parent = this.stack.at(-1);
    const part = describePart(section, bodyStart, fields, parent?.digest ?? false);
    part.alternative = parent?.alternative ?? null;
    if (!part.contentType.startsWith("multipart/")) {
      this.leaf = part;
      return;
    }
    const boundary = this.boundaryOf(part);
    if (boundary === null) {
      this.leaf = { ...part, contentType: "text/plain" };
      return;
    }
    if (this.stack.length >= this.limits.maxDepth) {
      this.truncated = true;
      return;
    }
    const multipart = {
      section: parent ? `${section}.` : "",
      boundary,
      bodyStart,
      children: 0,
      digest: part.contentType === "multipart/digest",
      alternative: part.contentType === "multipart/alternative"
        ? ++this.alternatives
        : part.alternative,
    };
    this.stack.push(multipart);
    this.open.set(boundary, multipart);
  }

  /** Handles the line `[at, next)`, which begins with two dashes; returns where to read on. */
  delimiter(at: number, next: number): number {
    const line = latin1(this.bytes.subarray(at + 2, next)).trimEnd();
    let multipart = this.open.get(line);
    const closing = multipart === undefined && line.endsWith("--");
    if (closing) multipart = this.open.get(line.slice(0, -2));
    if (multipart === undefined) return next;

    this.closeDownTo(this.stack.indexOf(multipart) + 1, this.beforeLineEnd(at));
    if (closing) {
      multipart.children ||= 1;
      this.pop(at);
      return next;
    }
    if (this.parts.length >= this.limits.maxParts) {
      this.truncated = true;
      this.full = true;
      return next;
    }
    const section = `${multipart.section}${++multipart.children}`;
    if (!isBlankCode(this.bytes[next]) && !startsWithField(this.bytes, next, this.end)) {
      // The empty line above the text is missing.
      this.enter(section, next, []);
      return next;
    }
    // A delimiter also ends a header block without an empty line; otherwise the block would swallow the next parts.
    const { fields, bodyStart } = readHeader(
      this.bytes,
      next,
      this.end,
      contentFields,
      partHeaderLimits,
      (at, lineEnd) => this.isDelimiter(at, lineEnd),
    );
    this.enter(section, bodyStart, fields);
    return bodyStart;
  }

  /** Ends the leaf and every multipart but the outermost `depth`. */
  closeDownTo(depth: number, at: number): void {
    if (this.leaf) {
      this.leaf.end = Math.max(this.leaf.start, at);
      this.parts.push(this.leaf);
      this.leaf = null;
    }
    while (this.stack.length > depth) this.pop(at);
  }

  private pop(at: number): void {
    const multipart = this.stack.pop();
    if (!multipart) return;
    this.open.delete(multipart.boundary);
    // An outer multipart may have the same boundary: some software uses one boundary for all.
    const outer = this.stack.findLast((one) => one.boundary === multipart.boundary);
    if (outer) this.open.set(outer.boundary, outer);
    if (multipart.children === 0 && !this.full) {
      const text = describePart(`${multipart.section}1`, multipart.bodyStart, [], false);
      text.end = Math.max(text.start, at);
      this.parts.push(text);
    }
  }

  private isDelimiter(at: number, lineEnd: number): boolean {
    if (this.bytes[at] !== dashCode || this.bytes[at + 1] !== dashCode) return false;
    if (lineEnd - at > maxDelimiterBytes) return false;
    const name = latin1(this.bytes.subarray(at + 2, lineEnd)).trimEnd();
    return this.open.has(name) || this.open.has(name.replace(/--$/, ""));
  }

  private boundaryOf(part: MimePart): string | null {
    const declared = part.params.get("boundary");
    if (declared) return latin1(Buffer.from(declared)).trimEnd().slice(0, maxDelimiterBytes);
    const front = latin1(this.bytes.subarray(part.start, Math.min(this.end, part.start + 4096)));
    const guess = /^--([^\r\n]{2,200})$/m.exec(front)?.[1].trimEnd();
    return guess && !this.open.has(guess.replace(/--$/, "")) ? guess : null;
  }

  private beforeLineEnd(at: number): number {
    if (this.bytes[at - 1] !== lineFeed) return at;
    return this.bytes[at - 2] === carriageReturn ? at - 2 : at - 1;
  }
}

function describePart(
  section: string,
  start: number,
  fields: readonly HeaderField[],
  inDigest: boolean,
): MimePart {
  const text = (name: string) => {
    const field = firstField(fields, name);
    return field ? fieldText(field) : "";
  };
  const type = parseStructuredField(text("content-type"));
  // RFC 2045, section 5.2: an unreadable type is text/plain; inside a digest it is message/rfc822 (RFC
  // 2046, section 5.1.5).
  const fallback = inDigest ? "message/rfc822" : "text/plain";
  return {
    section,
    contentType: /^[^\s/]+\/[^\s/]+$/.test(type.value) ? type.value : fallback,
    params: type.params,
    disposition: parseStructuredField(text("content-disposition")),
    encoding: text("content-transfer-encoding").toLowerCase(),
    contentId: text("content-id") || null,
    start,
    end: start,
    alternative: null,
  };
}

function latin1(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("latin1");
}
