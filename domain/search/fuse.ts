import type { SearchHit } from "../ports/search_index.ts";
import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { monotone } from "../../fulltext/analysis/monotone.ts";

/** An email found; `passage` is the one whose vector is near, where no word was found. */
export type FusedHit = SearchHit & { passage?: string };

/** What the weaker half adds: two reasons are better than one. */
const secondShare = 0.15;
/** What the query names is among so many. */
const firstHits = 10;

/**
 * One list out of what words and what vectors have found: the better of the two judgements, the
 * other a little; emails with an identifier of the query first. Both judgements are on SPEC.md's
 * scale already, so the better one may stand for itself: mail that shares no word with the query
 * is found by its meaning, and an order number by its letters though its vector is far.
 */
export function fuse(
  words: FusedHit[],
  meaning: { emailId: string; score: number; passage: string }[],
): FusedHit[] {
  const found = new Map<string, FusedHit & { words: number; meaning: number; place: number }>();
  words.forEach((hit, place) =>
    found.set(hit.emailId, { ...hit, words: hit.score, meaning: 0, place })
  );
  for (const { emailId, score, passage } of meaning) {
    const hit = found.get(emailId);
    if (!hit) {
      found.set(emailId, {
        emailId,
        score,
        passage,
        words: 0,
        meaning: score,
        place: Infinity,
      });
    } else hit.meaning = Math.max(hit.meaning, score);
  }
  const hits = [...found.values()].map(
    ({ emailId, passage, literal, named, words, meaning, place }) => {
      const both = (1 - secondShare) * Math.max(words, meaning) +
        secondShare * Math.min(words, meaning);
      const score = literal ? Math.max(literalScore, both) : both;
      return { emailId, score, passage, literal, named, place };
    },
  ).sort((a, b) =>
    Number(b.literal ?? false) - Number(a.literal ?? false) || b.score - a.score ||
    a.place - b.place
  );
  pinHits(hits, hits.filter(({ named }) => named).map((hit) => [hit]), firstHits);
  const scores = monotone(hits.map(({ score }) => score));
  return hits.map(({ place: _, ...hit }, n) => ({ ...hit, score: scores[n] }));
}
