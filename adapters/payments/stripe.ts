import Stripe from "stripe";
import type { SubscriptionChange } from "../../domain/billing/subscription_rules.ts";
import type { Plan } from "../../domain/core/plans.ts";
import {
  AddressRefused,
  CustomerUnknown,
  type PaymentEvent,
  type Payments,
  PaymentsUnavailable,
} from "../../domain/ports/payments.ts";

export type StripeOptions = {
  secretKey: string;
  /** If unset, every notification is refused. */
  webhookSecret?: string;
  prices: { pro?: string; enterprise?: string };
  /** Another address of the API, `http://127.0.0.1:4242`. */
  apiBase?: string;
};

/** Stripe Checkout in subscription mode, the billing portal, and signed webhooks. */
export function stripePayments(options: StripeOptions): Payments {
  const stripe = new Stripe(options.secretKey, {
    ...apiAddress(options.apiBase),
    // A person waits; the default is 80 s.
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  });
  const cryptoProvider = Stripe.createSubtleCryptoProvider();
  const { prices } = options;

  return {
    async beginCheckout({ userId, email, customerId, plan, replaces, successUrl, cancelUrl }) {
      const metadata = {
        userId,
        plan,
        ...(replaces.length > 0 ? { replaces: replaces.slice(0, namedAtMost).join(" ") } : {}),
      };
      const session = await answered(() =>
        stripe.checkout.sessions.create({
          mode: "subscription",
          line_items: [{ price: priceOf(plan), quantity: 1 }],
          success_url: successUrl,
          cancel_url: cancelUrl,
          client_reference_id: userId,
          metadata,
          subscription_data: { metadata },
          ...(customerId ? { customer: customerId } : { customer_email: email }),
        })
      );
      if (!session.url) throw new PaymentsUnavailable("a checkout session without a url");
      return { checkoutId: session.id, url: session.url };
    },

    async createCustomer({ userId, email, replaced }) {
      const customer = await answered(() =>
        stripe.customers.create({ email, metadata: { userId } }, {
          // Two simultaneous visits make one customer.
          idempotencyKey: `customer-of-${userId}${replaced ? `-after-${replaced}` : ""}`,
        })
      );
      return { customerId: customer.id };
    },

    async openPortal({ customerId, returnUrl }) {
      const session = await answered(() =>
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl })
      );
      return { url: session.url };
    },

    async cancel(subscriptionId, { creditRest } = { creditRest: false }) {
      try {
        // Only the final invoice moves the credit to the customer's balance.
        const rest = creditRest ? { prorate: true, invoice_now: true } : {};
        await stripe.subscriptions.cancel(subscriptionId, rest);
      } catch (error) {
        // Stripe gives this answer for an ended subscription too.
        const isGone = error instanceof Stripe.errors.StripeError && error.statusCode === 404;
        if (!isGone) await answered(() => Promise.reject(error));
      }
    },

    sells: (plan) => plan !== "free" && prices[plan] !== undefined,

    async readEvent(body, signature, now) {
      if (!signature || !options.webhookSecret) return null;
      try {
        const event = await stripe.webhooks.constructEventAsync(
          // The library verifies text. A body that is not UTF-8 fails its signature.
          new TextDecoder().decode(body),
          signature,
          options.webhookSecret,
          signatureToleranceSeconds,
          cryptoProvider,
          now,
        );
        return readEvent(event, prices);
      } catch (error) {
        // A signed body that is not JSON is no notification.
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        if (error instanceof SyntaxError) return null;
        throw error;
      }
    },

    async subscription(subscriptionId, createdAt) {
      const subscription = await answered(() => stripe.subscriptions.retrieve(subscriptionId));
      return subscriptionChange(subscription, createdAt, prices);
    },
  };

  function priceOf(plan: Plan): string {
    const price = plan === "free" ? undefined : prices[plan];
    if (!price) throw new Error(`there is no price of ${plan}`);
    return price;
  }
}

/** Stripe's default. After this time a captured notification is useless. */
const signatureToleranceSeconds = 300;

