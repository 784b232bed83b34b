import type { Account } from "../account.ts";
import { type Bm25, fedScores } from "./bm25.ts";
import { highest } from "./top.ts";

/** The most distinctive terms of so many first hits are a second query. */
export const feedbackDocuments = 3;
const feedbackTerms = 30;
/** Terms in more than this share of the documents are left out. */
const feedbackCommonShare = 0.25;

/** The score of each document, and the highest one of an allowed document. */
export interface Feedback {
  scores: Float32Array;
  most: number;
}

/**
 * Scores by the terms with the highest BM25 weight in the first hits, without those of the query: they
 * count already. A hit counts by the cube of its share of the best score: a third hit that is much weaker
 * is about something else.
 */
export function feedback(
  account: Account,
  bm25: Bm25,
  first: number[],
  own: Float32Array,
  asked: ReadonlyMap<number, unknown>,
  allowed: Uint8Array,
): Feedback {
  const common = account.columns.live * feedbackCommonShare;
  const all = first.map((document) => account.terms(document));
  const size = all.reduce((sum, { keys }) => sum + keys.length, 0);
  // Not a Map: V8 hashes numbers without a key.
  const { places } = account;
  places.reset(size);
  const weights = new Float64Array(size);
  for (const [hit, document] of first.entries()) {
    const { keys, asStem, isTopic } = all[hit];
    const found = new Float64Array(keys.length);
    let squares = 0;
    for (let n = 0; n < keys.length; n++) {
      if (!isTopic[n] || asked.has(keys[n])) continue;
      const documents = account.stemCount(keys[n]);
      if (documents < 2 || documents > common) continue;
      found[n] = bm25.weight(asStem[n], document, documents);
      squares += found[n] * found[n];
    }
    const share = (own[document] / own[first[0]]) ** 3 / (Math.sqrt(squares) || 1);
    for (let n = 0; n < keys.length; n++) {
      if (found[n] > 0) weights[places.of(keys[n])] += found[n] * share;
    }
  }
  const keys = places.keys();
  const best = highest(weights.subarray(0, keys.length), keys, feedbackTerms);
  const scores = account.scratch(fedScores);
  const { norms } = bm25;
  let most = 0;
  for (const place of best) {
    const list = account.postings(keys[place]);
    const mostOfTerm = bm25.most(list.stems) * weights[place];
    for (let n = 0; n < list.length; n++) {
      const document = list.documents[n];
      const times = list.asStem[n];
      const score = Math.fround(scores[document] + mostOfTerm * times / (times + norms[document]));
      scores[document] = score;
      if (score > most && allowed[document]) most = score;
    }
  }
  return { scores, most };
}
