// What goes into the index and what comes out. Times are ms since 1970.

export interface IndexedEmail {
  userId: string;
  emailId: string;
  mailboxId: string;
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
  /** Hits of these places come with their passages. */
  shown?: { from: number; until: number };
}

export interface SearchHit {
  emailId: string;
  /** 0..1. */
  score: number;
  /** How good it is compared with the first hit, 0..1, never ascending; `score` is how much of the query it has. */
  value?: number;
  /** It holds an identifier of the query, and few other emails do. */
  literal?: boolean;
  /** It was pinned among the first ten for an exact term of the query. */
  named?: boolean;
  /** It holds a word of a short query that few other emails hold. */
  rare?: boolean;
  /** The passage that has most of the words of the query, if the query asks for it. */
  passage?: string;
}

/** The weight of each stem of a query, by its key: the rarer, the higher. */
export type WordWeights = [key: number, weight: number][];

export interface PassageQuery {
  userId: string;
  text: string;
  emailIds: string[];
}

/** A query for passages with the weights of its words, for a reader without the counts of the index. */
export interface WeightedPassageQuery extends PassageQuery {
  weights: WordWeights;
}

/** An email whose passages have vectors of one model. */
export interface EmbeddedEmail {
  userId: string;
  emailId: string;
  model: string;
  passages: { text: string; vector: Float32Array }[];
}

export interface VectorQuery {
  userId: string;
  model: string;
  vector: Float32Array;
  /** The lengths of the parts of a vector that are compared each by itself; absent: it is compared whole. */
  parts?: readonly number[];
  filters: SearchFilters;
  /** At most this many hits. */
  window: number;
  /** The first so many hits come with their passages; all if absent. */
  shown?: number;
}

/** The passage of an email that is nearest to the query. */
export interface VectorHit {
  emailId: string;
  /** Cosine of the angle to the query, -1..1. */
  cosine: number;
  /** "" if it was not asked for. */
  passage: string;
}
