import { scopes } from "../core/caller.ts";

/** An API key as stored. Of the secret only the SHA-256 is kept. */
export interface ApiKey {
  keyId: string;
  userId: string;
  name: string;
  hash: string;
  keyPrefix: string;
  createdAt: number;
  /** null: it never expires. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  scopes?: (typeof scopes)[number][];
  mailboxIds?: string[];
  /** Absent: none. */
  makers?: Makers;
}

export interface ApiKeyRef {
  userId: string;
  keyId: string;
}

/**
 * The ids of the keys that made a key or webhook: its maker, the maker's maker and so on. It ends when one of them
 * ends: a missing row of a maker is enough, no cleanup is needed. Empty if a session made it.
 */
export type Makers = readonly string[];
