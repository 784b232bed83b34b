import type { SearchHit } from "../ports/search_index.ts";
import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { monotone } from "../../fulltext/analysis/monotone.ts";

/** The share of the lower score: mail that both searches find scores above mail that only one finds. */
const lowerShare = 0.15;
/** Emails with an exact term of the query are among this many first hits. */
const firstHits = 10;

/**
 * Joins the hits of the lexical and the semantic search. They are ordered by a weighted mean of both on one scale: the
 * first lexical hit has its score, the others a share of it; closeness is on this scale already. Emails with an exact
 * term of the query come first. The score of a hit is mostly the better of the two: a vector finds mail without a word
 * of the query, and characters find an order number.
 *
 * @param weight of closeness, 0..1; with 0 the lexical hits are returned unchanged.
 */
export function fuse(
  lexical: SearchHit[],
  semantic: { emailId: string; score: number; passage: string }[],
  weight: number,
): SearchHit[] {
  if (weight === 0) return lexical;
  const [first] = lexical;
  const found = new Map<string, SearchHit & { words: number; closeness: number; place: number }>();
  lexical.forEach((hit, place) => {
    const words = hit.value === undefined ? hit.score : first.score * hit.value;
    found.set(hit.emailId, { ...hit, words, closeness: 0, place });
  });
  for (const { emailId, score, passage } of semantic) {
    const hit = found.get(emailId);
    if (hit) hit.closeness = Math.max(hit.closeness, score);
    else {
      const alone = { words: 0, closeness: score, place: Infinity };
      found.set(emailId, { emailId, score: 0, passage, ...alone });
    }
  }
  const hits = [...found.values()].map(({ words, closeness, place, ...hit }) => {
    const both = (1 - lowerShare) * Math.max(hit.score, closeness) +
      lowerShare * Math.min(hit.score, closeness);
    const score = hit.literal ? Math.max(literalScore, both) : both;
    return { ...hit, score, place, order: (1 - weight) * words + weight * closeness };
  }).sort((a, b) =>
    Number(b.literal ?? false) - Number(a.literal ?? false) || b.order - a.order ||
    // Hits that only vectors found keep their order.
    (a.place === b.place ? 0 : a.place - b.place)
  );
  pinHits(hits, hits.filter(({ named }) => named).map((hit) => [hit]), firstHits);
  const scores = monotone(hits.map(({ score }) => score));
  return hits.map(({ place: _, order: __, ...hit }, n) => ({ ...hit, score: scores[n] }));
}
