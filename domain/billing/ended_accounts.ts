import { sha256Hex } from "../accounts/secrets.ts";
import type { Service } from "../core/service.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";

/** How long event ids are kept; the provider repeats an event for three days. */
export const keepEventsMs = 30 * 86_400_000;

/**
 * Notes for 30 days, in the commit that ends an account, that it has ended: a checkout that it began can be paid a day
 * later, and the event can arrive three days after that. Without the note the account would merely be unknown, like the
 * accounts of another installation that shares the Stripe account.
 */
export function noteEnded(
  tx: Tx,
  { payments, clock }: Pick<Service, "payments" | "clock">,
  userId: string,
): void {
  if (!payments) return;
  tx.set(keys.endedAccount(sha256Hex(userId)), clock.now(), { expireInMs: keepEventsMs });
}

export async function hasEnded(store: Database | Tx, userId: string): Promise<boolean> {
  return await store.get(keys.endedAccount(sha256Hex(userId))) !== null;
}
