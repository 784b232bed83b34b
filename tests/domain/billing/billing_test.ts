import assert from "node:assert/strict";
import fc from "fast-check";
import { rounds } from "../../nightly.ts";
import { stripePayments } from "../../../adapters/payments/stripe.ts";
import { createApp } from "../../../routes/app.ts";
import { removeExpired } from "../../../domain/store/expiry.ts";
import {
  type FakeStripe,
  startFakeStripe,
  stripeInvoice,
  stripeSubscription,
} from "../../adapters/payments/fake_stripe.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  operatorToken,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

const now = Date.parse("2026-11-20T10:00:00.000Z") / 1000;
const day = 86_400;
const urls = { successUrl: "https://app.test/ok", cancelUrl: "https://app.test/no" };
const period = { start: now - 5 * day, end: now + 25 * day };
const periodTimes = {
  currentPeriodStart: "2026-11-15T10:00:00.000Z",
  currentPeriodEnd: "2026-12-15T10:00:00.000Z",
};
const novemberTimes = {
  currentPeriodStart: "2026-11-01T00:00:00.000Z",
  currentPeriodEnd: "2026-12-01T00:00:00.000Z",
};
const freeRecord = { status: "active", plan: "free", ...novemberTimes, cancelAtPeriodEnd: false };

/** A service with billing on, whose real Stripe client talks to a fake on loopback. */
async function withBilling(
  body: (test: TestService, stripe: FakeStripe) => Promise<void>,
  { prices = { pro: "price_pro", enterprise: "price_enterprise" } as Record<string, string> } = {},
) {
  const stripe = startFakeStripe();
  const payments = stripePayments({
    secretKey: "sk_test_billing",
    webhookSecret: stripe.webhookSecret,
    prices,
    apiBase: stripe.apiBase,
  });
  try {
    await using test = await testService({
      parts: { payments },
      env: { STRIPE_SECRET_KEY: "sk_test_billing", STRIPE_WEBHOOK_SECRET: stripe.webhookSecret },
    });
    await body(test, stripe);
  } finally {
    await stripe.close();
  }
}

type Event = { type: string; object: object; id: string; created: number };

async function post(test: TestService, stripe: FakeStripe, event: Event): Promise<Response> {
  const signedAt = Math.floor(test.clock.now() / 1000);
  const { body, signature } = await stripe.event(event.type, event.object, { ...event, signedAt });
  return await test.request("/api/webhooks/stripe", {
    method: "POST",
    body,
    headers: { "stripe-signature": signature },
  });
}

async function postAll(test: TestService, stripe: FakeStripe, events: Event[]) {
  for (const event of events) assert.equal((await post(test, stripe, event)).status, 200);
}

const subscriptionOf = (test: TestService, { accessToken }: TestAccount) =>
  data(test.request("/api/billing/subscription", { token: accessToken }));

/**
 * The events of a subscription, one a second; every object names only the customer, like those of the portal and of
 * renewals.
 */
function life({ userId }: TestAccount): Event[] {
  const running = stripeSubscription(period);
  return [
    {
      type: "checkout.session.completed",
      object: {
        id: "cs_1",
        object: "checkout.session",
        customer: "cus_1",
        subscription: "sub_1",
        client_reference_id: userId,
        metadata: { userId, plan: "pro" },
      },
    },
    { type: "customer.subscription.created", object: running },
    {
      type: "customer.subscription.updated",
      object: stripeSubscription({
        ...period,
        price: "price_enterprise",
        cancel_at_period_end: true,
      }),
    },
    { type: "invoice.payment_failed", object: stripeInvoice() },
    { type: "invoice.paid", object: stripeInvoice() },
    {
      type: "customer.subscription.deleted",
      object: stripeSubscription({ ...period, status: "canceled" }),
    },
  ].map((event, n) => ({ ...event, id: `evt_${n}`, created: now + n }));
}

