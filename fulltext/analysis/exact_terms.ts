import { tokenize, type Word } from "./tokens.ts";

/** Something in a query that is meant to the letter, and where in it. */
export interface ExactTerm {
  /** A number, a code, an address as the index has it, whatever joins its parts; null for a phrase. */
  word: Word | null;
  /** Its words as `plainWords` gives them: what a text must hold that has no such `word`. */
  phrase: string;
  words: Word[];
  /** What surely was meant so, not a small number that may be one of many. */
  strong: boolean;
  start: number;
  end: number;
}

/** More in one query is a list that somebody has pasted. */
const maxLiterals = 20;

const years = /^(19|20)\d\d(s|[-/](19|20)?\d\d)?$/;
const quotedPhrase = /"([^"]{2,200})"|“([^”]{2,200})”|„([^“”]{2,200})[“”]|«([^»]{2,200})»/g;
/** A run of parts as addresses, paths and long numbers have them. */
const wordRun = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[-_./@:+#](?=[\p{L}\p{N}]))*/gu;

/**
 * What of a query must be found to the letter: words with digits, addresses, codes in capitals
 * with hyphens, and what is in quotation marks. A year is no identifier, and of a compound and
 * its parts the compound is meant. Stops at `most`: an email of 250,000 characters may have as many as
 * half of that, and each is compared with those found before.
 */
export function exactTermsOf(query: string, most = maxLiterals): ExactTerm[] {
  const found: ExactTerm[] = [];
  for (const match of query.matchAll(quotedPhrase)) {
    if (found.length >= most) break;
    const inner = match.slice(1).find((group) => group !== undefined)!;
    add(found, quoted(inner, match.index, match.index + match[0].length));
  }
  for (const { 0: run, index } of query.matchAll(wordRun)) {
    if (found.length >= most) break;
    if (found.some(({ start, end }) => start <= index && index < end)) continue;
    add(found, ofRun(run, index));
  }
  return found;
}

function add(found: ExactTerm[], literal: ExactTerm | null) {
  if (literal) found.push(literal);
}

function ofRun(run: string, start: number): ExactTerm | null {
  const hasDigit = /\d/.test(run);
  const isName = /\w@\w/.test(run) || /^[A-Z]{2,}(?:[-_./][A-Z]{2,})+$/.test(run);
  if (!isName && !(hasDigit && run.length >= 2) || years.test(run)) return null;
  const whole = tokenize(run).find((token) => token.start === 0 && token.end === run.length);
  const strong = isName || !whole || whole.word.identifier;
  return literal(whole?.word ?? null, run, strong, start, start + run.length);
}

/** Quotation marks around one word are as often irony as a name. */
function quoted(inner: string, start: number, end: number): ExactTerm | null {
  const found = literal(null, inner, true, start, end);
  return found?.words.length === 1 ? { ...found, word: found.words[0], strong: false } : found;
}

function literal(
  word: Word | null,
  text: string,
  strong: boolean,
  start: number,
  end: number,
): ExactTerm | null {
  const words = tokenize(text).map(({ word }) => word);
  return words.length > 0 ? { word, phrase: plainWords(text), words, strong, start, end } : null;
}

/** A text as phrases are compared: folded words with one space between and around. */
export function plainWords(text: string): string {
  const folded = text.toLowerCase().normalize("NFKD").replace(/\p{M}+/gu, "");
  return ` ${folded.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}
