import { joined } from "./byte_reader.ts";

const lineFeed = 0x0a, carriageReturn = 0x0d, greaterThan = 0x3e;
const letterF = 0x46, controlA = 0x01;
const from = new TextEncoder().encode("From ");
/** No line that separates messages is longer. */
const longestHeld = 4_096;

/** What stands between two lines that separate messages. */
export interface Part {
  /** The line before it. */
  line: Uint8Array;
  /** Places in the whole file, in bytes: of the line, of what follows it, and of its end. */
  lineStart: number;
  start: number;
  end: number;
  /** Empty if it is too large. */
  pieces: Uint8Array[];
}

/**
 * Cuts a file at the lines for which `separates` is true; what stands before the first is left out. One part is in memory,
 * and of one larger than `mostBytes` nothing.
 */
export async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  separates: (line: Uint8Array, afterEmpty: boolean) => boolean,
  mostBytes: number,
): AsyncGenerator<Part> {
  let part: Part | null = null, place = 0;
  let held: Uint8Array = new Uint8Array(), inLine = false, afterEmpty = true;
  const add = (bytes: Uint8Array) => {
    if (!part || bytes.length === 0) return;
    part.end += bytes.length;
    if (part.end - part.start > mostBytes) part.pieces = [];
    else part.pieces.push(bytes);
  };
  for await (const piece of pieces) {
    const bytes = joined([held, piece]);
    let at = 0, kept = 0;
    for (let lf; (lf = bytes.indexOf(lineFeed, at)) >= 0; at = lf + 1) {
      if (inLine) {
        inLine = afterEmpty = false;
        continue;
      }
      const first = bytes[at];
      if (first === letterF || first === controlA) {
        const line = bytes.subarray(at, lf + 1);
        if (separates(line, afterEmpty)) {
          add(bytes.subarray(kept, at));
          if (part) yield part;
          const start = place + lf + 1;
          part = { line: line.slice(), lineStart: place + at, start, end: start, pieces: [] };
          kept = lf + 1;
          afterEmpty = false;
          continue;
        }
      }
      afterEmpty = lf === at || lf === at + 1 && first === carriageReturn;
    }
    // The beginning of a line waits for its end, unless the line is a long one.
    const waits: boolean = !inLine && bytes.length - at <= longestHeld;
    inLine = !waits && at < bytes.length;
    add(bytes.subarray(kept, waits ? at : bytes.length));
    held = waits ? bytes.subarray(at) : new Uint8Array();
    place += waits ? at : bytes.length;
  }
  add(held);
  if (part) yield part;
}

/** The bytes without the empty line at their end. */
export function withoutLastEmptyLine(raw: Uint8Array): Uint8Array {
  const { length } = raw;
  if (raw[length - 1] !== lineFeed) return raw;
  const end = raw[length - 2] === carriageReturn ? length - 2 : length - 1;
  return end === 0 || raw[end - 1] === lineFeed ? raw.subarray(0, end) : raw;
}

/** The bytes without one `>` of each line that has some and then `From `. */
export function unquoted(raw: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let kept = 0;
  for (let at = 0; at < raw.length;) {
    if (isQuotedFrom(raw, at, 1)) {
      pieces.push(raw.subarray(kept, at));
      kept = at + 1;
    }
    const lf = raw.indexOf(lineFeed, at);
    at = lf < 0 ? raw.length : lf + 1;
  }
  return kept === 0 ? raw : joined([...pieces, raw.subarray(kept)]);
}

/** Whether the line at `start` begins with at least `least` `>` and then `From `. */
export function isQuotedFrom(bytes: Uint8Array, start: number, least: number): boolean {
  let at = start;
  while (bytes[at] === greaterThan) at++;
  return at - start >= least && startsWith(bytes, from, at);
}

export function startsWith(bytes: Uint8Array, start: Uint8Array, at = 0): boolean {
  return start.every((byte, n) => bytes[at + n] === byte);
}
