import type { Makers } from "./makers.ts";
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
