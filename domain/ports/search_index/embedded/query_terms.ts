import { termKey } from "../../../search/term_key.ts";
import { tokenize } from "../../../search/tokens.ts";

/** A query as ranking reads it. */
export interface QueryTerms {
  /** Term to how often the query says it. */
  stems: Map<number, number>;
  words: Map<number, number>;
  /** What was surely meant to the letter: order numbers, codes. */
  identifiers: number[];
  /** Whether the query is nothing but identifiers. */
  onlyIdentifiers: boolean;
}

/** A query is a question, not a book: what comes after so many characters is not looked at. */
const MAX_QUERY_LENGTH = 4000;

const YEAR = /^(19|20)\d\d$/;

export function queryTerms(text: string): QueryTerms {
  const tokens = tokenize(text.slice(0, MAX_QUERY_LENGTH));
  const count = (words: string[]) => {
    const counts = new Map<number, number>();
    for (const word of words) {
      const key = termKey(word);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const meant = tokens.filter(({ word, identifier }) => identifier && !YEAR.test(word));
  // Of a compound and its parts the compound is what was meant.
  const whole = meant.filter(({ start, end }) =>
    !meant.some((other) =>
      other.start <= start && other.end >= end && other.end - other.start > end - start
    )
  );
  return {
    stems: count(tokens.map(({ stem }) => stem)),
    words: count(tokens.map(({ word }) => word)),
    identifiers: [...new Set(whole.map(({ word }) => termKey(word)))],
    onlyIdentifiers: whole.length > 0 &&
      tokens.every(({ start, end }) =>
        whole.some((other) => other.start <= start && other.end >= end)
      ),
  };
}