/** The API's answer after each of them. */
const states = [
  { status: "active", plan: "pro", ...novemberTimes, cancelAtPeriodEnd: false },
  { status: "active", plan: "pro", ...periodTimes, cancelAtPeriodEnd: false },
  { status: "active", plan: "enterprise", ...periodTimes, cancelAtPeriodEnd: true },
  { status: "past_due", plan: "enterprise", ...periodTimes, cancelAtPeriodEnd: true },
  { status: "active", plan: "enterprise", ...periodTimes, cancelAtPeriodEnd: true },
  { ...freeRecord, status: "canceled" },
];

// SPEC: billing.subscription, billing.usage, subscription.record, usage.record, billing.free_record
Deno.test("a free account has a subscription and usage too, in the calendar month", () =>
  withBilling(async (test) => {
    const owner = await account(test, "free");
    assert.deepEqual(await subscriptionOf(test, owner), freeRecord);
    const usage = await data(test.request("/api/billing/usage", { token: owner.accessToken }));
    assert.deepEqual(usage, {
      emailsUsed: 0,
      emailsLimit: 100,
      searchesUsed: 0,
      searchesLimit: 100,
      storageUsed: 0,
      storageLimit: 1073741824,
      ...{ sendsUsed: 0, sendsLimit: 20, mailboxesUsed: 0, mailboxesLimit: 5 },
      ...{ webhooksUsed: 0, webhooksLimit: 3 },
    });
  }));

// SPEC: usage.counts, billing.usage
Deno.test("usage counts the mails that came in, the searches and the bytes; unlimited is null", () =>
  withBilling(async (test) => {
    const owner = await account(test, "enterprise");
    const box = await mailbox(test, owner);
    const raw = message({}, "one\n");
    await deliver(test, box.email_address, raw);
    await deliver(test, box.email_address, raw);
    await test.settle();
    await test.request("/v1/api/search", { token: owner.key, json: { query: "one" } });
    const usage = await data(test.request("/api/billing/usage", { token: owner.accessToken }));
    assert.deepEqual(usage, {
      emailsUsed: 1,
      emailsLimit: null,
      searchesUsed: 1,
      searchesLimit: null,
      storageUsed: raw.length,
      storageLimit: null,
      ...{ sendsUsed: 0, sendsLimit: null, mailboxesUsed: 1, mailboxesLimit: null },
      ...{ webhooksUsed: 0, webhooksLimit: null },
    });
    await test.advance(11 * 86_400_000);
    const { accessToken: _old, ...later } = owner;
    const { accessToken } = await data(
      test.request("/api/auth/refresh", { json: { refreshToken: later.refreshToken } }),
    );
    const december = await data(test.request("/api/billing/usage", { token: accessToken }));
    assert.deepEqual([december.emailsUsed, december.searchesUsed, december.storageUsed], [
      0,
      0,
      raw.length,
    ]);
  }));

// SPEC: billing.checkout
Deno.test("checkout answers the address where the account holder pays", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const answer = await test.request("/api/billing/checkout", {
      token: owner.accessToken,
      json: { plan: "pro", ...urls },
    });
    assert.deepEqual([answer.status, await answer.json()], [200, {
      success: true,
      data: { url: "https://checkout.test/cs_test_1" },
    }]);
    const [{ form }] = stripe.requests;
    assert.deepEqual(
      [form.client_reference_id, form["line_items[0][price]"], form.customer_email],
      [owner.userId, "price_pro", owner.email],
    );
  }));

