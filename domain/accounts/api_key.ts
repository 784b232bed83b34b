import { scopes } from "../core/caller.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";

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
 * The ids of the keys that made a key or webhook: its maker, the maker's maker and so on; of a webhook that an app made,
 * the id of the app's grant. Empty if a session made it. It is no longer valid once the row of one of them is gone.
 */
export type IssuerChain = readonly string[];

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
