import type { Scope } from "../core/caller.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";

/** What a person allowed an app to do. */
export interface Grant {
  /** `grant_` and a UUIDv7. */
  grantId: string;
  userId: string;
  /** The person who allowed it; absent: see `personOf`. */
  memberId?: string;
  client: GrantedClient;
  scopes: readonly Scope[];
  /** Absent: every mailbox. */
  mailboxIds?: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
  /** When its newest refresh token expires, ms since 1970. */
  expiresAt: number;
  /** SHA-256 of the secret of its family. */
  family: string;
  /** That of the person when they allowed it; absent: 0. See `isMember`. */
  generation?: number;
}

/** The client as it was when the person allowed it. */
export interface GrantedClient {
  clientId: string;
  name: string;
  redirectUri: string;
}

/** An access token of a grant. */
export interface AccessToken {
  userId: string;
  grantId: string;
  expiresAt: number;
  /** If it may do less than its grant (RFC 6749, 6). */
  scopes?: readonly Scope[];
}

/**
 * What begins with a code and goes on with refresh tokens: one row, so that the second use of the code finds the grant of
 * the first one. The row is `Code` until the code is exchanged.
 */
export type Family = Code | RefreshTokens;

/** What a person allowed, until the client takes it. */
export interface Code {
  userId: string;
  memberId?: string;
  client: GrantedClient;
  codeChallenge: string;
  scopes: readonly Scope[];
  mailboxIds?: readonly string[];
  expiresAt: number;
  generation: number;
}

/** The refresh tokens of a grant, oldest first: those that were not used yet, or a short time ago. */
export interface RefreshTokens {
  userId: string;
  grantId: string;
  tokens: readonly RefreshToken[];
}

export interface RefreshToken {
  /** SHA-256 of the token. */
  hash: string;
  /** SHA-256 of the access token that was given with it. */
  access: string;
  expiresAt: number;
  /** When it was first used, ms since 1970. */
  usedAt: number | null;
}

/**
 * Ends a grant with all its tokens. What it made ends in the same commit, because it depends on the row of the grant; the
 * job cleans up after it. After the commit the caller must call `credentials.forget`.
 */
export function endGrant(
  tx: Tx,
  { jobs }: Pick<Service, "jobs">,
  { userId, grantId, family }: Pick<Grant, "userId" | "grantId" | "family">,
): void {
  tx.delete(keys.grant(userId, grantId));
  tx.delete(keys.grantFamily(family));
  // This ends its waits and event streams on other instances.
  tx.append(userId, null);
  jobs.add(tx, "end_key", { userId, keyId: grantId });
}