Deno.test("checkout refuses a plan that is not for sale and an invalid URL: 400 by field", () =>
  withBilling(async (test, stripe) => {
    const { accessToken: token } = await account(test, "free");
    const wrong: [object, string][] = [
      [{ plan: "free", ...urls }, "plan"],
      [{ plan: "enterprise", ...urls }, "plan"],
      [{ plan: "gold", ...urls }, "plan"],
      [{ ...urls }, "plan"],
      [{ plan: "pro", ...urls, successUrl: "javascript:alert(1)" }, "successUrl"],
      [{ plan: "pro", successUrl: urls.successUrl }, "cancelUrl"],
    ];
    for (const [json, field] of wrong) {
      const answer = await test.request("/api/billing/checkout", { token, json });
      const { error } = await answer.json();
      assert.deepEqual([answer.status, error.code], [400, "VALIDATION_ERROR"], field);
      assert.deepEqual(Object.keys(error.details.field_errors), [field]);
    }
    assert.deepEqual(stripe.requests, []);
  }, { prices: { pro: "price_pro" } }));

// SPEC: billing.portal
Deno.test("the portal opens for an account that has paid and for one that never has", () =>
  withBilling(async (test, stripe) => {
    const payer = await account(test, "free"), other = await account(test, "free");
    await postAll(test, stripe, life(payer).slice(0, 2));
    for (const { accessToken } of [payer, other, other]) {
      const { url } = await data(
        test.request("/api/billing/portal", {
          token: accessToken,
          json: { returnUrl: "https://app.test/" },
        }),
      );
      assert.match(url, /^https:\/\/portal\.test\/bps_/);
    }
    const asked = stripe.requests.map(({ path, form }) => `${path} ${form.customer ?? form.email}`);
    assert.deepEqual(asked, [
      "/v1/billing_portal/sessions cus_1",
      `/v1/customers ${other.email}`,
      "/v1/billing_portal/sessions cus_made_2",
      "/v1/billing_portal/sessions cus_made_2",
    ]);
  }));

Deno.test("an account whose customer Stripe does not know any more can buy, and open the portal", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free"), token = owner.accessToken;
    await postAll(test, stripe, life(owner));
    stripe.unknownCustomers.add("cus_1");
    const visit = async (path: string, json: object) =>
      (await data(test.request(`/api/billing/${path}`, { token, json }))).url;
    assert.match(await visit("checkout", { plan: "pro", ...urls }), /^https:\/\/checkout\.test/);
    assert.equal(stripe.requests.at(-1)?.form.customer_email, owner.email);
    for (let n = 0; n < 2; n++) {
      await visit("portal", { returnUrl: "https://app.test/" });
      assert.equal(stripe.requests.at(-1)?.form.customer, "cus_made_2");
    }
    const keys = stripe.requests.filter(({ path }) => path === "/v1/customers");
    assert.deepEqual(keys.map(({ key }) => key), [`customer-of-${owner.userId}-after-cus_1`]);
  }));

Deno.test("billing needs an account: 401 without a credential, and no API key", () =>
  withBilling(async (test) => {
    const { key, cookie } = await account(test);
    for (const path of ["subscription", "usage"]) {
      assert.equal((await test.request(`/api/billing/${path}`)).status, 401);
      assert.equal((await test.request(`/api/billing/${path}`, { token: key })).status, 401);
      assert.equal(
        (await test.request(`/api/billing/${path}`, { headers: { cookie } })).status,
        200,
      );
    }
    for (const path of ["checkout", "portal"]) {
      assert.equal((await test.request(`/api/billing/${path}`, { json: {} })).status, 401);
    }
  }));

// SPEC: billing.off, error.unavailable
Deno.test("without settings checkout, portal and webhook are 503 that names the missing one, the rest works", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const calls: [string, object][] = [
    ["/api/billing/checkout", { plan: "pro", ...urls }],
    ["/api/billing/portal", { returnUrl: "https://app.test/" }],
    ["/api/webhooks/stripe", {}],
  ];
  for (const [path, json] of calls) {
    const answer = await test.request(path, { token: owner.accessToken, json });
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code], [503, "SERVICE_UNAVAILABLE"]);
    assert.match(error.message, /STRIPE_SECRET_KEY/);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }
  assert.deepEqual(await subscriptionOf(test, owner), freeRecord);
});

