import type { Makers } from "./makers.ts";
import { scopes } from "../core/caller.ts";

/** An API key as stored: never the secret, only its SHA-256 (SPEC.md, Authentication 5). */
export interface ApiKey {
  keyId: string;
  userId: string;
  name: string;
  hash: string;
  keyPrefix: string;
  createdAt: number;
  /** null: never. */
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
