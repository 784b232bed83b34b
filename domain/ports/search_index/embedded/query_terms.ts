import { tokenize } from "../../../search/tokens.ts";

/** A query as ranking reads it. */
export interface QueryTerms {
  /** By key: how often the query says it as a stem and as a word, and whether to the letter. */
  terms: Map<number, { asStem: number; asWord: number; identifier: boolean }>;
  /** How many different stems. */
  size: number;
  /** Whether the query is nothing but identifiers (order numbers, codes). */
  onlyIdentifiers: boolean;
}

/** A query is a question, not a book: what comes after so many characters is not looked at. */
const MAX_QUERY_LENGTH = 4000;

const YEAR = /^(19|20)\d\d$/;

export function queryTerms(text: string): QueryTerms {
  const tokens = tokenize(text.slice(0, MAX_QUERY_LENGTH));
  const meant = tokens.filter(({ word }) => word.identifier && !YEAR.test(word.text));
  // Of a compound and its parts the compound is what was meant.
  const whole = meant.filter(({ start, end }) =>
    !meant.some((other) =>
      other.start <= start && other.end >= end && other.end - other.start > end - start
    )
  );
  const literal = new Set(whole.map(({ word }) => word.key));
  const terms: QueryTerms["terms"] = new Map();
  const term = (key: number) => {
    let found = terms.get(key);
    if (!found) terms.set(key, found = { asStem: 0, asWord: 0, identifier: literal.has(key) });
    return found;
  };
  for (const { word } of tokens) {
    term(word.stemKey).asStem++;
    term(word.key).asWord++;
  }
  return {
    terms,
    size: new Set(tokens.map(({ word }) => word.stemKey)).size,
    onlyIdentifiers: whole.length > 0 &&
      tokens.every(({ start, end }) =>
        whole.some((other) => other.start <= start && other.end >= end)
      ),
  };
}
