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
  /** The most hits wanted. */
  window: number;
  /** Which hits get a snippet, the others an empty one: from this place on (0) so many (all). */
  snippetsFrom?: number;
  snippets?: number;
}

/** One email found: `score` in 0..1, `snippet` its best passage with the matching words in it. */
export interface SearchHit {
  emailId: string;
  score: number;
  snippet: string;
  /** Holds an identifier of the query (an order number, a code) to the letter. */
  literal?: boolean;
}

export interface SearchIndex {
  readonly name: string;
  /** Whether its hits are surely the account's and pass the filters: then not each is re-checked. */
  readonly exact: boolean;
  /** Durable when it resolves; idempotent by (userId, emailId): a repeat replaces. */
  add(emails: IndexedEmail[]): Promise<void>;
  /** Unknown ids are passed over. */
  remove(userId: string, emailIds: string[]): Promise<void>;
  removeMailbox(userId: string, mailboxId: string): Promise<void>;
  /**
   * At most `window` hits, best first, one an email; an email that contains a rare word of the
   * query literally is among them. `degraded` says that a part of the index could not be asked.
   */
  search(query: SearchQuery): Promise<{ hits: SearchHit[]; degraded: boolean }>;
  /** Drops everything of every account, before a reindex. */
  reset(): Promise<void>;
  /** Throws when the index cannot be used; for health. */
  check(): Promise<void>;
  close(): Promise<void>;
}
