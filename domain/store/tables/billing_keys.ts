/** The keys of what an account uses and pays; a part of `keys.ts`. */
type Key = Deno.KvKey;

/** What an account has used in a period. */
export const usage = (userId: string, period: string): Key => ["usage", userId, period];
/** The bytes of the live emails of an account. */
export const storage = (userId: string): Key => ["storage", userId];
/** What the processes of a shard have counted in the two rows above and not used yet: Reserved. */
export const usageReserved = (userId: string, shard: number): Key => [
  "usage_reserved",
  userId,
  shard,
];
export const usagesReserved = (userId: string): Key => ["usage_reserved", userId];
/** Who has request windows. */
export type RateSubject = "account" | "address" | "session" | "key";
/** The request windows of an account, a client address, a session or a key: one row with a counter for each window. */
export const rateWindows = (kind: RateSubject, id: string): Key => [
  "rate_windows",
  kind,
  id,
];

/** A customer of the payment provider: its account, if known, and the state that events gave it. */
export const customer = (customerId: string): Key => ["customers", customerId];
/** A checkout that was begun: its account and plan. */
export const checkout = (checkoutId: string): Key => ["checkouts", checkoutId];
export const allCustomers = (): Key => ["customers"];
export const allCheckouts = (): Key => ["checkouts"];
/** An account that has ended, by the SHA-256 of its id: a payment of it may still be reported. */
export const endedAccount = (idHash: string): Key => ["ended_accounts", idHash];
/** When an event of the payment provider was applied, so that it is applied once. */
export const paymentEvent = (eventId: string): Key => ["payment_events", eventId];
