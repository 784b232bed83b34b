import type { Account } from "./account.ts";
import { pinHits } from "../analysis/pin_hits.ts";
import { literalDocuments } from "./literal_documents.ts";
import type { PostingList } from "./posting_list.ts";
import type { QueryTerms } from "./query_terms.ts";
import { topDocuments } from "./top.ts";

/**
 * The settings of the ranking, chosen where the figures are flat over CISI, replies that look
 * for their thread, and titles that look for what they cite (README.md, Search).
 */
const k1 = 2;
const B = 0.8;
/** What the very word counts for beside its stem. */
const wordShare = 0.3;
/** Feedback: the words of the first hits are asked for as well. */
const feedbackDocuments = 3;
const feedbackTerms = 30;
const feedbackShare = 0.5;
/** A word in more than this share of the documents is not what a hit is about. */
const feedbackCommonShare = 0.25;
/** An email without any word of the query must be so like the first hits. */
const minLikeness = 0.3;
/**
 * A word in so few documents is rare, also if its stem is common ("owning" beside "owns"), and in
 * a short query it is what was meant: its documents are among the first hits. (In a long one it is as likely chance: doing it there costs a tenth
 * of nDCG@10 on CISI.)
 */
const rareDocuments = 3;
const shortQuery = 12;
const firstHits = 10;
/** What a small word ("when", "my") counts for in the order of hits. */
const smallShare = 0.3;
/** In more documents than this it counts nothing: its list is long to read, and as good as all of them. */
const everywhere = 5_000;
/** With so many documents half of what a word counts for is its rarity. */
const knownDocuments = 50;
/** A word that is everywhere still counts so much. */
const leastTelling = 0.1;

/** The columns of numbers that a search fills, kept by the account for the next. */
const ownScores = 0, coveredScores = 1, fedScores = 2, finalScores = 3, normScores = 4;

/** One document found. */
export interface Ranked {
  document: number;
  /** Share of the query that it holds, by what its words count for, 0..1. */
  coverage: number;
  /** How much it is about the query's words, beside the best, 0..1. */
  strength: number;
  /** Likeness to the first hits, 0..1. */
  likeness: number;
  /** Holds an identifier of the query that few others hold. */
  literal: boolean;
  /** Stands among the first hits for something that the query means to the letter. */
  named: boolean;
}

/**
 * Ranks the documents of an account for a query: BM25 over stems and words, then the words of
 * the first hits as a second query (so that mail about the same thing is found that uses other
 * words), half and half. The best hit by the query's own words stays first; documents with an
 * identifier of the query come before all others, and each identifier has one among the first.
 */
