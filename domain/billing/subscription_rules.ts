import type { Plan } from "../core/plans.ts";

export type SubscriptionStatus = "active" | "canceled" | "past_due";

/**
 * What a payment event says of one subscription, in our words. Each event speaks of some fields only; `createdAt`
 * is when the provider made the event, in ms since the epoch, and orders them, since they arrive in any order.
 */
export type SubscriptionChange = {
  subscriptionId: string;
  createdAt: number;
  plan?: Plan;
  status?: "active" | "past_due";
  /** True when the provider has ended the subscription for good, false when it says that it runs. */
  ended?: boolean;
  period?: BillingPeriod;
  cancelAtPeriodEnd?: boolean;
  /** Not paid for the first time yet: of two events of one moment never the one that holds. */
  incomplete?: boolean;
};

/** Times in ms since the epoch; `end` is the first moment of the next period. */
export type BillingPeriod = { start: number; end: number };

type Dated<Value> = { value: Value; createdAt: number };

/** One subscription as its events have left it: each field with the time of the event that decided it. */
export type SubscriptionState = {
  subscriptionId: string;
  newest: number;
  plan?: Dated<Plan>;
  status?: Dated<"active" | "past_due">;
  ended?: Dated<boolean>;
  period?: Dated<BillingPeriod>;
  cancelAtPeriodEnd?: Dated<boolean>;
};

/** All that is known of the subscriptions of one customer, newest first. */
export type CustomerBilling = { subscriptions: SubscriptionState[] };

/** What the account sees: SPEC.md, Subscription, with times in ms. `period` is null for the calendar month. */
export type EffectiveSubscription = {
  status: SubscriptionStatus;
  plan: Plan;
  period: BillingPeriod | null;
  cancelAtPeriodEnd: boolean;
};

export const noBilling: CustomerBilling = { subscriptions: [] };

/**
 * Applies one event, DECISIONS.md 11: field by field the newest `createdAt` wins, of equals the later arrival, so that
 * every order of arrival of the same events ends in the same state. That an event is applied once is the caller's
 * part, and applying it twice changes nothing unless another of the same moment came between.
 */
export function applyChange(billing: CustomerBilling, change: SubscriptionChange): CustomerBilling {
  const before = billing.subscriptions.find((one) => one.subscriptionId === change.subscriptionId);
  const after: SubscriptionState = {
    subscriptionId: change.subscriptionId,
    newest: Math.max(before?.newest ?? 0, change.createdAt),
  };
  const decide = <Value>(old: Dated<Value> | undefined, value: Value | undefined) => {
    if (value === undefined) return old;
    const next = { value, createdAt: change.createdAt };
    if (!old) return next;
    const holds = change.incomplete
      ? next.createdAt > old.createdAt
      : next.createdAt >= old.createdAt;
    return holds ? next : old;
  };
  after.plan = decide(before?.plan, change.plan);
  after.status = decide(before?.status, change.status);
  after.ended = decide(before?.ended, change.ended);
  after.period = decide(before?.period, change.period);
  after.cancelAtPeriodEnd = decide(before?.cancelAtPeriodEnd, change.cancelAtPeriodEnd);
  const others = billing.subscriptions.filter((one) => one !== before);
  const all = [after, ...others].sort((a, b) => b.newest - a.newest);
  return { subscriptions: all.slice(0, keptSubscriptions) };
}

/**
 * The subscription that counts: of those that run the one with the newest event; where none runs the newest that has
 * ended, which leaves the free plan. A customer of whom nothing is known has the free plan.
 */
export function effectiveSubscription(billing: CustomerBilling): EffectiveSubscription {
  const known = billing.subscriptions.filter((one) => one.ended);
  const running = known.find((one) => !one.ended?.value);
  if (running) {
    return {
      status: running.status?.value ?? "active",
      plan: running.plan?.value ?? "free",
      period: running.period?.value ?? null,
      cancelAtPeriodEnd: running.cancelAtPeriodEnd?.value ?? false,
    };
  }
  const status = known.length > 0 ? "canceled" : "active";
  return { status, plan: "free", period: null, cancelAtPeriodEnd: false };
}

/**
 * The period that `now` is in. Without one of its own an account is billed by the calendar month in UTC. A period that
 * is over before its successor was announced goes on at its own length, so that usage starts anew on the day.
 */
export function periodAt(period: BillingPeriod | null, now: number): BillingPeriod {
  if (!period || period.end <= period.start) return calendarMonth(now);
  // Before its start, a period is that of a subscription to come: the month serves until then.
  if (now < period.start) return calendarMonth(now);
  if (now < period.end) return period;
  const months = Math.max(1, Math.round((period.end - period.start) / averageMonth));
  let passed = months * Math.floor((now - period.start) / (months * averageMonth));
  while (addMonths(period.start, passed) > now) passed -= months;
  while (addMonths(period.start, passed + months) <= now) passed += months;
  return {
    start: addMonths(period.start, passed),
    end: addMonths(period.start, passed + months),
  };
}

/** Stripe's own count of months: the same day and time, the last day of a month that is too short. */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

function calendarMonth(now: number): BillingPeriod {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

const averageMonth = 30.436875 * 86_400_000;

/** A customer who comes and goes leaves old subscriptions behind; the row stays far below the 64 KiB of a value. */
const keptSubscriptions = 20;