Deno.test("the dashboard's page names the plans that can be bought: none without Stripe, or without its secret", async () => {
  const sold = async (test: TestService) => {
    const html = await (await createApp(test.service).request("/app/usage")).text();
    return /data-sold-plans="([^"]*)"/.exec(html)?.[1];
  };
  await withBilling(async (test) => assert.equal(await sold(test), "pro enterprise"));
  const onlyPro = { prices: { pro: "price_pro" } };
  await withBilling(async (test) => assert.equal(await sold(test), "pro"), onlyPro);
  await using without = await testService({});
  assert.equal(await sold(without), "");
  const payments = stripePayments({ secretKey: "sk_test_billing", ...onlyPro });
  const env = { STRIPE_SECRET_KEY: "sk_test_billing" };
  await using withoutSecret = await testService({ parts: { payments }, env });
  assert.equal(await sold(withoutSecret), "");
});

// SPEC: billing.off
Deno.test("without the secret of Stripe's events nobody can pay: the plan would never come", async () => {
  const stripe = startFakeStripe();
  const env = { STRIPE_SECRET_KEY: "sk_test_billing" };
  const payments = stripePayments({
    secretKey: env.STRIPE_SECRET_KEY,
    prices: { pro: "price_pro" },
    apiBase: stripe.apiBase,
  });
  try {
    await using test = await testService({ parts: { payments }, env });
    const { accessToken: token } = await account(test, "free");
    const calls: [string, object][] = [
      ["/api/billing/checkout", { plan: "pro", ...urls }],
      ["/api/billing/portal", { returnUrl: "https://app.test/" }],
      ["/api/webhooks/stripe", {}],
    ];
    for (const [path, json] of calls) {
      const answer = await test.request(path, { token, json });
      const { error } = await answer.json();
      assert.deepEqual([answer.status, error.code], [503, "SERVICE_UNAVAILABLE"], path);
      assert.match(error.message, /STRIPE_WEBHOOK_SECRET/);
    }
  } finally {
    await stripe.close();
  }
});

Deno.test("if Stripe fails or refuses, the answer is 503 without Stripe's message, and nothing is half done", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const calls: [string, object][] = [
      ["checkout", { plan: "pro", ...urls }],
      ["portal", { returnUrl: "https://app.test/" }],
    ];
    const words = {
      503: ["The payment provider does not answer; try again.", "30"],
      402: ["Billing does not work: the payment provider refuses the request.", "3600"],
    };
    for (const [status, [message, retryAfter]] of Object.entries(words)) {
      stripe.failWith = Number(status);
      for (const [path, json] of calls) {
        const answer = await test.request(`/api/billing/${path}`, {
          token: owner.accessToken,
          json,
        });
        assert.equal(answer.headers.get("retry-after"), retryAfter);
        assert.deepEqual([answer.status, await answer.json()], [503, {
          success: false,
          error: { code: "SERVICE_UNAVAILABLE", message },
        }]);
      }
    }
    assert.deepEqual(await subscriptionOf(test, owner), freeRecord);
  }));

Deno.test("a URL that Stripe does not accept is 400 that names the field", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    Object.assign(stripe, { failWith: 400, failParam: "cancel_url" });
    const answer = await test.request("/api/billing/checkout", {
      token: owner.accessToken,
      json: { plan: "pro", ...urls },
    });
    const message = "the payment provider does not accept this URL";
    assert.deepEqual([answer.status, (await answer.json()).error], [400, {
      code: "VALIDATION_ERROR",
      message: `cancelUrl: ${message}`,
      details: { field_errors: { cancelUrl: message } },
    }]);
  }));

// SPEC: billing.inbound, subscription.states, subscription.record
Deno.test("each event of a subscription sets the account's state", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    for (const [n, event] of life(owner).entries()) {
      const answer = await post(test, stripe, event);
      assert.deepEqual([answer.status, await answer.json()], [200, {
        success: true,
        data: { received: true },
      }]);
      assert.deepEqual(await subscriptionOf(test, owner), states[n]);
    }
  }));

