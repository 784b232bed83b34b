import { bestPassage, type WantedWords, wantedWords } from "../analysis/best_passage.ts";
import { coverageScore, literalScore } from "../analysis/coverage_score.ts";
import { monotone } from "../analysis/monotone.ts";
import { tokenize } from "../analysis/tokens.ts";
import type { SearchHit, SearchQuery, WordWeights } from "../types.ts";
import type { Account } from "./account.ts";
import { allowedDocuments } from "./filters.ts";
import { queryTerms } from "./query_terms.ts";
import { rankDocuments, type Ranked } from "./ranking/ranking.ts";

/**
 * The best hits, one for each email; how many there are, at most `window`; and the weights of the words, for a reader
 * of passages.
 */
export interface Found {
  hits: SearchHit[];
  total: number;
  weights: WordWeights;
}

/** Searches an account; null has no documents. */
export function searchAccount(account: Account | null, query: SearchQuery): Found {
  if (!account) return { hits: [], total: 0, weights: [] };
  const terms = queryTerms(query.text);
  const allowed = allowedDocuments(account, query.filters);
  const ranked = rankDocuments(account, terms, allowed, query.window);
  const scores = sparseScores(ranked);
  const hits: SearchHit[] = ranked.slice(0, query.wanted).map((
    { document, value, literal, named, rare },
    place,
  ) => ({
    emailId: account.columns.emailId[document],
    score: scores[place],
    value,
    ...(literal ? { literal } : {}),
    ...(named ? { named } : {}),
    ...(rare ? { rare } : {}),
  }));
  const weights = wordWeights(account, query.text);
  if (query.shown) {
    const { from, until } = query.shown;
    const wanted = weightedWords(query.text, weights);
    for (let place = from; place < Math.min(until, hits.length); place++) {
      hits[place].passage = bestPassage(account.text(ranked[place].document), wanted);
    }
  }
  return { hits, total: ranked.length, weights };
}

/** The weight of each stem of a text in the choice of a passage: its inverse document frequency. */
export function wordWeights(account: Account, text: string): WordWeights {
  const { live } = account.columns;
  const stems = new Set(tokenize(text).map(({ word }) => word.stemKey));
  return Array.from(stems, (key) => [key, Math.log(1 + live / (account.stemCount(key) + 0.5))]);
}

/** The words of a text, to choose passages by their weights. */
export function weightedWords(text: string, weights: WordWeights): WantedWords {
  const known = new Map(weights);
  return wantedWords(text, ({ stemKey }) => known.get(stemKey) ?? 0);
}

/** Share of a score that depends on BM25, so that of two emails with all words the better match scores higher. */
const strengthShare = 0.1;
/** Similarity to the first hits adds at most this share of the rest up to 1. */
const likenessShare = 0.25;

/**
 * The scores of ranked documents, 0..1, never ascending. A score is the weighted share of the query that a document
 * has, plus a little for its similarity to the first hits. About 0.9 means every word that matters, or an identifier;
 * 0.7 two of three words, 0.55 half, 0.3 one of four.
 */
function sparseScores(ranked: Ranked[]): number[] {
  const scores = new Array<number>(ranked.length);
  let first = 0;
  for (let n = 0; n < ranked.length; n++) {
    const { coverage, strength, likeness, literal } = ranked[n];
    const held = coverageScore(coverage) * (1 - strengthShare + strengthShare * strength);
    if (n === 0) first = held;
    const score = held + (1 - held) * likenessShare * likeness * first;
    scores[n] = Math.min(1, literal ? Math.max(literalScore, score) : score);
  }
  return monotone(scores);
}
