import { joinedRun, type PieceKind } from "./pieces.ts";

/** A number that is written in groups, without what stands between them; `[start, end)` in the text. */
export interface GroupedNumber {
  word: string;
  start: number;
  end: number;
}

/** Groups of digits, or of digits and capitals after the four characters with which an IBAN begins (ISO 13616). */
const groups = /(?:[A-Z]{2}\d{2}|\d{1,15})(?:[ \u00a0\u2009\u202f./()-]{1,3}[A-Z\d]{1,15}){1,12}/y;
const group = /[A-Z\d]+/g;
const anIban = { least: 15, most: 34 };
/** Digits of a telephone number without a prefix, and of the longest card (ISO/IEC 7812). A longer row is a table. */
const aNumber = { least: 7, most: 19 };
/** So many groups with joints between them are a compound: `compoundOf`. */
const groupsOfCompound = 5;

/**
 * Finds the IBANs, card and telephone numbers of a text that are written in groups: `DE12 5001 0517 0648 4898 90` is
 * found as one word. Those that are one compound are left out. Linear time: a number is read once, whatever pieces it has.
 */
export class GroupedNumbers {
  /** Where the last number ends. */
  private end = 0;

  constructor(private readonly text: string) {}

  /** The number that begins with the piece `[start, end)`, or null; pieces come in order. */
  at(kind: PieceKind, start: number, end: number): GroupedNumber | null {
    const { text } = this;
    // "IBAN:DE12 5001".
    if (kind === joinedRun) start += text.slice(start, end).lastIndexOf(":") + 1;
    if (!isDigit(text.charCodeAt(start)) && !beginsIban(text, start)) return null;
    if (start < this.end || !goesOn(text, end) && end - start < anIban.least) return null;
    groups.lastIndex = start;
    const run = groups.exec(text);
    if (run === null) return null;
    const { word, end: length } = numberIn(run[0]);
    this.end = start + length;
    return word === "" ? null : { word, start, end: this.end };
  }
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;
const isCapital = (unit: number) => unit >= 0x41 && unit <= 0x5a;

function beginsIban(text: string, start: number): boolean {
  return isCapital(text.charCodeAt(start)) && isCapital(text.charCodeAt(start + 1)) &&
    isDigit(text.charCodeAt(start + 2)) && isDigit(text.charCodeAt(start + 3));
}

/** Whether a group may come after a piece. */
function goesOn(text: string, end: number): boolean {
  if (!isBetween(text.charCodeAt(end))) return false;
  const next = text.charCodeAt(end + 1);
  return isDigit(next) || isCapital(next) || isBetween(next);
}

/** Blanks, and `(` to `/` but for the signs of arithmetic. */
function isBetween(unit: number): boolean {
  return unit === 0x20 || unit === 0xa0 || unit === 0x2009 || unit === 0x202f ||
    unit >= 0x28 && unit <= 0x2f && unit !== 0x2a && unit !== 0x2b && unit !== 0x2c;
}

/** The number with which a run begins; its word is "" if it is none. */
function numberIn(run: string): Omit<GroupedNumber, "start"> {
  const isIban = /^[A-Z]/.test(run);
  let word = "", end = 0, count = 0;
  for (const { 0: part, index } of run.matchAll(group)) {
    const isPart = isIban
      ? /\d/.test(part) || count === 1 && part.length === 4
      : /^\d+$/.test(part);
    if (!isPart) break;
    // The zero that is left out after the code of a country.
    if (count === 0 || run.slice(index - 1, index + 2) !== "(0)") word += part;
    end = index + part.length;
    count++;
  }
  const { least, most } = isIban ? anIban : aNumber;
  const isCompound = count <= groupsOfCompound &&
    !/[ \u00a0\u2009\u202f()]/.test(run.slice(0, end));
  // A row of single digits is a table.
  const isNumber = count > 1 && !isCompound && word.length >= 2 * count && word.length >= least &&
    word.length <= most &&
    !date.test(run.slice(0, end));
  return { word: isNumber ? word.toLowerCase() : "", end };
}

/** A number after a date is no part of one. */
const date = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}) /;
