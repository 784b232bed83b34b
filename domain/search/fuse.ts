import type { SearchHit } from "../ports/search_index.ts";
import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { isSmallWord } from "../../fulltext/analysis/term_weights.ts";
import { tokenize } from "../../fulltext/analysis/tokens.ts";
import { monotone } from "../../fulltext/analysis/monotone.ts";
import type { Scale } from "./closeness.ts";

/** What found an email: an identifier of the query, its words, or its meaning; in this order. */
export const waysToFind = ["identifier", "words", "meaning"] as const;

export interface FoundHit extends SearchHit {
  foundBy: typeof waysToFind[number][];
}

/** An email near to the query in meaning. */
export interface NearHit {
  emailId: string;
  /** 0..1, for the order. */
  closeness: number;
  /** 0..1, how relevant it is by its closeness alone. */
  score: number;
  /** The nearest of its passages, or "". */
  passage: string;
}

/** The emails nearest in meaning, and how far they are trusted. */
export interface SemanticHits extends Pick<Scale, "weight" | "places"> {
  /** The nearest first; those after the first 50 only change the places of lexical hits. */
  hits: NearHit[];
}

export const noneNear: SemanticHits = { hits: [], weight: 0, places: 0 };

/** So many of the nearest count as found by meaning. */
export const nearestHits = 50;
/** The share of the lower score: mail that both searches find scores above mail that only one finds. */
const lowerShare = 0.15;
const firstHits = 10;
/**
 * The weight of closeness falls with the number of different words above this one: the words of a pasted text say more
 * than its vector, which is that of its first 128 tokens.
 */
const shortText = 15;

/**
 * Joins the hits of the lexical and the semantic search. They are ordered by a weighted mean of both on one scale: the
 * first lexical hit has its score, the others a share of it; closeness is on this scale already. Emails with an exact
 * term of the query come first. Of the first ten places the nearest in meaning get `places`, and emails with a rare word
 * what is left. The score of a hit is mostly the better of the two, because a vector finds mail without a word of the
 * query, and characters find an order number.
 *
 * @param semantic null, or a weight of 0, leaves the order and the scores of the lexical hits.
 * @param text the query. Hits of one that has only small words come after those of meaning.
 */
export function fuse(
  text: string,
  lexical: SearchHit[],
  semantic: SemanticHits | null,
): FoundHit[] {
  const { hits: near, weight: trust, places } = semantic ?? noneNear;
  if (trust === 0) return lexical.map((hit) => ({ ...hit, foundBy: waysOf(hit, true, false) }));
  const asked = tokenize(text).map(({ word }) => word);
  const noWords = asked.every((word) => isSmallWord(word.text));
  const weight = trust * Math.min(1, shortText / new Set(asked.map(({ stemKey }) => stemKey)).size);
  const found = new Map(lexical.map((hit, place) => [hit.emailId, {
    hit,
    words: noWords ? 0 : hit.value === undefined ? hit.score : lexical[0].score * hit.value,
    closeness: 0,
    relevance: 0,
    place,
    isNear: false,
  }]));
  near.forEach(({ emailId, closeness, score: relevance, passage }, n) => {
    const isNear = n < nearestHits;
    const known = found.get(emailId);
    if (known) Object.assign(known, { closeness, relevance, isNear });
    else if (isNear) {
      const hit = { emailId, score: 0, passage };
      found.set(emailId, { hit, words: 0, closeness, relevance, place: Infinity, isNear });
    }
  });
  const hits = [...found.values()].map((each) => ({
    ...each,
    order: (1 - weight) * each.words + weight * each.closeness,
  })).sort((a, b) =>
    Number(b.hit.literal ?? false) - Number(a.hit.literal ?? false) || b.order - a.order ||
    // Hits that only vectors found keep their order.
    (a.place === b.place ? 0 : a.place - b.place)
  );
  pinHits(hits, hits.filter(({ hit }) => hit.named).map((each) => [each]), firstHits);
  const nearest = new Set(near.slice(0, places).map(({ emailId }) => emailId));
  const groups = [
    ...hits.slice(0, firstHits).filter(({ hit }) => hit.literal || hit.named),
    ...hits.filter(({ hit }) => nearest.has(hit.emailId)),
    ...hits.filter(({ hit }) => hit.rare).slice(0, firstHits),
  ];
  pinHits(hits, groups.map((each) => [each]), firstHits);
  const scores = monotone(hits.map(({ hit, relevance }) => {
    const [lower, better] = [hit.score, relevance].sort((a, b) => a - b);
    const score = better + lowerShare * lower * (1 - better);
    return hit.literal ? Math.max(literalScore, score) : score;
  }));
  return hits.map(({ hit, place, isNear }, n) => ({
    ...hit,
    score: scores[n],
    foundBy: waysOf(hit, place < Infinity, isNear),
  }));
}

function waysOf({ literal, named }: SearchHit, byWords: boolean, byMeaning: boolean) {
  const found = { identifier: literal || named, words: byWords, meaning: byMeaning };
  return waysToFind.filter((way) => found[way]);
}
