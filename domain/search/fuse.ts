import type { SearchHit } from "../ports/search_index.ts";
import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { monotone } from "../../fulltext/analysis/monotone.ts";

/** An email that was found. `passage` is the one with the nearest vector, if the lexical search did not find the email. */
export type FusedHit = SearchHit & { passage?: string };

/** The share of the lower score: mail that both searches find scores above mail that only one finds. */
const lowerShare = 0.15;
/** Emails with an exact term of the query are among the first so many. */
const firstHits = 10;

/**
 * One list of the hits of the lexical and the semantic search. The order is a weighted mean of both on one
 * scale: the first lexical hit has its score, the others their share of it, and closeness is such a score
 * already. Emails with an exact term of the query come first. The score is mostly the better of the two:
 * mail without a word of the query is found by its vector, and an order number by its characters.
 *
 * @param weight what closeness counts, 0..1; with 0 the lexical hits are returned as they are.
 */
export function fuse(
  lexical: FusedHit[],
  semantic: { emailId: string; score: number; passage: string }[],
  weight: number,
): FusedHit[] {
  if (weight === 0) return lexical;
  const [first] = lexical;
  const found = new Map<string, FusedHit & { words: number; closeness: number; place: number }>();
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
    // Hits by their vectors alone keep their order.
    (a.place === b.place ? 0 : a.place - b.place)
  );
  pinHits(hits, hits.filter(({ named }) => named).map((hit) => [hit]), firstHits);
  const scores = monotone(hits.map(({ score }) => score));
  return hits.map(({ place: _, order: __, ...hit }, n) => ({ ...hit, score: scores[n] }));
}
