const decimalDigit = /\p{Nd}/u;

/** Value of a decimal digit of any script by its code point; -1 for anything else. */
function digitValue(code: number): number {
  if (code < 0x80) return code >= 0x30 && code <= 0x39 ? code - 0x30 : -1;
  if (!decimalDigit.test(String.fromCodePoint(code))) return -1;
  // In Unicode the digits of a script are ten in a row, from zero to nine.
  let first = code;
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}

/** A text with ASCII digits, letters and hyphens, and the places of its characters in the original. */
export interface AsciiText {
  text: string;
  /** Index in the original of the character at `index` of `text`. */
  original(index: number): number;
}

/** Characters that forms accept as a hyphen: U+2010 to U+2015, the minus sign, the small and the full-width hyphen. */
const hyphens = /[\u2010-\u2015\u2212\ufe63\uff0d]/;
const foreign = /[\p{Nd}\u2010-\u2015\u2212\ufe63\uff0d\uff21-\uff3a\uff41-\uff5a\s]/u;

/**
 * Digits of every script, full-width letters, hyphens and blanks as ASCII; the rest unchanged. Invisible
 * format characters (direction marks, soft hyphens, joiners) become nothing.
 */
export function asciiText(source: string): AsciiText {
  const simple = /^[\x20-\x7e\n]*$/.test(source);
  if (simple) return { text: source, original: (index) => index };
  const places: number[] = [];
  let text = "";
  for (let at = 0; at < source.length;) {
    const code = source.codePointAt(at)!;
    const width = code > 0xffff ? 2 : 1;
    const one = asciiOf(code, source.slice(at, at + width));
    for (let n = 0; n < one.length; n++) places.push(at + n);
    text += one;
    at += width;
  }
  places.push(source.length);
  return { text, original: (index) => places[index] };
}

function asciiOf(code: number, character: string): string {
  if (code < 0x80) return code === 0x09 || code === 0x0d ? " " : character;
  if (isInvisible(code)) return "";
  if (!foreign.test(character)) return character;
  const value = digitValue(code);
  if (value >= 0) return String(value);
  if (hyphens.test(character)) return "-";
  if (code >= 0xff21 && code <= 0xff5a) return String.fromCharCode(code - 0xfee0);
  return " ";
}

const isInvisible = (code: number): boolean =>
  code === 0xad || code === 0x34f || code === 0x61c || (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff;
