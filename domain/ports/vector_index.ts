import type { SearchFilters } from "./search_index.ts";

/** An email whose passages have vectors of one model. */
export interface EmbeddedEmail {
  userId: string;
  emailId: string;
  mailboxId: string;
  /** As in IndexedEmail. */
  from: string;
  to: string[];
  subject: string;
  dateMs: number;
  model: string;
  passages: { text: string; vector: Float32Array }[];
}

/** The passage of an email that is nearest to the query. */
export interface VectorHit {
  emailId: string;
  /** Cosine of the angle to the query, -1..1. */
  cosine: number;
  /** "" if it was not asked for. */
  passage: string;
}

/** An email with the passage that holds most words of a query. */
export interface WordsHit {
  emailId: string;
  /** Weighted share of the query that the passage holds, 0..1. */
  share: number;
}

/** Which emails of the index have no vectors of a model. */
export interface Lacking {
  count(query: { userId: string; model: string }): Promise<number>;
  /** The newest first. */
  newest(query: { userId: string; model: string; limit: number }): Promise<string[]>;
  accounts(model: string): Promise<{ userId: string; count: number }[]>;
}

/**
 * Dense vectors, one account at a time. Hits are not trusted: the caller checks owner and filters of each
 * against the database.
 */
export interface VectorIndex {
  readonly name: string;
  /** As in SearchIndex. */
  readonly exact: boolean;
  /** Durable when it resolves. Replaces the vectors of an email, whatever their model. */
  add(emails: EmbeddedEmail[]): Promise<void>;
  remove(userId: string, emailIds: string[]): Promise<void>;
  removeMailbox(userId: string, mailboxId: string): Promise<void>;
  /** The nearest emails by vectors of `model`, each once, best first, at most `window`. */
  search(query: {
    userId: string;
    model: string;
    vector: Float32Array;
    /** As in Embedder. */
    parts?: readonly number[];
    filters: SearchFilters;
    window: number;
    /** The first so many hits come with their passages; all if absent. */
    shown?: number;
    timeoutMs: number;
  }): Promise<VectorHit[]>;
  /**
   * For a hybrid index, which has words as well: the emails with a passage that holds words of the
   * query, each once, best first. Null if the index has no words.
   */
  searchWords?(query: {
    userId: string;
    text: string;
    filters: SearchFilters;
    window: number;
    timeoutMs: number;
  }): Promise<WordsHit[] | null>;
  /** Absent if the index does not know it. */
  readonly lacking?: Lacking;
  reset(): Promise<void>;
  check(): Promise<void>;
}