export function rankDocuments(
  account: Account,
  query: QueryTerms,
  allowed: Uint8Array,
  window: number,
): Ranked[] {
  const { columns } = account;
  const bm25 = new Bm25(account);
  const own = account.scratch(ownScores);
  const covered = account.scratch(coveredScores);
  const rare = new Set<number>();
  let whole = 0;
  for (const [key, { asStem, asWord, importance, isMeant }] of query.terms) {
    if (importance === 0 && account.stemCount(key) > everywhere) continue;
    const list = account.postings(key);
    const { stems, words } = list;
    const share = importance === 0 ? smallShare : 1;
    const weight = asStem > 0 ? importance * bm25.telling(stems) : 0;
    const stemScore = bm25.most(stems) * asStem * share * (1 - wordShare);
    const wordScore = bm25.most(words) * asWord * share * wordShare;
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
  // Mail that holds the small words of a query and nothing else has nothing to do with it.
  for (let n = 0; n < own.length; n++) if (!allowed[n] || covered[n] === 0) own[n] = 0;
  const first = topDocuments(own, columns.arrivedMs, Math.max(firstHits, feedbackDocuments));
  if (first.length === 0) return [];

  const fed = query.onlyIdentifiers
    ? account.scratch(fedScores)
    : feedback(account, bm25, first.slice(0, feedbackDocuments));
  let mostFed = 0;
  for (let n = 0; n < fed.length; n++) {
    if (!allowed[n]) fed[n] = 0;
    else if (fed[n] > mostFed) mostFed = fed[n];
  }
  const final = account.scratch(finalScores);
  const mostOwn = own[first[0]];
  for (let n = 0; n < final.length; n++) {
    if (own[n] === 0 && fed[n] < minLikeness * mostFed || own[n] + fed[n] === 0) continue;
    final[n] = (1 - feedbackShare) * own[n] / mostOwn +
      (mostFed > 0 ? feedbackShare * fed[n] / mostFed : 0);
  }
  final[first[0]] = 1.5;
  const literals = literalDocuments(account, query.literals, own);
  const meant = new Set<number>();
  for (const { documents, telling } of literals) {
    if (telling) { for (const document of documents) meant.add(document); }
  }
  for (const document of meant) final[document] += 2;

  const ranked = topDocuments(final, columns.arrivedMs, window);
  if (query.size <= shortQuery) promoteRare(ranked, rare, own, window);
  const named = pinHits(ranked, literals.map(({ documents }) => documents), firstHits);
  return ranked.map((document) => ({
    document,
    coverage: whole > 0 ? Math.min(1, covered[document] / whole) : 0,
    strength: Math.min(1, own[document] / mostOwn),
    likeness: mostFed > 0 ? fed[document] / mostFed : 0,
    literal: meant.has(document),
    named: named.has(document),
  }));
}

/** BM25 (Robertson and Zaragoza, 2009) over the live documents of an account. */
class Bm25 {
  /** What the length of each document counts for. */
  readonly norms: Float32Array;

  constructor(readonly account: Account) {
    const { length, size, live, totalLength } = account.columns;
    const average = totalLength / Math.max(1, live) || 1;
    const norms = account.scratch(normScores);
    for (let n = 0; n < size; n++) norms[n] = k1 * (1 - B + B * length[n] / average);
    this.norms = norms;
  }

  idf(documents: number): number {
    const { live } = this.account.columns;
    return Math.log(1 + Math.max(0, live - documents + 0.5) / (documents + 0.5));
  }

  /**
   * What a word in so many documents tells, 0..1: 1 in an account with next to no mail, where
   * rarity is chance; by its idf where there is mail enough to know.
   */
  telling(documents: number): number {
    const { live } = this.account.columns;
    const known = live / (live + knownDocuments);
    const rarity = this.idf(Math.max(1, documents)) / this.idf(1);
    return 1 - known + known * Math.max(leastTelling, rarity);
  }

  /** What a term of so many documents gives a document at most. */
  most(documents: number): number {
    return this.idf(documents) * (k1 + 1);
  }

  weight(times: number, document: number, documents: number): number {
    return this.most(documents) * times / (times + this.norms[document]);
  }
}

/** Scores by the words that stand out in the first hits, each hit counting the same. */
function feedback(account: Account, bm25: Bm25, first: number[]): Float32Array {
  const weights = new Map<number, number>();
  const common = account.columns.live * feedbackCommonShare;
  for (const document of first) {
    const { keys, asStem, isTopic } = account.terms(document);
    const own: [number, number][] = [];
    let squares = 0;
    for (let n = 0; n < keys.length; n++) {
      if (!isTopic[n]) continue;
      const documents = account.stemCount(keys[n]);
      if (documents < 2 || documents > common) continue;
      const weight = bm25.weight(asStem[n], document, documents);
      own.push([keys[n], weight]);
      squares += weight * weight;
    }
    const length = Math.sqrt(squares) || 1;
    for (const [key, weight] of own) weights.set(key, (weights.get(key) ?? 0) + weight / length);
  }
  const best = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, feedbackTerms);
  const scores = account.scratch(fedScores);
  for (const [key, weight] of best) {
    const list = account.postings(key);
    const most = bm25.most(list.stems) * weight;
    for (let n = 0; n < list.length; n++) {
      const document = list.documents[n];
      const times = list.asStem[n];
      scores[document] += most * times / (times + bm25.norms[document]);
    }
  }
  return scores;
}

function documentsOf(list: PostingList, times: Uint8Array, into: Set<number>) {
  for (let n = 0; n < list.length; n++) if (times[n] > 0) into.add(list.documents[n]);
}

/** Brings the documents with a rare word of the query up among the first hits, in place. */
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
