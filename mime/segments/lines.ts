/** Who wrote a line, and why it is in the mail. */
export type LineOrigin = "new" | "quoted" | "forwarded" | "signature" | "disclaimer";

/** How many characters of a line the patterns see, so that one long line costs little. */
export const maxLineChars = 400;
export const head = (line: string) => line.slice(0, maxLineChars);
export const isBlank = (line: string) => line.trim() === "";

/** An address, a time or a year. */
export const dated = /@|\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d\d(?!\d)/;

/** Nothing, or a rule. */
export const isRule = (line: string) => /^[\s_=-]*$/.test(line);

/** A bar at the beginning quotes, unless there is one at the end too: that is the frame of a table. */
export function isQuoted(line: string): boolean {
  const first = line.charCodeAt(0);
  // Most lines begin with a letter.
  if (first > 0x20 && first !== 0x3e && first !== 0x7c && first !== 0xff1e && first !== 0xa0) {
    return false;
  }
  return /^\s{0,3}(?:[>＞]|\|(?![-|_+=])(?!.*\|$))/.test(line) &&
    !(line.endsWith("<<") && line.startsWith(">>"));
}

/** The line without one mark of a quote. */
export const unquoted = (line: string) =>
  isQuoted(line) ? line.replace(/^\s{0,3}[>|＞]\s?/, "") : line;

const colon = 0x3a;
const wideColon = 0xff1a;

/** True for the marks of direction that Gmail writes around addresses in Hebrew and Arabic. */
const isDirection = (unit: number) =>
  unit === 0x200e || unit === 0x200f || (unit >= 0x202a && unit <= 0x202e) ||
  (unit >= 0x2066 && unit <= 0x2069);

/** True if a colon ends a line that has no blanks at its end. */
export function endsInColon(line: string): boolean {
  let end = line.length;
  while (end > 0 && isDirection(line.charCodeAt(end - 1))) end--;
  const last = line.charCodeAt(end - 1);
  return last === colon || last === wideColon;
}
