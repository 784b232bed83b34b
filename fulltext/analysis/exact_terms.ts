import { unseen, unspacedLetter } from "./pieces.ts";
import { tokenize, type Word } from "./tokens.ts";

/** A part of a query that must be found exactly, with its place in the query. */
export interface ExactTerm {
  /** A number, code or address as the index has it, whatever joins its parts; null for a phrase. */
  word: Word | null;
  /** Its words in the form of `plainWords`: a text without `word` must hold these. */
  phrase: string;
  words: Word[];
  /** False for a small number or one quoted word, which the writer may not mean exactly. */
  strong: boolean;
  start: number;
  end: number;
}

/** A query with more is a pasted list. */
const maxExactTerms = 20;

const years = /^(19|20)\d\d(s|[-/](19|20)?\d\d)?$/;
const quotedPhrase = /"([^"]{2,200})"|“([^”]{2,200})”|„([^“”]{2,200})[“”]|«([^»]{2,200})»/g;
/** A run of joined parts, as in addresses, paths and long numbers. */
const wordRun = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[-_./@:+#](?=[\p{L}\p{N}]))*/gu;
export const unspacedLetters = new RegExp(unspacedLetter, "gv");

/**
 * The parts of a query that must be found exactly: words with digits, addresses, codes in capitals with hyphens, and
 * text in quotation marks. Years do not count; of a compound and its parts only the compound counts. Returns at most
 * `most`, because each is compared with those before it: an email of 250,000 characters may have 125,000.
 */
export function exactTermsOf(query: string, most = maxExactTerms): ExactTerm[] {
  const found: ExactTerm[] = [];
  for (const match of query.matchAll(quotedPhrase)) {
    if (found.length >= most) break;
    const inner = match.slice(1).find((group) => group !== undefined)!;
    add(found, quoted(inner, match.index, match.index + match[0].length));
  }
  const spaced = query.replace(unspacedLetters, (letter) => " ".repeat(letter.length));
  for (const { 0: run, index } of spaced.matchAll(wordRun)) {
    if (found.length >= most) break;
    if (found.some(({ start, end }) => start <= index && index < end)) continue;
    add(found, ofRun(run, index));
  }
  return found;
}

function add(found: ExactTerm[], exact: ExactTerm | null) {
  if (exact) found.push(exact);
}

function ofRun(run: string, start: number): ExactTerm | null {
  const hasDigit = /\d/.test(run);
  const isName = /\w@\w/.test(run) || /^[A-Z]{2,}(?:[-_./][A-Z]{2,})+$/.test(run);
  if (!isName && !(hasDigit && run.length >= 2) || years.test(run)) return null;
  const whole = tokenize(run).find((token) => token.start === 0 && token.end === run.length);
  const strong = isName || !whole || whole.word.identifier;
  return exactTerm(whole?.word ?? null, run, strong, start, start + run.length);
}

/** One quoted word is as often irony as a name: not strong. */
function quoted(inner: string, start: number, end: number): ExactTerm | null {
  const found = exactTerm(null, inner, true, start, end);
  return found?.words.length === 1 ? { ...found, word: found.words[0], strong: false } : found;
}

function exactTerm(
  word: Word | null,
  text: string,
  strong: boolean,
  start: number,
  end: number,
): ExactTerm | null {
  const words = tokenize(text).map(({ word }) => word);
  return words.length > 0 ? { word, phrase: plainWords(text), words, strong, start, end } : null;
}

/**
 * A text in the form in which phrases are compared: lower case, no accents, one space between and around words, and
 * around each letter of a script without spaces.
 */
export function plainWords(text: string): string {
  const seen = text.replace(unseen, "");
  const folded = seen.toLowerCase().normalize("NFKD").replace(/\p{M}+/gu, "").normalize("NFC")
    .replace(unspacedLetters, " $& ");
  return ` ${folded.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}
