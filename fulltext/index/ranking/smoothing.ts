import { type Account, headStems as mostStems } from "../account.ts";
import { eachTopicStem } from "../document.ts";
import { maxCount } from "../posting_list.ts";

/** Each document keeps this share of its value; the rest is the mean of its neighbours' values. */
const ownShare = 0.4;
/** A document counts as its own neighbour with this weight: one that is like no other keeps its value. */
const selfWeight = 0.1;
/** What so many occurrences of a stem weigh: 1 + ln n. */
const logarithms = Float64Array.from({ length: maxCount + 1 }, (_, n) => 1 + Math.log(n));

/** What is read of an account. */
type Terms = Pick<Account, "headTerms" | "stemCount" | "places">;

/** The weight of a stem in so many documents. */
interface Rarity {
  idf(documents: number): number;
}

/** Nearness of two dates falls to 1/e in a week. */
const weekMs = 7 * 86_400_000;
/** So many of the best documents give the dates that others are compared with. */
const datedDocuments = 3;

/** Documents, the best first, with the values that are smoothed. */
interface Valued {
  documents: number[];
  values: number[];
  /** The date of each in ms since 1970. */
  dates: number[];
}

/**
 * Moves the value of each document towards the values of similar documents, because the answers to a
 * question are mostly about one thing ("score regularization", Diaz, 2005). The weight of a neighbour
 * is the square of the cosine, over the stems of subject and text. First, the values of documents rise
 * whose date is near the dates of the best (`datedValues`). A result is between 0 and the highest value.
 */
export function smoothed(
  account: Terms,
  { documents, values, dates }: Valued,
  rarity: Rarity,
): Float64Array {
  const size = documents.length;
  const weights = cosines(account, documents, rarity);
  for (let n = 0; n < weights.length; n++) weights[n] *= weights[n];
  const dated = datedValues(values, nearnesses(dates), weights);
  const result = new Float64Array(size);
  for (let n = 0; n < size; n++) {
    let all = selfWeight;
    let sum = selfWeight * dated[n];
    for (let m = 0; m < size; m++) {
      const weight = weights[n * size + m];
      all += weight;
      sum += weight * dated[m];
    }
    result[n] = ownShare * dated[n] + (1 - ownShare) * sum / all;
  }
  return result;
}

/**
 * Values that are higher the nearer in time a document is to the best: mail about one matter arrives within
 * days. Nearness counts as much as it agrees with likeness here: by how much nearer like documents are
 * than others, 0..1. So dates that say nothing, or are all the same, change nothing.
 */
function datedValues(values: number[], nearness: Float64Array, likeness: Float64Array): number[] {
  const size = values.length;
  let likenesses = 0, nearOfLike = 0, near = 0;
  for (let n = 0; n < nearness.length; n++) {
    likenesses += likeness[n];
    nearOfLike += likeness[n] * nearness[n];
    near += nearness[n];
  }
  const usual = near / (size * (size - 1));
  if (!(usual < 1) || likenesses === 0) return values;
  const share = Math.max(0, (nearOfLike / likenesses - usual) / (1 - usual));
  const best = values.slice(0, datedDocuments).map((value) => (value / values[0]) ** 3);
  const all = best.reduce((sum, weight) => sum + weight, 0);
  const nearBest = values.map((_, n) => {
    let sum = 0;
    best.forEach((weight, m) => sum += weight * (m === n ? 1 : nearness[n * size + m]));
    return sum / all;
  });
  const least = Math.min(...nearBest);
  const raised = values.map((value, n) => value + share * (nearBest[n] - least));
  const scale = values[0] / Math.max(...raised);
  return raised.map((value) => value * scale);
}

/** How near each date (row) is to each other, 0..1; 0 for itself. */
function nearnesses(dates: number[]): Float64Array {
  const size = dates.length;
  const result = new Float64Array(size * size);
  for (let n = 0; n < size; n++) {
    for (let m = n + 1; m < size; m++) {
      const near = Math.exp(-Math.abs(dates[n] - dates[m]) / weekMs);
      result[n * size + m] = result[m * size + n] = near;
    }
  }
  return result;
}

/** The cosine of each document (row) with each other; 0 with itself. */
function cosines(
  account: Terms,
  documents: number[],
  rarity: Rarity,
): Float64Array {
  const { places } = account;
  const heads = account.headTerms(documents);
  const size = documents.length;
  const result = new Float64Array(size * size);
  const squares = new Float64Array(size);
  const most = size * mostStems;
  places.reset(most);
  // The idf of each stem, and its documents so far with its weights, as a list from the last one.
  const idfs = new Float64Array(most);
  const last = new Int32Array(most);
  const before = new Int32Array(most + 1);
  const holders = new Uint8Array(most + 1);
  const weights = new Float64Array(most + 1);
  let stems = 0, entries = 0;
  documents.forEach((document, n) =>
    eachTopicStem(heads.get(document)!, (key, times) => {
      const place = places.of(key);
      if (place === stems) {
        const held = account.stemCount(key);
        idfs[stems++] = held < 2 ? 0 : rarity.idf(held);
      }
      const idf = idfs[place];
      if (idf === 0) return;
      const weight = logarithms[times] * idf;
      squares[n] += weight * weight;
      for (let entry = last[place]; entry !== 0; entry = before[entry]) {
        result[holders[entry] * size + n] += weight * weights[entry];
      }
      before[++entries] = last[place];
      last[place] = entries;
      holders[entries] = n;
      weights[entries] = weight;
    })
  );
  for (let n = 0; n < size; n++) {
    for (let m = n + 1; m < size; m++) {
      const product = result[n * size + m];
      if (product === 0) continue;
      result[n * size + m] = result[m * size + n] = product / Math.sqrt(squares[n] * squares[m]);
    }
  }
  return result;
}
