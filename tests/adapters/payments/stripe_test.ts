import assert from "node:assert/strict";
import { PaymentsUnavailable } from "../../../domain/ports/payments.ts";
import { stripePayments } from "../../../adapters/payments/stripe.ts";
import {
  type FakeStripe,
  startFakeStripe,
  stripeInvoice,
  stripeSubscription,
} from "./fake_stripe.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");
const seconds = now / 1000;
const bytes = (text: string) => new TextEncoder().encode(text);

async function withStripe(
  test: (fake: FakeStripe, payments: ReturnType<typeof stripePayments>) => Promise<void>,
) {
  const fake = startFakeStripe();
  const payments = stripePayments({
    secretKey: "sk_test_1",
    webhookSecret: fake.webhookSecret,
    prices: { pro: "price_pro" },
    apiBase: fake.apiBase,
  });
  try {
    await test(fake, payments);
  } finally {
    await fake.close();
  }
}

Deno.test("beginCheckout() sells a subscription to the account, named on the session and the subscription", () =>
  withStripe(async (fake, payments) => {
    const purchase = {
      userId: "u1",
      email: "a@example.com",
      customerId: null,
      plan: "pro" as const,
      replaces: [],
      successUrl: "https://app.test/ok",
      cancelUrl: "https://app.test/no",
    };
    assert.deepEqual(await payments.beginCheckout(purchase), {
      checkoutId: "cs_test_1",
      url: "https://checkout.test/cs_test_1",
    });
    const replaces = ["sub_1", "sub_2"];
    await payments.beginCheckout({ ...purchase, customerId: "cus_1", replaces });
    const [first, second] = fake.requests;
    assert.equal(`${first.method} ${first.path}`, "POST /v1/checkout/sessions");
    assert.deepEqual(first.form, {
      mode: "subscription",
      "line_items[0][price]": "price_pro",
      "line_items[0][quantity]": "1",
      success_url: "https://app.test/ok",
      cancel_url: "https://app.test/no",
      client_reference_id: "u1",
      "metadata[userId]": "u1",
      "metadata[plan]": "pro",
      "subscription_data[metadata][userId]": "u1",
      "subscription_data[metadata][plan]": "pro",
      customer_email: "a@example.com",
    });
    assert.equal(second.form.customer, "cus_1");
    for (const owner of ["metadata", "subscription_data[metadata]"]) {
      assert.equal(second.form[`${owner}[replaces]`], "sub_1 sub_2");
    }
    assert.equal(second.form.customer_email, undefined);
  }));

Deno.test("a plan without a price is not sold", () =>
  withStripe((_fake, payments) => {
    const sold = (["free", "pro", "enterprise"] as const).map((plan) => payments.sells(plan));
    assert.deepEqual(sold, [false, true, false]);
    return Promise.resolve();
  }));

Deno.test("openPortal() and createCustomer() return the objects that Stripe made", () =>
  withStripe(async (fake, payments) => {
    const customer = await payments.createCustomer({
      ...{ userId: "u1", email: "a@example.com", replaced: null },
    });
    assert.deepEqual(customer, { customerId: "cus_made_1" });
    assert.equal(fake.requests[0].key, "customer-of-u1");
    assert.deepEqual(
      await payments.openPortal({ customerId: "cus_made_1", returnUrl: "https://app.test/" }),
      { url: "https://portal.test/bps_2" },
    );
  }));

Deno.test("Stripe failing, refusing or gone is PaymentsUnavailable, without the key in its message", () =>
  withStripe(async (fake, payments) => {
    for (const status of [500, 401, 400]) {
      fake.failWith = status;
      await assert.rejects(payments.subscription("sub_1", now), (error: Error) => {
        assert.ok(error instanceof PaymentsUnavailable);
        assert.doesNotMatch(error.message, /sk_test/);
        return true;
      });
    }
    const gone = stripePayments({
      secretKey: "sk_test_1",
      prices: {},
      apiBase: "http://127.0.0.1:9",
    });
    await assert.rejects(gone.subscription("sub_1", now), PaymentsUnavailable);
  }));

