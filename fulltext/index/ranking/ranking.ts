import { pinHits } from "../../analysis/pin_hits.ts";
import type { Account } from "../account.ts";
import type { PostingList } from "../posting_list.ts";
import type { QueryTerm, QueryTerms } from "../query_terms.ts";
import { Bm25, coveredScores, fedScores, finalScores, ownScores } from "./bm25.ts";
import { exactDocuments } from "./exact_documents.ts";
import { feedback, feedbackDocuments } from "./feedback.ts";
import { QueryBudget } from "./query_budget.ts";
import { smoothed } from "./smoothing.ts";
import { BestDocuments, byScore, ScoreCounts, topDocuments } from "./top.ts";

// The constants of the ranking. Small changes of each move nDCG@10 little on twelve tasks:
// docs/research/search.md.
/** The BM25 constant for repetitions in the query: the fifth "bone" counts less than the first. */
const k3 = 8;
/** The share of the word itself in a term's score; its stem has the rest. */
const wordShare = 0.3;
/** The share of feedback in a score. */
const feedbackShare = 0.5;
/**
 * An email without any word of the query needs this share of the highest feedback score; among the best
 * `smoothedDocuments`, which are compared with each other, the lower share.
 */
const minLikeness = 0.3, minLikenessOfBest = 0.15;
/**
 * Documents of a word that at most three hold are among the first ten hits, even if its stem is
 * common ("owning" if "owns" is common). Only in queries of up to twelve words: in longer ones it costs a
 * tenth of nDCG@10 on CISI.
 */
const rareDocuments = 3;
const shortQuery = 12;
const firstHits = 10;
/** The values of so many of the best documents are drawn to those of their neighbours. */
const smoothedDocuments = 36;
/** Weight of a small word ("when", "my") in the order of hits. */
const smallShare = 0.1;
/** A small word in more documents than this is skipped: its list is long and of no use. */
const everywhere = 5_000;

/** One hit. */
export interface Ranked {
  document: number;
  /** The weighted share of the query that it holds, 0..1. */
  coverage: number;
  /** Its BM25 score as a share of the best one's, 0..1. */
  strength: number;
  /** Its feedback score as a share of the best one, 0..1. */
  likeness: number;
  /** The value that orders the hits, as a share of the first hit's, 0..1, never ascending. */
  value: number;
  /** It holds an identifier of the query that few others hold. */
  literal: boolean;
  /** It was pinned among the first hits for an exact term of the query. */
  named: boolean;
  /** It holds a rare word of a short query. */
  rare: boolean;
}

/**
 * The documents of an account for a query, best first, at most `window`. Half of a value is BM25 over
 * stems and words, half is feedback: other terms of the first hits as a second query, which finds mail
 * about the same thing in other words. The values of the best are drawn to those of documents that are
 * like them (`smoothed`). The best hit by BM25 stays first. Documents with an identifier
 * of the query come before all others, and each exact term has one among the first ten.
 */
