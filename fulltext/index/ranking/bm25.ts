import type { Account } from "../account.ts";

/** BM25: how many repetitions of a term count, and how much the length of a document counts. */
const k1 = 1.2;
const b = 0.75;
/** With this many documents, rarity is half of the weight of a word. */
const knownDocuments = 50;
/** The least weight of a word, however common it is. */
const leastTelling = 0.1;

/** The columns that a search fills: `Account.scratch`. */
export const ownScores = 0, coveredScores = 1, fedScores = 2, finalScores = 3;

/** BM25 (Robertson and Zaragoza, 2009) over the live documents of an account. */
export class Bm25 {
  /** The length normalisation of each document: k1 * (1 - b + b * length / average). */
  readonly norms: Float32Array;

  constructor(readonly account: Account) {
    this.norms = account.columns.norms(k1, b);
  }

  idf(documents: number): number {
    const { live } = this.account.columns;
    return Math.log(1 + Math.max(0, live - documents + 0.5) / (documents + 0.5));
  }

  /**
   * The weight of a word in this many documents, 0..1. In an account with little mail, where rarity is chance, it is
   * near 1; the more mail there is, the nearer it is to the relative idf.
   */
  telling(documents: number): number {
    const { live } = this.account.columns;
    const known = live / (live + knownDocuments);
    const rarity = this.idf(Math.max(1, documents)) / this.idf(1);
    return 1 - known + known * Math.max(leastTelling, rarity);
  }

  /** The highest score that a term in this many documents can give. */
  most(documents: number): number {
    return this.idf(documents) * (k1 + 1);
  }

  weight(times: number, document: number, documents: number): number {
    return this.most(documents) * times / (times + this.norms[document]);
  }
}
