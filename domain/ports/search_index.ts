/**
 * What search needs from an index: emails in, ranked email ids out, one account at a time.
 * An index is a cache of the database: `reset` and adding everything again must give the
 * same answers, and whoever searches re-checks each hit against the database.
 */

/** One email as an index sees it. */
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
  /** The email's own date, as shown; what the date filters look at. */
  dateMs: number;
  /** When it arrived; decides between equals, the newest first. */
  arrivedMs: number;
  text: string;
  attachmentNames: string[];
}

/**
 * Narrows a search; absent fields do not. `from` and `to` match in any part of an address or
 * display name, `subject` in any part of the subject, all in any case. Dates are inclusive.
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
  /** The most matches looked at and counted. */
  window: number;
  /** So many of them, the best, are given; all where absent. */
  wanted?: number;
}

/** One email found: `score` in 0..1. */
export interface SearchHit {
  emailId: string;
  score: number;
  /** Holds an identifier of the query (an order number, a code) to the letter. */
  literal?: boolean;
  /** Is there for something that the query means to the letter: its place is among the first ten. */
  named?: boolean;
}

export interface SearchIndex {
  readonly name: string;
  /** Whether its hits are surely the account's and pass the filters: then not each is re-checked. */
  readonly exact: boolean;
  /** Whether it has every word of every email: else a vector index that keeps words is asked as well. */
  readonly complete: boolean;
  /** Durable when it resolves; idempotent by (userId, emailId): a repeat replaces. */
  add(emails: IndexedEmail[]): Promise<void>;
  /** Unknown ids are passed over. */
  remove(userId: string, emailIds: string[]): Promise<void>;
  removeMailbox(userId: string, mailboxId: string): Promise<void>;
  /**
   * The best hits, one an email, and how many there are in all, at most `window`; an email that
   * contains a rare word of the query literally is among them.
   */
  search(query: SearchQuery): Promise<{ hits: SearchHit[]; total: number }>;
  /**
   * The passage of each email that says most about the query, the matching words in it; "" where
   * the index keeps no texts or does not know the email.
   */
  passages(query: { userId: string; text: string; emailIds: string[] }): Promise<string[]>;
  /** Drops everything of every account, before a reindex. */
  reset(): Promise<void>;
  /** Throws when the index cannot be used, as far as that is known without waiting for its work; for health. */
  check(): Promise<void>;
  close(): Promise<void>;
}
