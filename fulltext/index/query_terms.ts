import { importanceOf } from "../analysis/term_weights.ts";
import { type ExactTerm, exactTermsOf } from "../analysis/exact_terms.ts";
import { tokenize } from "../analysis/tokens.ts";

/** What a query says of one term. */
export interface QueryTerm {
  /** How often it is said as a stem and as a word. */
  asStem: number;
  asWord: number;
  /** What it counts for whatever the mail; of all small words of a query of nothing else, 1. */
  importance: number;
  /** Whether it is a word of the query that is no small one. */
  isMeant: boolean;
}

/** A query as ranking reads it. */
export interface QueryTerms {
  /** By key. */
  terms: Map<number, QueryTerm>;
  literals: ExactTerm[];
  /** How many different stems. */
  size: number;
  /** Whether the query is nothing but identifiers (order numbers, codes). */
  onlyIdentifiers: boolean;
}

/** A query is a question, not a book: what comes after so many characters is not looked at. */
const maxQueryLength = 4000;

export function queryTerms(text: string): QueryTerms {
  const query = text.slice(0, maxQueryLength);
  const tokens = tokenize(query);
  const literals = exactTermsOf(query);
  const terms: QueryTerms["terms"] = new Map();
  const term = (key: number) => {
    let found = terms.get(key);
    if (!found) terms.set(key, found = { asStem: 0, asWord: 0, importance: 0, isMeant: false });
    return found;
  };
  const nothingElse = tokens.every(({ word }) => importanceOf(word) === 0);
  for (const { word } of tokens) {
    const stem = term(word.stemKey);
    stem.asStem++;
    stem.importance = Math.max(stem.importance, nothingElse ? 1 : importanceOf(word));
    const exact = term(word.key);
    exact.asWord++;
    exact.isMeant ||= importanceOf(word) > 0;
  }
  return {
    terms,
    literals,
    size: new Set(tokens.map(({ word }) => word.stemKey)).size,
    onlyIdentifiers: literals.length > 0 &&
      tokens.every(({ start, end }) =>
        literals.some((literal) => literal.strong && literal.start <= start && literal.end >= end)
      ),
  };
}