Deno.test("readEvent() accepts only a signature over these bytes from the last five minutes", () =>
  withStripe(async (fake, payments) => {
    const { body, signature } = await fake.event("invoice.paid", stripeInvoice(), {
      signedAt: seconds,
    });
    const read = (text: string, header: string | null, at: number) =>
      payments.readEvent(bytes(text), header, at);
    assert.equal((await read(body, signature, now + 300_000))?.type, "invoice.paid");
    assert.equal(await read(body, signature, now + 301_000), null);
    assert.equal(await read(body + " ", signature, now), null);
    assert.equal(await read(body, null, now), null);
    assert.equal(await read(body, "t=1,v1=00", now), null);
    assert.equal(await read(body, "nonsense", now), null);
    const unconfigured = stripePayments({ secretKey: "sk_test_1", prices: {} });
    assert.equal(await unconfigured.readEvent(bytes(body), signature, now), null);
  }));

Deno.test("a signed body without the form of an event is no notification", () =>
  withStripe(async (fake, payments) => {
    const event = (change: object) => ({
      id: "evt_1",
      type: "customer.subscription.updated",
      created: seconds,
      data: { object: stripeSubscription() },
      ...change,
    });
    const read = async (body: unknown) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return await payments.readEvent(bytes(text), await fake.sign(text, seconds), now);
    };
    assert.notEqual(await read(event({})), null);
    const object = (type: string, change: object) => event({ type, data: { object: change } });
    const malformed = [
      ...["", "{", "null", "[]", "1"],
      { object: "v2.core.event", id: "evt_1", type: "v1.x", created: "2026-11-21T10:00:00Z" },
      event({ id: undefined }),
      event({ id: "" }),
      event({ id: "e".repeat(3_000) }),
      event({ created: "yesterday" }),
      event({ data: undefined }),
      event({ data: { object: null } }),
      object("customer.subscription.updated", { id: "sub_1", status: "active", items: {} }),
      object("customer.subscription.updated", { id: "c".repeat(3_000), status: "active" }),
      object("customer.subscription.deleted", { status: "canceled" }),
      object("checkout.session.completed", { id: "cs_1", metadata: { replaces: 5 } }),
      object("checkout.session.completed", { id: "cs_1", customer: "c".repeat(3_000) }),
      object("invoice.paid", { parent: "none" }),
    ];
    for (const body of malformed) assert.equal(await read(body), null, JSON.stringify(body));
  }));

