/** A number that is written in groups, without what stands between them; `[start, end)` in the text. */
export interface GroupedNumber {
  word: string;
  start: number;
  end: number;
}

/** Groups of digits, or of digits and capitals after the four characters with which an IBAN begins (ISO 13616). */
const groups =
  /\(?(?:[A-Z]{2}\d{2}|\+?\d{1,15})(?:[ \u00a0\u2009\u202f./()-]{1,3}[A-Z\d]{1,15}){1,12}/g;
const group = /[A-Z\d]+/g;
const anIban = { least: 15, most: 34 };
/** Digits of a telephone number without a prefix, and of the longest card (ISO/IEC 7812). A longer row is a table. */
const aNumber = { least: 7, most: 19 };
/** So many groups with joints between them are a compound: `compoundOf`. */
const groupsOfCompound = 5;

/**
 * The IBANs, card and telephone numbers of a text that are written in groups: `DE12 5001 0517 0648 4898 90` is found as
 * one word. Those that are one compound are left out. Linear time.
 */
export function groupedNumbers(text: string): GroupedNumber[] {
  const found: GroupedNumber[] = [];
  groups.lastIndex = 0;
  for (let match = groups.exec(text); match; match = groups.exec(text)) {
    const { 0: run, index } = match;
    const number = isInsideWord(text, index) ? null : numberIn(run);
    if (number === null) continue;
    if (number.word !== "") {
      found.push({ word: number.word, start: index + number.start, end: index + number.end });
    }
    // What is left of the run may begin another number.
    groups.lastIndex = index + number.end;
  }
  return found;
}

function isInsideWord(text: string, at: number): boolean {
  return at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]);
}

/** The number with which a run begins; its word is "" if it is none. */
function numberIn(run: string): GroupedNumber {
  const isIban = /^[A-Z]/.test(run);
  let word = "", start = -1, end = 0, count = 0;
  for (const { 0: part, index } of run.matchAll(group)) {
    const isPart = isIban
      ? /\d/.test(part) || count === 1 && part.length === 4
      : /^\d+$/.test(part);
    if (!isPart) break;
    if (start < 0) start = index;
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
    !date.test(run.slice(start, end));
  return { word: isNumber ? word.toLowerCase() : "", start: Math.max(0, start), end };
}

/** A number after a date is no part of one. */
const date = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}) /;
