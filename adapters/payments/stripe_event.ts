import { z } from "zod";
import type { Plan } from "../../domain/core/plans.ts";
import type { PaymentEvent } from "../../domain/ports/payments.ts";
import type { SubscriptionChange } from "../../domain/ports/payments.ts";

/** Stripe's ids of the prices that are sold. */
export type Prices = { pro?: string; enterprise?: string };

const idSchema = z.string().max(255);
const referenceSchema = z.union([idSchema, z.object({ id: idSchema })]).nullish();
const metadataSchema = z.record(z.string(), z.string().max(500)).nullish();
const periodSchema = {
  current_period_start: z.number().nullish(),
  current_period_end: z.number().nullish(),
};

const eventSchema = z.object({
  id: idSchema.min(1),
  type: z.string(),
  created: z.number(),
  data: z.object({ object: z.unknown() }),
});

const sessionSchema = z.object({
  id: idSchema.nullish(),
  payment_status: z.string().nullish(),
  subscription: referenceSchema,
  customer: referenceSchema,
  client_reference_id: idSchema.nullish(),
  metadata: metadataSchema,
});

const itemSchema = z.object({ price: z.object({ id: z.string() }).nullish(), ...periodSchema });

const subscriptionSchema = z.object({
  id: idSchema.min(1),
  status: z.string().nullish(),
  items: z.object({ data: z.array(itemSchema) }).nullish(),
  customer: referenceSchema,
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: z.number().nullish(),
  metadata: metadataSchema,
  ...periodSchema,
});

const invoiceSchema = z.object({
  customer: referenceSchema,
  parent: z.object({
    subscription_details: z.object({ subscription: referenceSchema, metadata: metadataSchema })
      .nullish(),
  }).nullish(),
  /** Before API version 2025-03-31 an invoice named its subscription itself. */
  subscription: referenceSchema,
});

/** What is read of a subscription of Stripe. */
type StripeSubscription = z.output<typeof subscriptionSchema>;

/** A notification of Stripe whose signature is verified; null if it does not have the form of one. */
export function readEvent(text: string, prices: Prices): PaymentEvent | null {
  try {
    return paymentEvent(eventSchema.parse(JSON.parse(text)), prices);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

function paymentEvent(
  { id, type, created, data }: z.output<typeof eventSchema>,
  prices: Prices,
): PaymentEvent {
  const createdAt = created * 1000;
  const base: PaymentEvent = {
    eventId: id,
    type,
    createdAt,
    customerId: null,
    userId: null,
    checkoutId: null,
    replaces: [],
    change: null,
  };
  switch (type) {
    case "checkout.session.completed": {
      const session = sessionSchema.parse(data.object);
      // If the payment is still pending, later events of the subscription will follow.
      const paid = session.payment_status !== "unpaid";
      const subscriptionId = paid ? idOf(session.subscription) : null;
      return {
        ...base,
        customerId: idOf(session.customer),
        userId: session.client_reference_id || session.metadata?.userId || null,
        checkoutId: idOf(session.id),
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
      const subscription = subscriptionSchema.parse(data.object);
      const change = subscriptionChange(subscription, createdAt, prices);
      return {
        ...base,
        customerId: idOf(subscription.customer),
        userId: subscription.metadata?.userId || null,
        replaces: replacedBy(subscription.metadata),
        change: type === "customer.subscription.deleted" ? { ...change, ended: true } : change,
      };
    }
    case "invoice.paid":
    case "invoice.payment_failed": {
      const invoice = invoiceSchema.parse(data.object);
      const details = invoice.parent?.subscription_details;
      const subscriptionId = idOf(details?.subscription) ?? idOf(invoice.subscription);
      return {
        ...base,
        customerId: idOf(invoice.customer),
        userId: details?.metadata?.userId || null,
        change: subscriptionId
          ? { subscriptionId, createdAt, status: type === "invoice.paid" ? "active" : "past_due" }
          : null,
      };
    }
    default:
      return base;
  }
}

export function subscriptionChange(
  subscription: StripeSubscription,
  createdAt: number,
  prices: Prices,
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
  item: z.output<typeof itemSchema> | undefined,
  prices: Prices,
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

function replacedBy(metadata: z.output<typeof metadataSchema>): string[] {
  return metadata?.replaces?.split(" ") ?? [];
}

/** Since API version 2025-03-31 the item has the period; before, the subscription had it. */
function periodOf(
  { current_period_start: start, current_period_end: end }: Partial<StripeSubscription> = {},
): { start: number; end: number } | undefined {
  return typeof start === "number" && typeof end === "number"
    ? { start: start * 1000, end: end * 1000 }
    : undefined;
}

/**
 * In the billing mode `flexible`, the default since API version 2025-09-30, a cancellation in the portal sets the time of
 * the end, and leaves `cancel_at_period_end` false.
 */
function endsWith(
  period: { end: number } | undefined,
  { cancel_at: at }: StripeSubscription,
): boolean {
  return period !== undefined && typeof at === "number" && at * 1000 <= period.end;
}

function idOf(reference: z.output<typeof referenceSchema>): string | null {
  return (typeof reference === "string" ? reference : reference?.id) || null;
}
