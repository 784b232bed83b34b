import { describeError } from "../core/log.ts";
import type { SearchHit, SearchQuery } from "../ports/search_index.ts";
import { coverageScore } from "../../fulltext/analysis/coverage_score.ts";
import { within } from "../core/work/within.ts";
import { type Filters, passes } from "../mail/read/filters.ts";
import type { EmailRow, StoredRow } from "../mail/record/email_row.ts";
import { readableRow } from "../mail/record/read_email.ts";
import type { Address } from "../mail/record/email_row.ts";
import type { Service } from "../core/service.ts";
import { TimeSlices } from "../core/work/time_slices.ts";
import * as keys from "../store/keys.ts";
import { isSmallWord } from "../../fulltext/analysis/term_weights.ts";
import { tokenize } from "../../fulltext/analysis/tokens.ts";

/** Hits, the best first, and how many there are in all: more than `hits` if only a page was requested. */
export interface Found<Hit = SearchHit> {
  hits: Hit[];
  total: number;
}

/** A search takes at most 2 s: this much of it for the lexical search, and this much of that for a remote call. */
const maxLookupMs = 1_500;
const remoteTimeoutMs = 800;

/**
 * Emails with words of the query, from the full-text index. If that index is not complete, also from the sparse half of a
 * hybrid vector index. If it does not answer, from the list rows of the newest emails.
 */
export async function searchLexical(
  service: Service,
  asked: SearchQuery,
  query: Filters & { mailboxes: Set<string> },
): Promise<Found & { degraded: boolean }> {
  const [own, hybrid] = await Promise.all([
    within(service.clock, service.searchIndex.search(asked), maxLookupMs).catch((error) => {
      service.log.warn("search.degraded", { part: "words", error: describeError(error) });
      return null;
    }),
    fromHybridIndex(service, asked),
  ]);
  const found = own ?? { hits: await searchRecent(service, asked.userId, asked.text, query) };
  const hits = hybrid.hits.length === 0 ? found.hits : merge(found.hits, hybrid.hits);
  return {
    hits,
    total: own && hybrid.hits.length === 0 ? own.total : hits.length,
    degraded: own === null || hybrid.degraded,
  };
}

/** The hits of the sparse half of a hybrid vector index; none if the full-text index is complete. */
async function fromHybridIndex(
  service: Service,
  { userId, text, filters, window }: SearchQuery,
): Promise<{ hits: SearchHit[]; degraded: boolean }> {
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

/** Each email once, with the better of its scores; emails with an exact term come first. */
function merge(own: SearchHit[], hybrid: SearchHit[]): SearchHit[] {
  const found = new Map(own.map((hit) => [hit.emailId, hit]));
  for (const hit of hybrid) {
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

/** How many of an account's newest emails are read. */
const maxEmails = 500;
/** Characters of a row that are read: a row may have 400 recipients, and all rows are read on the main thread. */
const maxRowChars = 2_000;
/** These hits are guesses: their scores are weak (docs/specification.md "Search"). */
const maxScore = 0.49;

/**
 * The search while the full-text index does not answer: the newest emails whose list row (subject, people, the beginning of
 * the text) has words of the query, those with the most words first.
 */
export async function searchRecent(
  service: Service,
  userId: string,
  text: string,
  query: Filters & { mailboxes: Set<string> },
): Promise<SearchHit[]> {
  const words = tokenize(text).map(({ word }) => word);
  const content = words.filter((word) => !isSmallWord(word.text));
  const wanted = new Set((content.length > 0 ? content : words).map(({ stemKey }) => stemKey));
  const hits: SearchHit[] = [];
  const slices = new TimeSlices(service.clock, userId);
  const newest = service.database.list<StoredRow>(
    { prefix: keys.emails(userId) },
    { reverse: true, limit: maxEmails },
  );
  for await (const { key, value } of newest) {
    await slices.next();
    const row = readableRow(service.database, String(key.at(-1)), value);
    if (!row || !query.mailboxes.has(row.mailboxId) || !passes(row, query)) continue;
    const held = new Set(tokenize(rowText(row)).map(({ word }) => word.stemKey));
    const share = wanted.intersection(held).size / wanted.size;
    if (share > 0) hits.push({ emailId: row.emailId, score: maxScore * share });
  }
  return hits.sort((a, b) => b.score - a.score);
}

function rowText({ subject, from, to, cc, parsed }: EmailRow): string {
  const people = [from, ...to, ...cc].map(({ name, address }: Address) => `${name} ${address}`);
  // The recipients last: they are many, or nobody looks for them.
  return [subject, parsed?.snippet ?? "", ...people].join("\n").slice(0, maxRowChars);
}