// SPEC: billing.once_any_order
Deno.test("the events in any order, each twice, end in the state of the newest", () =>
  withBilling(async (test, stripe) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 6 }).chain((length) =>
          fc.record({
            length: fc.constant(length),
            order: fc.shuffledSubarray(
              Array.from({ length: length * 2 }, (_, n) => n % length),
              { minLength: length * 2 },
            ),
          })
        ),
        fc.uuid(),
        async ({ length, order }, run) => {
          const owner = await account(test, "free");
          const own = JSON.parse(
            JSON.stringify(life(owner)).replaceAll(/"(cus_1|sub_1|cs_1|evt_\d)"/g, `"$1_${run}"`),
          ) as Event[];
          await postAll(test, stripe, order.map((n) => own[n]));
          assert.deepEqual(await subscriptionOf(test, owner), states[length - 1]);
        },
      ),
      rounds(10, 50),
    );
  }));

// SPEC: billing.once_any_order
Deno.test("an event that is posted twenty times at once, and again after another one of the same moment, is applied once", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const [, created, updated] = life(owner);
    const link = life(owner)[0];
    await postAll(test, stripe, [link]);
    const first = { ...created, created: now + 9 }, second = { ...updated, created: now + 9 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(test, stripe, first)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    await postAll(test, stripe, [second, first, first]);
    assert.deepEqual(await subscriptionOf(test, owner), states[2]);
    const applied = test.log.filter((line) => line.event === "billing.event");
    const outcomes = applied.filter((line) => line.outcome === "applied").length;
    assert.deepEqual([outcomes, applied.length], [3, 24]);
  }));

Deno.test("events of an unknown customer are stored and count once the account is known", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const [checkout, created, updated] = life(owner);
    await postAll(test, stripe, [created, updated]);
    assert.deepEqual(await subscriptionOf(test, owner), freeRecord);
    await postAll(test, stripe, [checkout]);
    assert.deepEqual(await subscriptionOf(test, owner), states[2]);
    await postAll(test, stripe, [
      {
        type: "customer.subscription.created",
        object: stripeSubscription({ customer: "cus_x" }),
        id: "x",
        created: now,
      },
      { type: "charge.refunded", object: { id: "ch_1", customer: "cus_1" }, id: "y", created: now },
    ]);
    assert.deepEqual(await subscriptionOf(test, owner), states[2]);
  }));

Deno.test("if a completed checkout does not name its plan, the stored purchase does, or Stripe", () =>
  withBilling(async (test, stripe) => {
    const bare = (
      id: string,
      subscription: string,
      customer: string,
      reference?: string,
    ): Event => ({
      type: "checkout.session.completed",
      object: {
        id,
        object: "checkout.session",
        customer,
        subscription,
        client_reference_id: reference ?? null,
      },
      id: `evt_${id}`,
      created: now,
    });
    const noted = await account(test, "free"), asked = await account(test, "free");
    await data(
      test.request("/api/billing/checkout", {
        token: noted.accessToken,
        json: { plan: "enterprise", ...urls },
      }),
    );
    await postAll(test, stripe, [bare("cs_test_1", "sub_1", "cus_1")]);
    assert.equal((await subscriptionOf(test, noted)).plan, "enterprise");
    stripe.subscriptions.set("sub_2", stripeSubscription({ id: "sub_2", ...period }));
    await postAll(test, stripe, [bare("cs_other", "sub_2", "cus_2", asked.userId)]);
    assert.deepEqual(await subscriptionOf(test, asked), states[1]);
  }));

Deno.test("if only one plan is sold, a checkout without a plan is for that one", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const object = {
      id: "cs_other",
      object: "checkout.session",
      customer: "cus_1",
      subscription: "sub_unknown",
      client_reference_id: owner.userId,
    };
    await postAll(test, stripe, [
      { type: "checkout.session.completed", object, id: "evt_1", created: now },
    ]);
    assert.equal((await subscriptionOf(test, owner)).plan, "pro");
  }, { prices: { pro: "price_pro" } }));

