import { type Account, headStems as mostStems } from "./account.ts";
import { eachTopicStem } from "./document.ts";
import { maxCount } from "./posting_list.ts";

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

/**
 * The values of documents, each drawn to those of the documents that are like it: what answers a
 * question is mostly about the same thing ("score regularization", Diaz, 2005). A neighbour counts by
 * the square of the cosine, over the stems of subject and text. The result stays between the least
 * and the highest value.
 */
export function smoothed(
  account: Terms,
  documents: number[],
  values: number[],
  rarity: Rarity,
): Float64Array {
  const size = documents.length;
  const likeness = cosines(account, documents, rarity);
  const result = new Float64Array(size);
  for (let n = 0; n < size; n++) {
    let weights = selfWeight;
    let sum = selfWeight * values[n];
    for (let m = 0; m < size; m++) {
      const weight = likeness[n * size + m] ** 2;
      weights += weight;
      sum += weight * values[m];
    }
    result[n] = ownShare * values[n] + (1 - ownShare) * sum / weights;
  }
  return result;
}

/** The cosine of each document (row) with each other; 0 with itself. */
function cosines(
  account: Terms,
  documents: number[],
  rarity: Rarity,
): Float64Array {
  const size = documents.length;
  const vectors = vectorsOf(account, documents, rarity);
  const result = new Float64Array(size * size);
  const row = new Float64Array(account.places.count);
  for (let n = 0; n < size; n++) {
    const { places, weights } = vectors[n];
    for (let k = 0; k < places.length; k++) row[places[k]] = weights[k];
    for (let m = n + 1; m < size; m++) {
      const other = vectors[m];
      let sum = 0;
      for (let k = 0; k < other.places.length; k++) sum += row[other.places[k]] * other.weights[k];
      result[n * size + m] = result[m * size + n] = sum;
    }
    for (let k = 0; k < places.length; k++) row[places[k]] = 0;
  }
  return result;
}

/** The stems of a document by their places in `account.places`, with weights whose squares sum to 1. */
interface Vector {
  places: Int32Array;
  weights: Float64Array;
}

function vectorsOf(
  account: Terms,
  documents: number[],
  rarity: Rarity,
): Vector[] {
  const { places } = account;
  const heads = account.headTerms(documents);
  places.reset(heads.size * mostStems);
  const idfs: number[] = [];
  return documents.map((document) => {
    const found = new Int32Array(mostStems);
    const weights = new Float64Array(mostStems);
    let size = 0;
    let squares = 0;
    eachTopicStem(heads.get(document)!, (key, times) => {
      const place = places.of(key);
      if (place === idfs.length) {
        const holders = account.stemCount(key);
        idfs.push(holders < 2 ? 0 : rarity.idf(holders));
      }
      if (idfs[place] === 0) return;
      const weight = logarithms[times] * idfs[place];
      found[size] = place;
      weights[size++] = weight;
      squares += weight * weight;
    });
    const norm = Math.sqrt(squares) || 1;
    for (let n = 0; n < size; n++) weights[n] /= norm;
    return { places: found.subarray(0, size), weights: weights.subarray(0, size) };
  });
}
