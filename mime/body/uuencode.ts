const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const spaceCode = 0x20;
const graveCode = 0x60;
const fieldBits = 0x3f;

/** At most 45 bytes a line, whose count is its first character. */
const groupCharacters = 4;

/**
 * Decodes `x-uuencode` (the uuencode of POSIX): the lines between `begin` and `end`, of each as many bytes as its first
 * character says. Without a `begin` all lines count. Linear; never throws.
 */
export function decodeUuencode(content: Uint8Array): Uint8Array {
  const out = new Uint8Array(content.length);
  let length = 0;
  for (const line of linesOf(content)) {
    // Only such a line can be `begin` or `end`, and most lines are not: each text made of a line costs a microsecond.
    if (line[0] > graveCode) {
      const front = latin1.decode(line.subarray(0, 16));
      if (/^begin [0-7]{3,4} /.test(front)) length = 0;
      if (front.trimEnd() === "end") break;
      continue;
    }
    length += decodeLine(line, out.subarray(length));
  }
  return out.slice(0, length);
}

const latin1 = new TextDecoder("latin1");

function* linesOf(content: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < content.length;) {
    const lf = content.indexOf(lineFeed, at);
    const end = lf < 0 ? content.length : lf;
    yield content.subarray(at, content[end - 1] === carriageReturn ? end - 1 : end);
    at = end + 1;
  }
}

/** Writes the bytes of one line; returns their number. Blanks at its end may have been lost in transport. */
function decodeLine(line: Uint8Array, out: Uint8Array): number {
  const first = line[0] ?? spaceCode;
  if (first < spaceCode) return 0;
  const count = valueOf(first);
  const bytes = Math.min(count, out.length);
  for (let n = 0; n < bytes; n++) {
    const at = 1 + Math.floor(n / 3) * groupCharacters + n % 3;
    const shift = 2 * (n % 3) + 2;
    out[n] = valueOf(line[at]) << shift | valueOf(line[at + 1]) >> 6 - shift;
  }
  return bytes;
}

const valueOf = (code = spaceCode): number => (code - spaceCode) & fieldBits;
