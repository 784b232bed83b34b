import type { SubscriptionChange } from "../billing/subscription_rules.ts";
import type { Plan } from "../core/plans.ts";

/** The payment provider. Every method throws `PaymentsUnavailable` when it does not answer or refuses us. */
export interface Payments {
  /** Begins the purchase of a plan; the account holder pays at `url`. `customerId` is theirs from an earlier purchase. */
  beginCheckout(purchase: {
    userId: string;
    email: string;
    customerId: string | null;
    plan: Plan;
    successUrl: string;
    cancelUrl: string;
  }): Promise<{ checkoutId: string; url: string }>;

  /** Makes a customer for an account that has never paid, so that it can have a portal. */
  createCustomer(account: { userId: string; email: string }): Promise<{ customerId: string }>;

  /** A visit to the provider's pages for payment methods and invoices. */
  openPortal(visit: { customerId: string; returnUrl: string }): Promise<{ url: string }>;

  /** Whether a plan can be bought: it has a price. */
  sells(plan: Plan): boolean;

  /**
   * Reads a notification, whose signature is over the bytes as they came. Null when the signature is missing, wrong or
   * older than five minutes.
   */
  readEvent(body: Uint8Array, signature: string | null, now: number): Promise<PaymentEvent | null>;

  /** The present state of a subscription, for an event that names it without saying what was bought. */
  subscription(subscriptionId: string, createdAt: number): Promise<SubscriptionChange>;
}

/** A notification in our words. `createdAt` in ms since the epoch, whole seconds. */
export type PaymentEvent = {
  eventId: string;
  type: string;
  createdAt: number;
  customerId: string | null;
  /** The account that the provider was told of when the purchase began. */
  userId: string | null;
  /** The purchase that this event completes. */
  checkoutId: string | null;
  /** What it says of a subscription; null where it says nothing that concerns us. */
  change: SubscriptionChange | null;
};

/** The provider does not answer, or (`refused`) not us: then no further try would change it. The message is for the log. */
export class PaymentsUnavailable extends Error {
  override name = "PaymentsUnavailable";

  constructor(message: string, readonly refused = false) {
    super(message);
  }
}

/** The provider does not take an address that the caller gave, such as http: where it wants https:. */
export class AddressRefused extends Error {
  override name = "AddressRefused";

  constructor(readonly field: "successUrl" | "cancelUrl" | "returnUrl") {
    super(`${field} is refused`);
  }
}