Deno.test("readEvent() returns the meaning of each kind of event", () =>
  withStripe(async (fake, payments) => {
    const read = async (type: string, object: object) => {
      const { body, signature } = await fake.event(type, object, {
        id: "evt",
        created: seconds,
        signedAt: seconds,
      });
      return await payments.readEvent(bytes(body), signature, now);
    };
    const base = {
      eventId: "evt",
      createdAt: now,
      customerId: "cus_1",
      userId: null,
      checkoutId: null,
      replaces: [],
    };
    const period = { start: 1_795_000_000_000, end: 1_797_592_000_000 };
    const running = {
      subscriptionId: "sub_1",
      createdAt: now,
      plan: "pro",
      status: "active",
      ended: false,
      period,
      cancelAtPeriodEnd: false,
    };
    const session = {
      id: "cs_1",
      object: "checkout.session",
      customer: "cus_1",
      subscription: "sub_1",
      client_reference_id: "u1",
      metadata: { userId: "u1", plan: "pro" },
    };
    assert.deepEqual(await read("checkout.session.completed", session), {
      ...base,
      type: "checkout.session.completed",
      userId: "u1",
      checkoutId: "cs_1",
      change: {
        subscriptionId: "sub_1",
        createdAt: now,
        plan: "pro",
        status: "active",
        ended: false,
      },
    });
    const pending = await read("checkout.session.completed", {
      ...session,
      payment_status: "unpaid",
    });
    assert.deepEqual([pending?.userId, pending?.change], ["u1", null]);
    const created = stripeSubscription({ metadata: { userId: "u1", replaces: "sub_8 sub_9" } });
    assert.deepEqual(await read("customer.subscription.created", created), {
      ...base,
      type: "customer.subscription.created",
      userId: "u1",
      replaces: ["sub_8", "sub_9"],
      change: running,
    });
    const late = stripeSubscription({ status: "past_due", cancel_at_period_end: true });
    assert.deepEqual((await read("customer.subscription.updated", late))?.change, {
      ...running,
      status: "past_due",
      cancelAtPeriodEnd: true,
    });
    // Canceled in the portal, in the billing mode "flexible".
    for (const [seconds, cancelAtPeriodEnd] of [[1_797_592_000, true], [1_797_592_001, false]]) {
      const canceled = stripeSubscription({ cancel_at: Number(seconds) });
      assert.deepEqual((await read("customer.subscription.updated", canceled))?.change, {
        ...running,
        cancelAtPeriodEnd,
      });
    }
    const unpaid = stripeSubscription({ status: "unpaid" });
    assert.deepEqual((await read("customer.subscription.updated", unpaid))?.change, {
      ...running,
      plan: "free",
      status: "past_due",
    });
    const open = stripeSubscription({ status: "incomplete" });
    assert.deepEqual((await read("customer.subscription.created", open))?.change, {
      ...running,
      plan: "free",
      status: "past_due",
      incomplete: true,
    });
    // Stripe shows the ended subscription in its last state, which may read "active" in old API versions.
    const ended = await read("customer.subscription.deleted", stripeSubscription());
    assert.deepEqual(ended?.change, { ...running, ended: true });
    assert.deepEqual((await read("invoice.payment_failed", stripeInvoice()))?.change, {
      subscriptionId: "sub_1",
      createdAt: now,
      status: "past_due",
    });
    assert.deepEqual((await read("invoice.paid", stripeInvoice()))?.change, {
      subscriptionId: "sub_1",
      createdAt: now,
      status: "active",
    });
    const other = await read("charge.refunded", {
      id: "ch_1",
      object: "charge",
      customer: "cus_1",
    });
    assert.deepEqual(other, { ...base, type: "charge.refunded", customerId: null, change: null });
  }));

Deno.test("readEvent() knows the shapes of Stripe's API before 2025-03-31", () =>
  withStripe(async (fake, payments) => {
    const read = async (type: string, object: object) => {
      const { body, signature } = await fake.event(type, object, { signedAt: seconds });
      return (await payments.readEvent(bytes(body), signature, now))?.change;
    };
    const older = {
      id: "sub_1",
      customer: "cus_1",
      status: "active",
      cancel_at_period_end: false,
      current_period_start: 100,
      current_period_end: 200,
      items: { data: [{ price: { id: "price_pro" } }] },
    };
    const change = await read("customer.subscription.updated", older);
    assert.deepEqual(change?.period, { start: 100_000, end: 200_000 });
    const invoice = await read("invoice.paid", { customer: "cus_1", subscription: "sub_1" });
    assert.equal(invoice?.subscriptionId, "sub_1");
  }));

Deno.test("an unknown price gets its plan from the metadata of our checkout, or has none", () =>
  withStripe(async (fake, payments) => {
    fake.subscriptions.set("sub_1", stripeSubscription({ price: "price_other" }));
    fake.subscriptions.set(
      "sub_2",
      stripeSubscription({ id: "sub_2", price: "price_old", metadata: { plan: "enterprise" } }),
    );
    assert.equal((await payments.subscription("sub_1", now)).plan, undefined);
    assert.equal((await payments.subscription("sub_2", now)).plan, "enterprise");
  }));
