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
  passage: string;
}

/** An email by the passage that holds most of a query. */
export interface WordsHit {
  emailId: string;
  /** What of the query the passage holds, 0..1. */
  share: number;
}

/**
 * Dense vectors, one account at a time. What comes back is not trusted: whoever searches
 * re-checks each hit against the database, owner and filters both.
 */
export interface VectorIndex {
  readonly name: string;
  /** As in SearchIndex. */
  readonly exact: boolean;
  /** Durable when it resolves; what an email had before is replaced, whatever its model. */
  add(emails: EmbeddedEmail[]): Promise<void>;
  remove(userId: string, emailIds: string[]): Promise<void>;
  removeMailbox(userId: string, mailboxId: string): Promise<void>;
  /** The nearest emails, each once, best first, at most `window`; only vectors of `model`. */
  search(query: {
    userId: string;
    model: string;
    vector: Float32Array;
    filters: SearchFilters;
    window: number;
    timeoutMs: number;
  }): Promise<VectorHit[]>;
  /**
   * Where the index keeps words beside the vectors (a hybrid one): the emails with a passage that
   * holds words of the query, each once, the most first; null where it keeps none.
   */
  searchWords?(query: {
    userId: string;
    text: string;
    filters: SearchFilters;
    window: number;
    timeoutMs: number;
  }): Promise<WordsHit[] | null>;
  reset(): Promise<void>;
  check(): Promise<void>;
}
