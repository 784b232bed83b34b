import type { Plan } from "../core/plans.ts";

/** The payment provider. Methods throw `PaymentsUnavailable` if it does not answer, or refuses the service. */
export interface Payments {
  /**
   * Begins the purchase of a plan; the user pays at `url`. `customerId` is from an earlier purchase; `replaces` are the
   * ids of the running subscriptions, which the events of the new one name again.
   */
  beginCheckout(purchase: {
    userId: string;
    email: string;
    customerId: string | null;
    plan: Plan;
    replaces: string[];
    successUrl: string;
    cancelUrl: string;
  }): Promise<{ checkoutId: string; url: string }>;

  /**
   * Makes a customer of an account that has never paid, or whose customer is unknown (`replaced`), so that it can open the
   * portal.
   */
  createCustomer(account: {
    userId: string;
    email: string;
    replaced: string | null;
  }): Promise<{ customerId: string }>;

  /** The address of the provider's pages for payment methods and invoices, for one visit. */
  openPortal(visit: { customerId: string; returnUrl: string }): Promise<{ url: string }>;

  /**
   * Ends a subscription at once, without a refund. With `creditRest` the customer's next invoices are lower by what is
   * paid and not used. Does nothing for one that has ended or is not known.
   */
  cancel(subscriptionId: string, options?: { creditRest: boolean }): Promise<void>;

  /** Whether a plan has a price and so can be bought. */
  sells(plan: Plan): boolean;

  /**
   * Reads a notification; `signature` is over the bytes of `body`. Null if it is missing, wrong or older than five
   * minutes.
   */
  readEvent(body: Uint8Array, signature: string | null, now: number): Promise<PaymentEvent | null>;

  /** The present state of a subscription, for an event that does not name the plan. */
  subscription(subscriptionId: string, createdAt: number): Promise<SubscriptionChange>;
}

/** A notification. `createdAt` is in ms since 1970, whole seconds. */
export type PaymentEvent = {
  eventId: string;
  type: string;
  createdAt: number;
  customerId: string | null;
  /** The account that was sent to the provider when the purchase began. */
  userId: string | null;
  /** The purchase that this event completes. */
  checkoutId: string | null;
  /** The subscriptions that this purchase replaces once it is paid. */
  replaces: string[];
  /** The change of a subscription, or null. */
  change: SubscriptionChange | null;
};

/** The provider does not answer, or refuses the service (`refused`: do not try again). The message is for the log. */
export class PaymentsUnavailable extends Error {
  override name = "PaymentsUnavailable";

  constructor(message: string, readonly refused = false) {
    super(message);
  }
}

/**
 * The provider does not know the customer: the operator has deleted it there, or has changed from test keys to live ones.
 */
export class CustomerUnknown extends PaymentsUnavailable {
  override name = "CustomerUnknown";

  constructor() {
    super("the customer is unknown", true);
  }
}

/** The provider refuses an address that the caller gave, for example because it begins with http:. */
export class AddressRefused extends Error {
  override name = "AddressRefused";

  constructor(readonly field: "successUrl" | "cancelUrl" | "returnUrl") {
    super(`${field} is refused`);
  }
}

/**
 * What a payment event changes of one subscription. An event has only some of the fields. `createdAt`, in ms since 1970,
 * is when the provider made the event: events arrive in any order and are ordered by it.
 */
export type SubscriptionChange = {
  subscriptionId: string;
  createdAt: number;
  plan?: Plan;
  status?: "active" | "past_due";
  /** True if the provider has ended the subscription permanently, false if it runs. */
  ended?: boolean;
  period?: BillingPeriod;
  cancelAtPeriodEnd?: boolean;
  /** The first payment is missing: of two events of the same moment, the other one wins. */
  incomplete?: boolean;
};

/** Times in ms since 1970; `end` is the first moment of the next period. */
export type BillingPeriod = { start: number; end: number };
