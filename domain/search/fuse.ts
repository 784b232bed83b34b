import type { SearchHit } from "../ports/search_index.ts";
import { pinHits } from "../../fulltext/analysis/pin_hits.ts";
import { literalScore } from "../../fulltext/analysis/coverage_score.ts";
import { monotone } from "../../fulltext/analysis/monotone.ts";

/** An email that was found. `passage` is the one with the nearest vector, if the lexical search did not find the email. */
export type FusedHit = SearchHit & { passage?: string };

/** The share of the lower score: an email that both searches find ranks above one that only one finds. */
const lowerShare = 0.15;
/** Emails with an exact term of the query are among the first so many. */
const firstHits = 10;

/**
 * One list of the hits of the lexical and the semantic search. The score is mostly the better of the two; emails with an
 * exact term of the query come first. Both scores are on the scale of docs/specification.md "Search", so that each is
 * enough alone: mail without a word of the query is found by its vector, and an order number by its characters.
 */
export function fuse(
  lexical: FusedHit[],
  semantic: { emailId: string; score: number; passage: string }[],
): FusedHit[] {
  const found = new Map<string, FusedHit & { lexical: number; semantic: number; place: number }>();
  lexical.forEach((hit, place) =>
    found.set(hit.emailId, { ...hit, lexical: hit.score, semantic: 0, place })
  );
  for (const { emailId, score, passage } of semantic) {
    const hit = found.get(emailId);
    if (hit) hit.semantic = Math.max(hit.semantic, score);
    else {
      const alone = { lexical: 0, semantic: score, place: Infinity };
      found.set(emailId, { emailId, score, passage, ...alone });
    }
  }
  const hits = [...found.values()].map(
    ({ emailId, passage, literal, named, lexical, semantic, place }) => {
      const both = (1 - lowerShare) * Math.max(lexical, semantic) +
        lowerShare * Math.min(lexical, semantic);
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