// SPEC: billing.signature
Deno.test("a forged, altered, old or unsigned notification is 400 and changes nothing", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const event = life(owner)[0];
    const { body, signature } = await stripe.event(event.type, event.object, { signedAt: now });
    const old = await stripe.event(event.type, event.object, { signedAt: now - 301 });
    // Not "00" for its first digits: one signature of 256 has them.
    const altered = signature.replace(/v1=./, (first) => first === "v1=0" ? "v1=1" : "v1=0");
    const forged: [string, Record<string, string>][] = [
      [body, {}],
      [body.replace("pro", "enterprise"), { "stripe-signature": signature }],
      [body, { "stripe-signature": altered }],
      [old.body, { "stripe-signature": old.signature }],
      ["", { "stripe-signature": signature }],
    ];
    for (const [text, headers] of forged) {
      const answer = await test.request("/api/webhooks/stripe", {
        method: "POST",
        body: text,
        headers,
      });
      const { error } = await answer.json();
      assert.deepEqual([answer.status, error.code], [400, "BAD_REQUEST"]);
    }
    assert.deepEqual(await subscriptionOf(test, owner), freeRecord);
  }));

Deno.test("a signed event counts in no request window, a forged one in its sender's", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const left = async () =>
      Number((await test.request("/v1/api/health")).headers.get("x-ratelimit-remaining"));
    const before = await left();
    await postAll(test, stripe, life(owner));
    assert.equal(await left(), before);
    await test.request("/api/webhooks/stripe", { method: "POST", body: "{}" });
    assert.equal(await left(), before - 1);
  }));

// SPEC: billing.downgrade
Deno.test("a bought plan holds from the next request on, and its end deletes no data", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const events = life(owner);
    const names = Array.from({ length: 6 }, (_, n) => `agent${n}of${owner.userId.slice(-6)}`);
    for (const name of names.slice(0, 5)) await mailbox(test, owner, name);
    const sixth = { domain: "agents.test", local_part: names[5] };
    const create = () => test.request("/v1/api/mailboxes", { token: owner.key, json: sixth });
    const full = await create();
    assert.deepEqual([full.status, (await full.json()).error.code], [403, "MAILBOX_QUOTA"]);
    await postAll(test, stripe, events.slice(0, 2));
    assert.equal((await create()).status, 201);
    await postAll(test, stripe, events.slice(2));
    const { mailboxes } = await (await test.request("/v1/api/mailboxes", { token: owner.key }))
      .json();
    assert.equal(mailboxes.length, 6);
  }));

Deno.test("the operator's plan holds until a newer payment event", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const [checkout, created] = life(owner);
    await postAll(test, stripe, [checkout]);
    await test.advance(60_000);
    await test.request("/operator/accounts/plan", {
      method: "PUT",
      json: { email: owner.email, plan: "enterprise" },
      token: operatorToken,
    });
    await postAll(test, stripe, [created]);
    assert.equal((await subscriptionOf(test, owner)).plan, "enterprise");
    await postAll(test, stripe, [{ ...created, id: "evt_later", created: now + 60 }]);
    assert.equal((await subscriptionOf(test, owner)).plan, "pro");
  }));

