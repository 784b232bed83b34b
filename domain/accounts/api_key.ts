import { scopes } from "../core/caller.ts";

/** An API key as stored: it has only the SHA-256 of the secret. */
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
  makers?: IssuerChain;
}

export interface ApiKeyRef {
  userId: string;
  keyId: string;
}

/**
 * The ids of the keys that made a key or webhook: its maker, the maker's maker and so on. Empty if a session made it.
 * It is no longer valid once the row of one of them is gone.
 */
export type IssuerChain = readonly string[];
