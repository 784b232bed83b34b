import type { Plan } from "../core/plans.ts";
import type { BillingPeriod, SubscriptionChange } from "../ports/payments.ts";

export type SubscriptionStatus = "active" | "canceled" | "past_due";

type Dated<Value> = { value: Value; createdAt: number };

/** One subscription after its events: each field with the time of the event that set it. */
export type SubscriptionState = {
  subscriptionId: string;
  newest: number;
  plan?: Dated<Plan>;
  status?: Dated<"active" | "past_due">;
  ended?: Dated<boolean>;
  period?: Dated<BillingPeriod>;
  cancelAtPeriodEnd?: Dated<boolean>;
};

/** The known subscriptions of one customer, newest first. */
export type CustomerBilling = { subscriptions: SubscriptionState[] };

/** The subscription that the API shows, with times in ms. `period` is null for the calendar month. */
export type EffectiveSubscription = {
  status: SubscriptionStatus;
  plan: Plan;
  period: BillingPeriod | null;
  cancelAtPeriodEnd: boolean;
};

export const noBilling: CustomerBilling = { subscriptions: [] };

/**
 * Applies one event. For each field the newest `createdAt` wins; of equal times, the event that arrived later. So the
 * same events end in the same state in every order of arrival (docs/decisions.md "Billing decisions"). The caller
 * applies each event once; a second time changes nothing unless another event of the same moment came between.
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
 * The subscription that counts: the running one with the newest event, of those that are paid if there is any: a second
 * purchase whose payment is open takes nothing away. Without a running one the free plan, "canceled" if a subscription
 * has ended.
 */
export function effectiveSubscription(billing: CustomerBilling): EffectiveSubscription {
  const known = billing.subscriptions.filter((one) => one.ended);
  const running = known.filter((one) => !one.ended?.value).map((one) => ({
    status: one.status?.value ?? "active",
    plan: one.plan?.value ?? "free",
    period: one.period?.value ?? null,
    cancelAtPeriodEnd: one.cancelAtPeriodEnd?.value ?? false,
  }));
  const paid = running.find(({ status, plan }) => status === "active" && plan !== "free");
  if (running.length > 0) return paid ?? running[0];
  const status = known.length > 0 ? "canceled" : "active";
  return { status, plan: "free", period: null, cancelAtPeriodEnd: false };
}

/**
 * The billing period at `now`: the calendar month in UTC without a `period`. If `period` is over and no event has brought
 * the next one, it is continued with the same length, so that usage restarts on time.
 */
export function periodAt(period: BillingPeriod | null, now: number): BillingPeriod {
  if (!period || period.end <= period.start) return calendarMonth(now);
  // The subscription has not started: the calendar month counts until then.
  if (now < period.start) return calendarMonth(now);
  if (now < period.end) return period;
  const months = Math.max(1, Math.round((period.end - period.start) / averageMonth));
  // The later periods of a subscription of 31 January end on a later day than they begin: 28 February to 31 March.
  const anchor = addMonths(period.start, months) === period.end ? period.start : period.end;
  let passed = months * Math.floor((now - anchor) / (months * averageMonth));
  while (addMonths(anchor, passed) > now) passed -= months;
  while (addMonths(anchor, passed + months) <= now) passed += months;
  return { start: addMonths(anchor, passed), end: addMonths(anchor, passed + months) };
}

/** Adds months as Stripe does: the same day and time, or the last day of a shorter month. */
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

/** Limits the row of a customer with many old subscriptions: a value may have 64 KiB. */
const keptSubscriptions = 20;
