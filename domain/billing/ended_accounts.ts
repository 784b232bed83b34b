import { sha256Hex } from "../accounts/secrets.ts";
import type { Service } from "../core/service.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";

/** How long event ids are kept; the provider repeats an event for three days. */
export const keepEventsMs = 30 * 86_400_000;

/**
 * Notes in the commit that ends an account that it has ended, for 30 days: a checkout that it began can be paid a day
 * later, and an event arrives up to three days after that. Another installation may share the Stripe account, so that
 * an account that is merely unknown is not taken for one that has ended.
 */
export function noteEnded(tx: Tx, service: Service, userId: string): void {
  if (!service.payments) return;
  tx.set(keys.endedAccount(sha256Hex(userId)), service.clock.now(), { expireInMs: keepEventsMs });
}

export async function hasEnded(store: Database | Tx, userId: string): Promise<boolean> {
  return await store.get(keys.endedAccount(sha256Hex(userId))) !== null;
}