function readEvent(event: Stripe.Event, prices: StripeOptions["prices"]): PaymentEvent {
  const createdAt = event.created * 1000;
  const base: PaymentEvent = {
    eventId: event.id,
    type: event.type,
    createdAt,
    customerId: null,
    userId: null,
    checkoutId: null,
    replaces: [],
    change: null,
  };
  switch (event.type) {
    case "checkout.session.completed": {
      const session = event.data.object;
      // If the payment is still pending, later events of the subscription will follow.
      const paid = session.payment_status !== "unpaid";
      const subscriptionId = paid ? idOf(session.subscription) : null;
      return {
        ...base,
        customerId: idOf(session.customer),
        userId: session.client_reference_id ?? session.metadata?.userId ?? null,
        checkoutId: session.id,
        replaces: replacedBy(session.metadata),
        change: subscriptionId
          ? {
            subscriptionId,
            createdAt,
            plan: planNamed(session.metadata?.plan),
            status: "active",
            ended: false,
          }
          : null,
      };
    }
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
    case "customer.subscription.trial_will_end":
    case "customer.subscription.pending_update_applied":
    case "customer.subscription.pending_update_expired": {
      const subscription = event.data.object;
      const change = subscriptionChange(subscription, createdAt, prices);
      return {
        ...base,
        customerId: idOf(subscription.customer),
        userId: subscription.metadata?.userId ?? null,
        replaces: replacedBy(subscription.metadata),
        change: event.type === "customer.subscription.deleted"
          ? { ...change, ended: true }
          : change,
      };
    }
    case "invoice.paid":
    case "invoice.payment_failed": {
      const invoice = event.data.object;
      const details = invoice.parent?.subscription_details;
      const subscriptionId = idOf(details?.subscription) ?? olderSubscription(invoice);
      return {
        ...base,
        customerId: idOf(invoice.customer),
        userId: details?.metadata?.userId ?? null,
        change: subscriptionId
          ? {
            subscriptionId,
            createdAt,
            status: event.type === "invoice.paid" ? "active" : "past_due",
          }
          : null,
      };
    }
    default:
      return base;
  }
}

function subscriptionChange(
  subscription: Stripe.Subscription,
  createdAt: number,
  prices: StripeOptions["prices"],
): SubscriptionChange {
  const item = subscription.items?.data[0];
  const { status } = subscription;
  const incomplete = status === "incomplete" || status === "paused";
  const period = periodOf(item) ?? periodOf(subscription);
  return {
    subscriptionId: subscription.id,
    createdAt,
    // `unpaid`: Stripe has given up to collect, and leaves the subscription open.
    plan: incomplete || status === "unpaid"
      ? "free"
      : planOf(item, prices) ?? planNamed(subscription.metadata?.plan),
    status: status === "active" || status === "trialing" ? "active" : "past_due",
    ended: status === "canceled" || status === "incomplete_expired",
    period,
    cancelAtPeriodEnd: subscription.cancel_at_period_end || endsWith(period, subscription),
    ...(incomplete ? { incomplete } : {}),
  };
}

function planOf(
  item: Stripe.SubscriptionItem | undefined,
  prices: StripeOptions["prices"],
): Plan | undefined {
  const price = item?.price?.id;
  if (price === undefined) return undefined;
  if (price === prices.enterprise) return "enterprise";
  if (price === prices.pro) return "pro";
  return undefined;
}

/** The plan that checkout wrote into the metadata. */
function planNamed(name: string | undefined): Plan | undefined {
  return name === "pro" || name === "enterprise" ? name : undefined;
}

function replacedBy(metadata: Stripe.Metadata | null | undefined): string[] {
  return metadata?.replaces?.split(" ") ?? [];
}

/** Stripe takes 500 characters for a value of the metadata. */
const namedAtMost = 10;

/** Since API version 2025-03-31 the item has the period; before, the subscription had it. */
function periodOf(source: object | undefined): { start: number; end: number } | undefined {
  if (!source || !("current_period_start" in source && "current_period_end" in source)) {
    return undefined;
  }
  const { current_period_start: start, current_period_end: end } = source;
  if (typeof start !== "number" || typeof end !== "number") return undefined;
  return { start: start * 1000, end: end * 1000 };
}

/**
 * In the billing mode `flexible`, the default since API version 2025-09-30, a cancellation in the portal sets the time of
 * the end, and leaves `cancel_at_period_end` false.
 */
function endsWith(
  period: { end: number } | undefined,
  { cancel_at: at }: Stripe.Subscription,
): boolean {
  return period !== undefined && typeof at === "number" && at * 1000 <= period.end;
}

/** Before API version 2025-03-31 an invoice named its subscription itself. */
function olderSubscription(invoice: object): string | null {
  return "subscription" in invoice && typeof invoice.subscription === "string"
    ? invoice.subscription
    : null;
}

function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : reference?.id ?? null;
}

function apiAddress(apiBase: string | undefined): Stripe.StripeConfig {
  if (!apiBase) return {};
  const url = new URL(apiBase);
  const protocol = url.protocol === "http:" ? "http" : "https";
  return { host: url.hostname, port: url.port || (protocol === "http" ? 80 : 443), protocol };
}

/** Fields for addresses that the caller gave, by Stripe's parameter. */
const addressFields: Record<string, AddressRefused["field"] | undefined> = {
  success_url: "successUrl",
  cancel_url: "cancelUrl",
  return_url: "returnUrl",
};

async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const field = addressFields[error.param ?? ""];
    if (field) throw new AddressRefused(field);
    const { type, statusCode = 0, code, param } = error;
    if (code === "resource_missing" && param === "customer") throw new CustomerUnknown();
    const passes = statusCode < 400 || statusCode >= 500 || statusCode === 409 ||
      statusCode === 429;
    throw new PaymentsUnavailable(`${type} ${statusCode || ""} ${code ?? ""}`.trim(), !passes);
  }
}
