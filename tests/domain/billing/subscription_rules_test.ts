import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addMonths,
  applyChange,
  type CustomerBilling,
  effectiveSubscription,
  noBilling,
  periodAt,
} from "../../../domain/billing/subscription_rules.ts";
import type { SubscriptionChange } from "../../../domain/ports/payments.ts";

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();
const start = at("2026-11-21T10:00:00.000Z");
const period = { start, end: addMonths(start, 1) };

/** The events of a subscription in their order, one a second. */
const created: SubscriptionChange = {
  subscriptionId: "sub_1",
  createdAt: 1000,
  plan: "pro",
  status: "active",
  ended: false,
  period,
  cancelAtPeriodEnd: false,
};
const updated: SubscriptionChange = { ...created, createdAt: 2000, cancelAtPeriodEnd: true };
const failed: SubscriptionChange = { subscriptionId: "sub_1", createdAt: 3000, status: "past_due" };
const paid: SubscriptionChange = { subscriptionId: "sub_1", createdAt: 4000, status: "active" };
const deleted: SubscriptionChange = { ...updated, createdAt: 5000, ended: true };

const after = (...changes: SubscriptionChange[]) => changes.reduce(applyChange, noBilling);

Deno.test("an account without subscription is active on the free plan, without a period", () => {
  assert.deepEqual(effectiveSubscription(noBilling), {
    status: "active",
    plan: "free",
    period: null,
    cancelAtPeriodEnd: false,
  });
});

Deno.test("each event of a subscription sets its state", () => {
  const steps = [created, updated, failed, paid, deleted];
  const states = steps.map((_, n) => effectiveSubscription(after(...steps.slice(0, n + 1))));
  const running = { status: "active", plan: "pro", period, cancelAtPeriodEnd: false };
  assert.deepEqual(states, [
    running,
    { ...running, cancelAtPeriodEnd: true },
    { ...running, cancelAtPeriodEnd: true, status: "past_due" },
    { ...running, cancelAtPeriodEnd: true },
    { status: "canceled", plan: "free", period: null, cancelAtPeriodEnd: false },
  ]);
});

Deno.test("any events in any order, each any number of times, end in the state of the newest", () => {
  const life = [created, updated, failed, paid, deleted];
  fc.assert(fc.property(
    fc.integer({ min: 1, max: life.length }).chain((length) =>
      fc.record({
        length: fc.constant(length),
        order: fc.shuffledSubarray([...life.slice(0, length), ...life.slice(0, length)], {
          minLength: length * 2,
        }),
      })
    ),
    ({ length, order }) => {
      assert.deepEqual(after(...order), after(...life.slice(0, length)));
    },
  ));
});

Deno.test("of two events of one moment the later arrival wins", () => {
  const twin = { ...updated, createdAt: created.createdAt };
  assert.equal(effectiveSubscription(after(created, twin)).cancelAtPeriodEnd, true);
  assert.equal(effectiveSubscription(after(twin, created)).cancelAtPeriodEnd, false);
});

Deno.test("an event with an open first payment never overrides the payment of the same moment", () => {
  const open: SubscriptionChange = {
    ...created,
    plan: "free",
    status: "past_due",
    incomplete: true,
  };
  assert.equal(effectiveSubscription(after(created, open)).plan, "pro");
  assert.equal(effectiveSubscription(after(open, created)).plan, "pro");
});

Deno.test("a second purchase whose payment is open or failed leaves the plan that is paid", () => {
  const second = {
    ...created,
    subscriptionId: "sub_2",
    createdAt: 6000,
    plan: "enterprise" as const,
  };
  const open = { ...second, plan: "free" as const, status: "past_due" as const, incomplete: true };
  const unpaid = { ...second, status: "past_due" as const };
  for (const change of [open, unpaid]) {
    assert.equal(effectiveSubscription(after(created, change)).plan, "pro");
    assert.equal(effectiveSubscription(after(created, change, second)).plan, "enterprise");
    assert.equal(effectiveSubscription(after(created, failed, change)).status, "past_due");
  }
});

Deno.test("a payment after the end does not restart the subscription", () => {
  const late = { ...paid, createdAt: 9000 };
  assert.equal(effectiveSubscription(after(created, deleted, late)).status, "canceled");
});

