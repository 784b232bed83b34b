import { termWeight } from "../analysis/term_weights.ts";
import { type ExactTerm, exactTermsOf } from "../analysis/exact_terms.ts";
import { type Token, tokenize } from "../analysis/tokens.ts";

/** One term of a query. */
export interface QueryTerm {
  /** How often the query has it as a stem, and as a word; inside a compound half a time. */
  asStem: number;
  asWord: number;
  /** Its weight in any mail (`termWeight`); 1 if the query has only small words. */
  weight: number;
  /** True for a word of the query that is not a small word. */
  isMeant: boolean;
}

/** A query, parsed for ranking. */
export interface QueryTerms {
  /** By key. */
  terms: Map<number, QueryTerm>;
  /** Of a text only the strong ones. */
  exactTerms: ExactTerm[];
  /** True for a long text, whose identifiers and numbers are by the way. */
  isText: boolean;
  /** Number of distinct stems. */
  size: number;
  /** True if the query has nothing but identifiers (order numbers, codes). */
  onlyIdentifiers: boolean;
}

/** "x-ray" is searched as x, ray and xray; if each counted as much, it would count as three words. */
const partShare = 0.5;

/** A query with more different words outside its identifiers is a text, not a question. */
const questionWords = 30;

/** Characters of a query that are read. */
const maxQueryLength = 4000;

export function queryTerms(text: string): QueryTerms {
  const query = text.slice(0, maxQueryLength);
  const tokens = tokenize(query);
  const exactTerms = exactTermsOf(query);
  const terms: QueryTerms["terms"] = new Map();
  const term = (key: number) => {
    let found = terms.get(key);
    if (!found) terms.set(key, found = { asStem: 0, asWord: 0, weight: 0, isMeant: false });
    return found;
  };
  const nothingElse = tokens.every(({ word }) => termWeight(word) === 0);
  let compound = { start: 0, end: 0 };
  // A compound comes after its parts.
  for (const token of tokens.toReversed()) {
    const { word, start, end } = token;
    const isPart = start >= compound.start && end <= compound.end &&
      end - start < compound.end - compound.start;
    const times = isPart ? partShare : 1;
    if (!isPart && !word.identifier) compound = token;
    const stem = term(word.stemKey);
    stem.asStem += times;
    const weight = nothingElse ? 1 : termWeight(word);
    stem.weight = Math.max(stem.weight, weight);
    // An inflected word has its own term; without this weight it would count as a small word.
    const exact = term(word.key);
    exact.asWord += times;
    exact.weight = Math.max(exact.weight, weight);
    exact.isMeant ||= termWeight(word) > 0;
  }
  const isExact = ({ start, end }: Token) =>
    exactTerms.some((exact) => exact.strong && exact.start <= start && exact.end >= end);
  const others = tokens.filter((token) => !isExact(token));
  const isText = new Set(others.map(({ word }) => word.stemKey)).size > questionWords;
  return {
    terms,
    exactTerms: isText ? exactTerms.filter(({ strong }) => strong) : exactTerms,
    isText,
    size: new Set(tokens.map(({ word }) => word.stemKey)).size,
    onlyIdentifiers: exactTerms.length > 0 && others.length === 0,
  };
}
