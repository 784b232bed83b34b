import { type KeyLimit, scopes } from "../core/caller.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { personOf } from "./member.ts";

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
  /** Its own limit and those of the keys that made it. Absent: none. */
  keyLimits?: readonly KeyLimit[];
  /** Absent: none. */
  makers?: IssuerChain;
  /** The person who made it, or who made the key that made it; absent: see `personOf`. */
  memberId?: string;
}

export interface ApiKeyRef {
  userId: string;
  keyId: string;
}

/**
 * The ids of the keys that made a key or webhook: its maker, the maker's maker and so on; of a webhook that an app made,
 * the id of the app's grant. Empty if a session made it. It is no longer valid once the row of one of them is gone.
 */
export type IssuerChain = readonly string[];

/** Those of the keys of an account whose makers exist, and whose people are members. */
export function withoutEnded(rows: readonly ApiKey[], memberIds: readonly string[]): ApiKey[] {
  const present = new Set([...rows.map(({ keyId }) => keyId), ...memberIds]);
  return rows.filter((key) =>
    [personOf(key).memberId, ...key.makers ?? []].every((id) => present.has(id))
  );
}

/** Each key is two rows. */
const keysPerCommit = 40;

/** Removes the rows of keys. */
export async function removeApiKeys(
  database: Database,
  rows: readonly Deno.KvEntry<ApiKey>[],
): Promise<void> {
  for (const some of database.forCommits(rows, keysPerCommit)) {
    await database.transact((tx) => {
      for (const { key, value } of some) {
        tx.delete(key);
        tx.delete(keys.apiKeyByHash(value.hash));
      }
    });
  }
}