Deno.test("the end of an old subscription does not change a new one, whenever its event arrives", () => {
  const second = { ...created, subscriptionId: "sub_2", createdAt: 4500 };
  for (const order of [[created, deleted, second], [created, second, deleted]]) {
    assert.deepEqual(effectiveSubscription(after(...order)), {
      status: "active",
      plan: "pro",
      period,
      cancelAtPeriodEnd: false,
    });
  }
});

Deno.test("a payment event that arrives before its subscription is kept for it", () => {
  assert.equal(effectiveSubscription(after(failed)).status, "active");
  assert.equal(effectiveSubscription(after(failed)).plan, "free");
  assert.equal(effectiveSubscription(after(failed, created)).status, "past_due");
});

Deno.test("a customer's row stays bounded", () => {
  let billing: CustomerBilling = noBilling;
  for (let n = 0; n < 100; n++) {
    billing = applyChange(billing, { ...deleted, subscriptionId: `sub_${n}`, createdAt: n });
  }
  assert.equal(billing.subscriptions.length, 20);
  assert.equal(billing.subscriptions[0].subscriptionId, "sub_99");
});

Deno.test("periodAt() is the calendar month in UTC without a period", () => {
  const month = periodAt(null, at("2026-12-31T23:59:59.999Z"));
  assert.equal(iso(month.start), "2026-12-01T00:00:00.000Z");
  assert.equal(iso(month.end), "2027-01-01T00:00:00.000Z");
  assert.equal(periodAt(null, month.end).start, month.end);
});

Deno.test("periodAt() continues with periods of the same length if no event names the next", () => {
  assert.deepEqual(periodAt(period, start + 1), period);
  assert.equal(iso(periodAt(period, period.end).start), "2026-12-21T10:00:00.000Z");
  const year = { start, end: addMonths(start, 12) };
  assert.equal(iso(periodAt(year, year.end + 1).start), "2027-11-21T10:00:00.000Z");
  assert.equal(iso(periodAt(year, year.end + 1).end), "2028-11-21T10:00:00.000Z");
});

Deno.test("periodAt() continues where the period ends, also if its day is missing in the month of its start", () => {
  // What Stripe names for a subscription that began on 31 January.
  const february = { start: at("2027-02-28T08:00:00.000Z"), end: at("2027-03-31T08:00:00.000Z") };
  const ends = [0, 31, 62].map((days) => periodAt(february, february.end + days * 86_400_000));
  assert.deepEqual(ends.map(({ start, end }) => [iso(start), iso(end)]), [
    ["2027-03-31T08:00:00.000Z", "2027-04-30T08:00:00.000Z"],
    ["2027-04-30T08:00:00.000Z", "2027-05-31T08:00:00.000Z"],
    ["2027-05-31T08:00:00.000Z", "2027-06-30T08:00:00.000Z"],
  ]);
  const trial = { start, end: start + 14 * 86_400_000 };
  assert.equal(periodAt(trial, trial.end).start, trial.end);
});

Deno.test("periodAt() is the calendar month before the period begins, and for one of no length", () => {
  assert.equal(iso(periodAt(period, start - 1).start), "2026-11-01T00:00:00.000Z");
  assert.equal(iso(periodAt({ start, end: start }, start).start), "2026-11-01T00:00:00.000Z");
});

Deno.test("addMonths() keeps the day, or the last of a shorter month, and does not drift", () => {
  const last = at("2026-01-31T08:00:00.000Z");
  assert.equal(iso(addMonths(last, 1)), "2026-02-28T08:00:00.000Z");
  assert.equal(iso(addMonths(last, 2)), "2026-03-31T08:00:00.000Z");
  assert.equal(iso(addMonths(last, 13)), "2027-02-28T08:00:00.000Z");
});

Deno.test("every moment is in exactly one period, and periods meet without a gap", () => {
  fc.assert(fc.property(
    fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2028-01-01T00:00:00Z") }),
    fc.constantFrom(1, 3, 12),
    fc.integer({ min: 0, max: 3 * 365 * 86_400_000 }),
    fc.integer({ min: 0, max: 12 }),
    (anchor, months, later, passed) => {
      const start = addMonths(anchor, passed * months);
      const own = { start, end: addMonths(anchor, (passed + 1) * months) };
      const now = start + later;
      const found = periodAt(own, now);
      assert.ok(found.start <= now && now < found.end);
      assert.ok(now < own.end || own.end <= found.start);
      assert.equal(periodAt(own, found.end).start, found.end);
    },
  ));
});
