import type { User } from "../accounts/user.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { CustomerBilling, SubscriptionState } from "./subscription_rules.ts";

/** A customer of the payment provider: its account, null until an event names it, and the state from its events. */
export interface Customer {
  userId: string | null;
  billing: CustomerBilling;
}

/** What the events that arrived say of all subscriptions of an account, the ended ones included. */
export async function subscriptionsOf(
  store: Database | Tx,
  { customerIds = [] }: User,
): Promise<SubscriptionState[]> {
  const found: SubscriptionState[] = [];
  for (const customerId of customerIds) {
    const customer = await store.get<Customer>(keys.customer(customerId));
    found.push(...customer?.billing.subscriptions ?? []);
  }
  return found;
}
