import { concatBytes } from "../domain/core/bytes.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const greaterThan = 0x3e;
const from = new TextEncoder().encode("From ");
const older = new TextEncoder().encode("From - ");
const latin1 = new TextDecoder("latin1");

/**
 * One message as an mbox entry (RFC 4155), in pieces of `raw` itself. Quoted as mboxrd: each line of any number of `>` and
 * then `From ` gets one more `>`, which reading removes. Ends with the empty line that separates entries.
 */
export function* mboxEntry(raw: Uint8Array, sender: string, at: Date): Generator<Uint8Array> {
  // A stranger chose the sender's address: a space or a line end in it would break the line.
  const who = /^[!-~]+$/.test(sender) ? sender : "MAILER-DAEMON";
  yield new TextEncoder().encode(`From ${who} ${asctime(at)}\n`);
  let written = 0;
  for (let line = 0; line < raw.length;) {
    if (isQuotedFrom(raw, line, 0)) {
      yield raw.subarray(written, line);
      yield Uint8Array.of(greaterThan);
      written = line;
    }
    const lf = raw.indexOf(lineFeed, line);
    line = lf < 0 ? raw.length : lf + 1;
  }
  yield raw.subarray(written);
  const ended = raw.length === 0 || raw[raw.length - 1] === lineFeed;
  yield Uint8Array.from(ended ? [lineFeed] : [lineFeed, lineFeed]);
}

/** `Fri Nov 20 10:00:00 2026`, UTC. */
function asctime(at: Date): string {
  const [day, date, month, year, time] = at.toUTCString().replace(",", "").split(" ");
  return `${day} ${month} ${date.padStart(2)} ${time} ${year}`;
}

/**
 * The messages of an mbox in order, without their quoting. A message starts at a line that begins with `From ` and is the
 * first, or follows an empty line and has a time and a year. That empty line belongs to neither message. Thunderbird has
 * its own lines: `From - ` with a time until 2023, also without an empty line above it; since then `From ` alone. They
 * count if the first line is one of these. Then messages that are deleted are left out, which Thunderbird only marks.
 */
export async function* readMbox(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let message: Uint8Array[] | null = null;
  let afterEmpty = true, isThunderbird = false;
  for await (const line of streamedLines(bytes)) {
    const isFrom = startsWith(line, from, 0);
    if (message === null) {
      if (!isFrom) continue;
      isThunderbird = isBareFrom(line) || startsWith(line, older, 0);
      message = [];
    } else if (isFrom && isSeparator(line, afterEmpty, isThunderbird)) {
      if (!isThunderbird || !isDeleted(message)) yield finished(message);
      message = [];
    } else {
      message.push(isQuotedFrom(line, 0, 1) ? line.subarray(1) : line);
    }
    afterEmpty = isEmptyLine(line);
  }
  if (message && !(isThunderbird && isDeleted(message))) yield finished(message);
}

const deletedFlag = 0x0008;

/** Whether Thunderbird marks a message as deleted; it goes when the folder is compacted. */
function isDeleted(lines: readonly Uint8Array[]): boolean {
  for (const line of lines) {
    if (isEmptyLine(line)) return false;
    const status = /^X-Mozilla-Status: ([0-9a-f]{4})\s/i.exec(latin1.decode(line.subarray(0, 40)));
    if (status) return (parseInt(status[1], 16) & deletedFlag) !== 0;
  }
  return false;
}

function finished(lines: Uint8Array[]): Uint8Array {
  const last = lines.at(-1);
  return concatBytes(last && isEmptyLine(last) ? lines.slice(0, -1) : lines);
}

function isSeparator(line: Uint8Array, afterEmpty: boolean, isThunderbird: boolean): boolean {
  const text = latin1.decode(line.subarray(0, 200));
  if (!afterEmpty && !(isThunderbird && startsWith(line, older, 0))) return false;
  return isThunderbird && isBareFrom(line) ||
    /\d{1,2}:\d{2}/.test(text) && /\b(19|20)\d{2}\b/.test(text);
}

function isBareFrom(line: Uint8Array): boolean {
  return isEmptyLine(line.subarray(from.length));
}

/** Whether the line at `start` begins with at least `least` `>` and then `From `. */
function isQuotedFrom(bytes: Uint8Array, start: number, least: number): boolean {
  let at = start;
  while (bytes[at] === greaterThan) at++;
  return at - start >= least && startsWith(bytes, from, at);
}

function startsWith(line: Uint8Array, start: Uint8Array, at: number): boolean {
  return start.every((byte, i) => line[at + i] === byte);
}

function isEmptyLine(line: Uint8Array): boolean {
  return line.length === 1 && line[0] === lineFeed ||
    line.length === 2 && line[0] === carriageReturn && line[1] === lineFeed;
}

/** Lines with their LF; the last may lack it. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const lf = bytes.indexOf(lineFeed, at);
    const end = lf < 0 ? bytes.length : lf + 1;
    yield bytes.subarray(at, end);
    at = end;
  }
}

async function* streamedLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  for await (const chunk of chunks) {
    // Copied: the source may reuse its buffer.
    for (const line of linesOf(chunk.slice())) {
      rest.push(line);
      if (line[line.length - 1] !== lineFeed) continue;
      yield concatBytes(rest);
      rest = [];
    }
  }
  if (rest.length > 0) yield concatBytes(rest);
}