Deno.test("a purchase beside a subscription replaces it once it is paid, and credits what is left of it", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    await postAll(test, stripe, life(owner).slice(0, 2));
    await data(
      test.request("/api/billing/checkout", {
        token: owner.accessToken,
        json: { plan: "enterprise", ...urls },
      }),
    );
    const { form } = stripe.requests.at(-1)!;
    const replaces = form["subscription_data[metadata][replaces]"];
    assert.deepEqual([replaces, form["metadata[replaces]"]], ["sub_1", "sub_1"]);
    // Another account's subscription is not ended by its id.
    const metadata = { userId: owner.userId, plan: "enterprise", replaces: "sub_1 sub_of_another" };
    const second = { id: "sub_2", price: "price_enterprise", ...period, metadata };
    const event = (id: string, status: string, created: number): Event => ({
      type: "customer.subscription.updated",
      object: stripeSubscription({ ...second, status }),
      ...{ id, created },
    });
    const ended = () => stripe.requests.filter(({ method }) => method === "DELETE");
    await postAll(test, stripe, [event("open", "incomplete", now + 2)]);
    assert.deepEqual([ended(), (await subscriptionOf(test, owner)).plan], [[], "pro"]);
    // Stripe repeats the event whose consequence it did not answer.
    stripe.failWith = 500;
    assert.equal((await post(test, stripe, event("paid", "active", now + 3))).status, 503);
    assert.equal((await subscriptionOf(test, owner)).plan, "enterprise");
    const failed = ended().length;
    stripe.failWith = 0;
    await postAll(test, stripe, [event("paid", "active", now + 3)]);
    const last = ended().slice(failed).map(({ path, form }) => ({ path, form }));
    assert.deepEqual(last, [
      { path: "/v1/subscriptions/sub_1", form: { prorate: "true", invoice_now: "true" } },
    ]);
    const end = { ...life(owner)[5], created: now + 4 };
    await postAll(test, stripe, [end, event("renewed", "active", now + 30 * day)]);
    assert.equal(ended().length, failed + 1);
    assert.equal((await subscriptionOf(test, owner)).plan, "enterprise");
  }));

Deno.test("a replaced subscription whose payment is open is not credited", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const failed = life(owner)[3];
    await postAll(test, stripe, [...life(owner).slice(0, 2), failed]);
    const metadata = { userId: owner.userId, plan: "pro", replaces: "sub_1" };
    await postAll(test, stripe, [{
      type: "customer.subscription.created",
      object: stripeSubscription({ id: "sub_2", ...period, metadata }),
      ...{ id: "second", created: now + 9 },
    }]);
    const last = stripe.requests.at(-1)!;
    assert.deepEqual([last.method, last.path, last.form], [
      "DELETE",
      "/v1/subscriptions/sub_1",
      {},
    ]);
    assert.equal((await subscriptionOf(test, owner)).status, "active");
  }));

Deno.test("the subscriptions of all customers of an account count, however old their events are", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    const metadata = { userId: owner.userId };
    const event = (type: string, more: object, created: number): Event => ({
      type: `customer.subscription.${type}`,
      object: stripeSubscription({ ...period, ...more, metadata }),
      ...{ id: `evt_of_${created}`, created },
    });
    const second = { id: "sub_2", customer: "cus_2", price: "price_enterprise" };
    await postAll(test, stripe, [event("created", {}, now), event("created", second, now + 1)]);
    // Rows of unknown customers and of events are removed after 30 days.
    await test.advance(40 * day * 1_000);
    await removeExpired(test.service.database, test.clock.now());
    const { email, password } = owner;
    const { accessToken } = await data(
      test.request("/api/auth/login", { json: { email, password } }),
    );
    const later = { ...owner, accessToken };
    assert.equal((await subscriptionOf(test, later)).plan, "enterprise");
    await postAll(test, stripe, [event("deleted", second, now + 41 * day)]);
    assert.equal((await subscriptionOf(test, later)).plan, "pro");
  }));

Deno.test("a plan that is already paid is not sold a second time", () =>
  withBilling(async (test, stripe) => {
    const owner = await account(test, "free");
    await postAll(test, stripe, life(owner).slice(0, 2));
    const buy = async (plan: string) =>
      (await test.request("/api/billing/checkout", {
        token: owner.accessToken,
        json: { plan, ...urls },
      })).status;
    assert.deepEqual([await buy("pro"), await buy("enterprise")], [409, 200]);
    assert.equal(stripe.requests.at(-1)?.form.customer, "cus_1");
  }));
