import { describeError } from "../core/log.ts";
import type { Filters } from "../mail/reading/filters.ts";
import type { SearchQuery } from "../ports/search_index.ts";
import type { Service } from "../core/service.ts";
import { coverageScore } from "../../fulltext/analysis/coverage_score.ts";
import type { FusedHit } from "./fuse.ts";
import { searchRecent } from "./recent.ts";
import { within } from "../core/within.ts";

/** What was found, the best first, and how many in all: more than `hits` where only a page was asked for. */
export interface Found {
  hits: FusedHit[];
  total: number;
}

/** A search answers within 2 s: what finding words may take of it, and of that a call outside. */
const maxLookupMs = 1_500;
const remoteTimeoutMs = 800;

/**
 * Emails by the words of a query: the index of words, and where that has not all of them the
 * words beside the vectors; while it does not answer, the newest emails' list rows.
 */
export async function searchLexical(
  service: Service,
  asked: SearchQuery,
  query: Filters & { mailboxes: Set<string> },
): Promise<Found & { degraded: boolean }> {
  const [own, beside] = await Promise.all([
    within(service.clock, service.searchIndex.search(asked), maxLookupMs).catch((error) => {
      service.log.warn("search.degraded", { part: "words", error: describeError(error) });
      return null;
    }),
    besideVectors(service, asked),
  ]);
  const found = own ?? { hits: await searchRecent(service, asked.userId, asked.text, query) };
  const hits = beside.hits.length === 0 ? found.hits : merge(found.hits, beside.hits);
  return {
    hits,
    total: own && beside.hits.length === 0 ? own.total : hits.length,
    degraded: own === null || beside.degraded,
  };
}

/** What a hybrid vector index finds by its sparse half; nothing where the index of words is complete. */
async function besideVectors(
  service: Service,
  { userId, text, filters, window }: SearchQuery,
): Promise<{ hits: FusedHit[]; degraded: boolean }> {
  const vectors = service.semantic?.vectors;
  if (service.searchIndex.complete || !vectors?.searchWords) return { hits: [], degraded: false };
  try {
    const timeoutMs = remoteTimeoutMs;
    const found = await vectors.searchWords({ userId, text, filters, window, timeoutMs }) ?? [];
    return {
      hits: found.map(({ emailId, share }) => ({ emailId, score: coverageScore(share) })),
      degraded: false,
    };
  } catch (error) {
    const part = `${vectors.name} words`;
    service.log.warn("search.degraded", { part, error: describeError(error) });
    return { hits: [], degraded: true };
  }
}

/** Each email once, with the better of its scores; what is there to the letter stays first. */
function merge(own: FusedHit[], beside: FusedHit[]): FusedHit[] {
  const found = new Map(own.map((hit) => [hit.emailId, hit]));
  for (const hit of beside) {
    const known = found.get(hit.emailId);
    found.set(hit.emailId, {
      ...hit,
      ...known,
      score: Math.max(hit.score, known?.score ?? 0),
    });
  }
  return [...found.values()].sort((a, b) =>
    Number(b.literal ?? false) - Number(a.literal ?? false) || b.score - a.score
  );
}