export function rankDocuments(
  account: Account,
  query: QueryTerms,
  allowed: Uint8Array,
  window: number,
  budget = new QueryBudget(),
): Ranked[] {
  const { columns } = account;
  const bm25 = new Bm25(account);
  const own = account.scratch(ownScores);
  const covered = account.scratch(coveredScores);
  const { whole, rare } = scoreTerms(account, query, bm25, { own, covered }, budget);
  const best = new BestDocuments(own, columns, Math.max(firstHits, feedbackDocuments));
  for (let n = 0; n < own.length; n++) {
    if (own[n] === 0) continue;
    // Documents that have only small words of the query are no hits.
    if (!allowed[n] || covered[n] === 0) own[n] = 0;
    else best.offer(n);
  }
  const first = best.documents;
  if (first.length === 0) return [];

  const { scores: fed, most: mostFed } = query.onlyIdentifiers
    ? { scores: account.scratch(fedScores), most: 0 }
    : feedback(account, bm25, first.slice(0, feedbackDocuments), own, query.terms, allowed);
  const mostOwn = own[first[0]];
  const { final, counts } = joined(account, { own, mostOwn }, { fed, mostFed }, allowed);
  const ranked = topDocuments(final, columns, window, counts);
  if (!query.onlyIdentifiers) smoothBest(account, ranked, final, bm25);
  const exact = exactDocuments(account, query, own, budget);
  const meant = new Set(
    exact.filter(({ telling }) => telling).flatMap(({ documents }) => documents),
  );
  // Of the documents with an identifier the best by BM25 is first; without any, it is the first of all.
  const byValue = byScore(final, columns);
  const isBest = (document: number) => document === first[0] ? 1 : 0;
  const front = [...meant].sort((a, b) => isBest(b) - isBest(a) || byValue(a, b));
  bringToFront(ranked, meant.has(first[0]) ? front : [...front, first[0]], window);
  if (query.size > shortQuery) rare.clear();
  promoteRare(ranked, rare, own, window);
  const named = pinHits(ranked, exact.map(({ documents }) => documents), firstHits);
  const values = falling(ranked.map((document) => final[document]));
  return ranked.map((document, place) => ({
    document,
    value: values[place],
    coverage: whole > 0 ? Math.min(1, covered[document] / whole) : 0,
    strength: Math.min(1, own[document] / mostOwn),
    likeness: mostFed > 0 ? fed[document] / mostFed : 0,
    literal: meant.has(document),
    named: named.has(document),
    rare: rare.has(document),
  }));
}

/**
 * Adds the BM25 scores of the query's terms to `own`, and their weights to `covered`. Returns the weight of the whole
 * query, and the documents with a rare word of it. If the budget does not suffice for all terms, the commonest are left
 * out; they count in the weight of the whole query.
 */
function scoreTerms(
  account: Account,
  query: QueryTerms,
  bm25: Bm25,
  { own, covered }: { own: Float32Array; covered: Float32Array },
  budget: QueryBudget,
): { whole: number; rare: Set<number> } {
  const rare = new Set<number>();
  let whole = 0;
  for (
    const [key, { asStem, asWord, weight: termWeight, isMeant }] of inOrder(account, query, budget)
  ) {
    const stemCount = account.stemCount(key);
    if (termWeight === 0 && stemCount > everywhere) continue;
    if (!budget.hasPostings()) {
      if (asStem > 0) whole += termWeight * bm25.telling(stemCount);
      continue;
    }
    const list = account.postings(key);
    budget.readPostings(list.length);
    const { stems, words } = list;
    const share = termWeight === 0 ? smallShare : 1;
    const weight = asStem > 0 ? termWeight * bm25.telling(stems) : 0;
    const stemScore = bm25.most(stems) * saturated(asStem) * share * (1 - wordShare);
    const wordScore = bm25.most(words) * saturated(asWord) * share * wordShare;
    whole += weight;
    for (let n = 0; n < list.length; n++) {
      const document = list.documents[n];
      const norm = bm25.norms[document];
      const asStem = list.asStem[n];
      const asWord = list.asWord[n];
      own[document] += stemScore * asStem / (asStem + norm) + wordScore * asWord / (asWord + norm);
      if (asStem > 0) covered[document] += weight;
    }
    if (asStem > 0 && stems <= rareDocuments) documentsOf(list, list.asStem, rare);
    else if (isMeant && words <= rareDocuments) documentsOf(list, list.asWord, rare);
  }
  return { whole, rare };
}

/** The terms of a query; the rarest first if the budget may not suffice for all. */
function inOrder(
  account: Account,
  { terms }: QueryTerms,
  budget: QueryBudget,
): Iterable<[number, QueryTerm]> {
  let postings = 0;
  for (const key of terms.keys()) postings += account.stemCount(key);
  if (budget.hasPostings(postings)) return terms;
  return [...terms].sort(([a], [b]) => account.stemCount(a) - account.stemCount(b));
}

/**
 * The scores by BM25 and by feedback, each as a share of its best, half and half; and how many there are of each height,
 * for `topDocuments`. A document without a word of the query has 0 if its feedback score is low.
 */
