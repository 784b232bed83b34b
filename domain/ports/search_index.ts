/**
 * A search index takes emails and returns ranked email ids, one account at a time. It is a cache of the
 * database: after `reset` and adding all again it must return the same.
 */

/** An email as the index gets it. */
export interface IndexedEmail {
  userId: string;
  emailId: string;
  mailboxId: string;
  direction: "inbound" | "outbound";
  /** Address and display name. */
  from: string;
  /** To and Cc, each address and display name. */
  to: string[];
  subject: string;
  /** The email's own date; the date filters compare it. */
  dateMs: number;
  /** When it arrived; of equal hits the newest comes first. */
  arrivedMs: number;
  text: string;
  attachmentNames: string[];
}

/**
 * Narrows a search; an absent field does not. `from` and `to` match any part of an address or display name, one with an at
 * sign a part of the address alone; `subject` any part of the subject; all in any case. Dates are inclusive.
 */
export interface SearchFilters {
  mailboxIds?: string[];
  from?: string;
  to?: string;
  subject?: string;
  dateFromMs?: number;
  dateToMs?: number;
}

export interface SearchQuery {
  userId: string;
  text: string;
  filters: SearchFilters;
  /** At most this many matches are ranked and counted. */
  window: number;
  /** At most this many hits are returned, the best; all if absent. */
  wanted?: number;
  /** Hits of these places come with their passages, if the index has texts. */
  shown?: { from: number; until: number };
}

/** One email found: `score` in 0..1. */
export interface SearchHit {
  emailId: string;
  score: number;
  /** How good it is compared with the first hit, 0..1, never ascending; `score` is how much of the query it has. */
  value?: number;
  /** It holds an identifier of the query (an order number, a code). */
  literal?: boolean;
  /** It was pinned among the first ten for an exact term of the query. */
  named?: boolean;
  /** It holds a word of a short query that few other emails hold. */
  rare?: boolean;
  /**
   * The passage that has most of the words of the query, if the query asks for it; of an email that only vectors found,
   * the one with the nearest vector.
   */
  passage?: string;
}

export interface SearchIndex {
  readonly name: string;
  /** True if every hit belongs to the account and passes the filters; else the caller checks each. */
  readonly exact: boolean;
  /** True if it has every word of every email; else the caller also uses `searchWords` of a hybrid vector index. */
  readonly complete: boolean;
  /** Durable when it resolves. An email that is there already is replaced. */
  add(emails: IndexedEmail[]): Promise<void>;
  /** Unknown ids are ignored. */
  remove(userId: string, emailIds: string[]): Promise<void>;
  removeMailbox(userId: string, mailboxId: string): Promise<void>;
  /** Removes what is left of an account whose mailboxes were removed. */
  removeAccount(userId: string): Promise<void>;
  /**
   * The best hits, one an email, and how many there are, at most `window`. An email with an identifier
   * of the query is among them.
   */
  search(query: SearchQuery): Promise<{ hits: SearchHit[]; total: number }>;
  /**
   * The passage of each email that has most of the words of `text`; "" for an unknown email, or if the
   * index has no texts.
   */
  passages(query: { userId: string; text: string; emailIds: string[] }): Promise<string[]>;
  /** Deletes everything of all accounts. */
  reset(): Promise<void>;
  /** Rejects if the index is known to be unusable. For health: does not wait for other calls. */
  check(): Promise<void>;
  close(): Promise<void>;
}
