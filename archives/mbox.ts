import { joined, textOf } from "./byte_reader.ts";
import { type Part, partsOf, startsWith, unquoted, withoutLastEmptyLine } from "./mbox_parts.ts";
import { fieldsOf, headOf } from "./state/head.ts";

const from = new TextEncoder().encode("From ");
const older = new TextEncoder().encode("From - ");

/** A message of an mbox, as it was before it was put there. */
export interface MboxMessage {
  /** The line that begins with `From `; "" if there is none. */
  line: string;
  /** null if it is larger than what is read. */
  raw: Uint8Array<ArrayBuffer> | null;
  /** Thunderbird wrote it, which only marks what is deleted. */
  isThunderbird: boolean;
}

/**
 * The messages of an mbox in order. A message starts at a line that begins with `From ` and is the first, or follows an
 * empty line and has a time and a year. That empty line belongs to neither message. Thunderbird has its own lines: `From - `
 * with a time until 2023, also without an empty line above it; since then `From ` alone. They count if the first line is one
 * of these.
 *
 * If a Content-Length leads exactly to such a line or to the end, it counts, and nothing is unquoted (mboxcl2); else one `>`
 * of `>From ` goes, of `>>From ` too (mboxo, mboxrd).
 */
export async function* mboxMessages(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<MboxMessage> {
  let isThunderbird: boolean | null = null;
  const separates = (line: Uint8Array, afterEmpty: boolean) => {
    if (!startsWith(line, from)) return false;
    if (isThunderbird !== null) return isSeparator(line, afterEmpty, isThunderbird);
    isThunderbird = isBareFrom(line) || startsWith(line, older);
    return true;
  };
  const queue = new PartQueue(partsOf(pieces, separates, mostBytes));
  for (let part; (part = await queue.first());) {
    const target = lengthEnd(part, mostBytes);
    const count = target === null ? 0 : await queue.countUntil(target);
    const parts = await queue.take(count || 1);
    const last = parts.at(-1)!;
    const isWhole = parts.every((each) => each.pieces.length > 0 || each.end === each.start) &&
      last.end - part.start <= mostBytes;
    const whole = () =>
      joined(parts.flatMap((each, n) => n === 0 ? each.pieces : [each.line, ...each.pieces]));
    const raw = !isWhole
      ? null
      : count === 0
      ? unquoted(withoutLastEmptyLine(whole()))
      : last.end === target
      ? whole()
      : withoutLastEmptyLine(whole());
    yield {
      line: textOf(part.line.subarray(0, 400)),
      raw: raw as MboxMessage["raw"],
      isThunderbird: isThunderbird!,
    };
  }
}

/** The messages of an MMDF file: between lines of four bytes 01. Python writes a `From ` line above each. */
export async function* mmdfMessages(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<MboxMessage> {
  for await (const part of partsOf(pieces, isMmdfLine, mostBytes)) {
    // Nothing or an empty line stands between the end of a message and the next.
    if (part.end - part.start <= 2) continue;
    const whole = part.pieces.length === 0 ? null : joined(part.pieces);
    const lineEnd = whole && startsWith(whole, from) ? whole.indexOf(0x0a) + 1 : 0;
    yield {
      line: whole ? textOf(whole.subarray(0, Math.min(lineEnd, 400))) : "",
      raw: whole && withoutLastEmptyLine(whole.subarray(lineEnd)) as MboxMessage["raw"],
      isThunderbird: false,
    };
  }
}

export function isMmdfLine(line: Uint8Array): boolean {
  // deno-lint-ignore no-control-regex -- the format is made of them
  return /^\x01{4}\r?\n$/.test(textOf(line.subarray(0, 8)));
}

/** Where a message ends by its Content-Length, in bytes of the file; null if it has none that can be right. */
function lengthEnd(part: Part, mostBytes: number): number | null {
  if (part.pieces.length === 0) return null;
  const beginning = part.pieces[0].length < 4_096 ? joined(part.pieces) : part.pieces[0];
  const { text, end } = headOf(beginning);
  const length = Number(fieldsOf(text, "content-length").at(-1) ?? NaN);
  if (!Number.isInteger(length) || length < 0 || length > mostBytes) return null;
  return part.start + end + length;
}

/** Parts that are read ahead: as far as the Content-Length of the first leads. */
class PartQueue {
  #parts: Part[] = [];
  #source: AsyncGenerator<Part>;
  #ended = false;

  constructor(source: AsyncGenerator<Part>) {
    this.#source = source;
  }

  async first(): Promise<Part | undefined> {
    if (this.#parts.length === 0) await this.#more();
    return this.#parts[0];
  }

  /** How many parts end exactly there, but for an empty line; 0 if none does. */
  async countUntil(target: number): Promise<number> {
    while (!this.#ended && this.#parts.at(-1)!.end < target) await this.#more();
    // By halves: a stranger chose the length, of each message of a large file.
    let low = 0, high = this.#parts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#parts[middle].end < target) low = middle + 1;
      else high = middle;
    }
    const found = this.#parts[low];
    if (!found || found.end > target + 2) return 0;
    const rest = joined(found.pieces).subarray(
      found.end === target ? Infinity : target - found.end,
    );
    return /^(?:\r?\n)?$/.test(textOf(rest)) ? low + 1 : 0;
  }

  // deno-lint-ignore require-await -- it will close the source
  async take(count: number): Promise<Part[]> {
    return this.#parts.splice(0, count);
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next();
    if (done) this.#ended = true;
    else this.#parts.push(value);
  }
}

function isSeparator(line: Uint8Array, afterEmpty: boolean, isThunderbird: boolean): boolean {
  if (!afterEmpty && !(isThunderbird && startsWith(line, older))) return false;
  const text = textOf(line.subarray(0, 200));
  return isThunderbird && isBareFrom(line) ||
    /\d{1,2}:\d{2}/.test(text) && /\b(19|20)\d{2}\b/.test(text);
}

function isBareFrom(line: Uint8Array): boolean {
  return /^From \r?\n?$/.test(textOf(line.subarray(0, 8)));
}
