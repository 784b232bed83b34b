import Stripe from "stripe";
import type { Plan } from "../../domain/core/plans.ts";
import {
  AddressRefused,
  CustomerUnknown,
  type Payments,
  PaymentsUnavailable,
} from "../../domain/ports/payments.ts";
import { type Prices, readEvent, subscriptionChange } from "./stripe_event.ts";

export type StripeOptions = {
  secretKey: string;
  /** If unset, every notification is refused. */
  webhookSecret?: string;
  prices: Prices;
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
  const { signature: signatures } = stripe.webhooks;
  if (!signatures) throw new Error("this build of Stripe's library verifies no signatures");
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
      // The library verifies text. A body that is not UTF-8 fails its signature.
      const text = new TextDecoder().decode(body);
      try {
        await signatures.verifyHeaderAsync(
          text,
          signature,
          options.webhookSecret,
          signatureToleranceSeconds,
          cryptoProvider,
          now,
        );
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        throw error;
      }
      return readEvent(text, prices);
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

/** Stripe takes 500 characters for a value of the metadata. */
const namedAtMost = 10;

/** Stripe's default. After this time a captured notification is useless. */
const signatureToleranceSeconds = 300;

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