function joined(
  account: Account,
  { own, mostOwn }: { own: Float32Array; mostOwn: number },
  { fed, mostFed }: { fed: Float32Array; mostFed: number },
  allowed: Uint8Array,
): { final: Float32Array; counts: ScoreCounts | undefined } {
  const final = account.scratch(finalScores);
  const ownFactor = (1 - feedbackShare) / mostOwn;
  const fedFactor = mostFed > 0 ? feedbackShare / mostFed : 0;
  const least = minLikeness * mostFed, leastOfBest = minLikenessOfBest * mostFed;
  // Each document of `doubtful` has at most this.
  const mostDoubtful = Math.fround(fedFactor * least);
  const counts = new ScoreCounts(1);
  const doubtful: number[] = [];
  let better = 0;
  for (let n = 0; n < final.length; n++) {
    if (own[n] === 0) {
      if (fed[n] === 0 || fed[n] < leastOfBest || !allowed[n]) continue;
      if (fed[n] < least) {
        doubtful.push(n);
        continue;
      }
    }
    const score = Math.fround(ownFactor * own[n] + fedFactor * fed[n]);
    final[n] = score;
    counts.add(score);
    if (score > mostDoubtful) better++;
  }
  if (doubtful.length === 0 || better >= smoothedDocuments) return { final, counts };
  for (const document of doubtful) final[document] = fedFactor * fed[document];
  const best = new Set(topDocuments(final, account.columns, smoothedDocuments));
  for (const document of doubtful) if (!best.has(document)) final[document] = 0;
  return { final, counts: undefined };
}

/** Draws the values of the best documents to those of their neighbours, and orders them again, in place. */
function smoothBest(account: Account, ranked: number[], final: Float32Array, bm25: Bm25) {
  const { columns } = account;
  const drawn = ranked.slice(0, smoothedDocuments);
  const values = smoothed(account, {
    documents: drawn,
    values: drawn.map((document) => final[document]),
    dates: drawn.map((document) => columns.dateMs[document]),
  }, bm25);
  drawn.forEach((document, n) => final[document] = values[n]);
  drawn.sort(byScore(final, columns)).forEach((document, n) => ranked[n] = document);
}

/** The weight of a word that occurs this often in a query: 1 for once, never above 9. */
function saturated(times: number): number {
  return times * (k3 + 1) / (times + k3);
}

/**
 * Each value raised to the highest one after it, because pinned hits have lower values; then as a share of the first.
 */
function falling(values: number[]): number[] {
  const raised = values.slice();
  for (let n = raised.length - 2; n >= 0; n--) raised[n] = Math.max(raised[n], raised[n + 1]);
  const [most] = raised;
  return raised.map((value) => value / most);
}

/** Moves documents to the front of a ranking, in place, in their order. */
function bringToFront(ranked: number[], front: number[], window: number) {
  if (front.every((document, n) => ranked[n] === document)) return;
  if (front.length === 1) {
    const at = ranked.indexOf(front[0]);
    ranked.splice(at < 0 ? window - 1 : at, 1);
    ranked.unshift(front[0]);
    return;
  }
  const moved = new Set(front);
  const others = ranked.filter((document) => !moved.has(document));
  ranked.splice(0, ranked.length, ...[...front, ...others].slice(0, window));
}

function documentsOf(list: PostingList, times: Uint8Array, into: Set<number>) {
  for (let n = 0; n < list.length; n++) if (times[n] > 0) into.add(list.documents[n]);
}

/** Moves the documents with a rare word of the query among the first hits, in place. */
function promoteRare(ranked: number[], rare: Set<number>, own: Float32Array, window: number) {
  const first = new Set(ranked.slice(0, firstHits));
  const wanted = [...rare].filter((document) => own[document] > 0 && !first.has(document));
  if (wanted.length === 0) return;
  const risen = wanted.sort((a, b) => own[b] - own[a]).slice(0, firstHits - 1);
  const kept = ranked.filter((document) => !risen.includes(document));
  kept.splice(Math.max(1, firstHits - risen.length), 0, ...risen);
  ranked.length = 0;
  ranked.push(...kept.slice(0, window));
}
