import assert from "node:assert/strict";
import type { PlanOverrides } from "../../../domain/core/plans.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

const windows = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  mcpRequestsPerMinute: null,
};
const free = (limits: PlanOverrides["free"]): PlanOverrides => ({
  free: { ...windows, ...limits },
  pro: windows,
});

/** Sends parallel requests to all instances. Returns the answers by status, and the body of one refusal. */
async function atOnce(
  count: number,
  tests: TestService[],
  ask: (test: TestService, n: number) => Promise<Response>,
): Promise<{ statuses: Record<number, number>; refusal: unknown }> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => ask(tests[n % tests.length], n)),
  );
  const statuses: Record<number, number> = {};
  let refusal: unknown = null;
  for (const answer of answers) {
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const body = await answer.json();
    if (!answer.ok) refusal = body.error;
  }
  return { statuses, refusal };
}

const kinds: {
  name: string;
  plans: PlanOverrides;
  plan: "free" | "pro";
  admitted: number;
  /** 50, but fewer of slow ones: each domain needs an RSA key. */
  asked?: number;
  prepare?: (test: TestService, owner: TestAccount) => Promise<unknown>;
  ask: (test: TestService, owner: TestAccount, n: number) => Promise<Response>;
  status: number;
  refusal: object;
}[] = [
  {
    name: "mailboxes",
    plans: free({}),
    plan: "free",
    admitted: 5,
    ask: (test, { key, userId }, n) =>
      test.request("/v1/api/mailboxes", {
        token: key,
        json: { local_part: `box${n}of${userId.slice(-8)}`, domain: "agents.test" },
      }),
    status: 201,
    refusal: { code: "MAILBOX_QUOTA", details: { count: 5, limit: 5, plan: "free" } },
  },
  {
    name: "webhooks",
    plans: free({}),
    plan: "free",
    admitted: 3,
    ask: (test, { key }, n) =>
      test.request("/v1/api/webhooks", {
        token: key,
        json: { url: `https://127.0.0.1/${n}`, events: ["email.received"] },
      }),
    status: 201,
    refusal: { code: "FORBIDDEN", details: { count: 3, limit: 3, plan: "free" } },
  },
  {
    name: "custom domains",
    plans: { pro: { ...windows, customDomains: 2 } },
    plan: "pro",
    admitted: 2,
    asked: 4,
    ask: (test, { accessToken }, n) =>
      test.request("/api/domains", { token: accessToken, json: { domain: `d${n}.example.com` } }),
    status: 201,
    refusal: { code: "FORBIDDEN", details: { count: 2, limit: 2, plan: "pro" } },
  },
  {
    name: "searches a month",
    plans: free({ searchesPerMonth: 7 }),
    plan: "free",
    admitted: 7,
    ask: (test, { key }, n) =>
      test.request("/v1/api/search", { token: key, json: { query: `query ${n}` } }),
    status: 200,
    refusal: { code: "FORBIDDEN", details: { limit: 7, used: 7, plan: "free" } },
  },
  {
    name: "sends a day",
    plans: free({ sendsPerDay: 7 }),
    plan: "free",
    admitted: 7,
    prepare: (test, owner) => mailbox(test, owner, `sender${owner.userId.slice(-8)}`),
    ask: (test, { key, userId }, n) =>
      test.request("/v1/api/emails/send", {
        token: key,
        json: {
          from: `sender${userId.slice(-8)}@agents.test`,
          to: "somebody@example.net",
          subject: `Mail ${n}`,
          body_text: "Hello.",
        },
      }),
    status: 201,
    refusal: { code: "FORBIDDEN", details: { limit: 7, used: 7, plan: "free" } },
  },
];

for (const { name, plans, plan, admitted, asked = 50, prepare, ask, status, refusal } of kinds) {
  // SPEC: limit.searches, search.quota, send.quota
  Deno.test(`of ${asked} parallel requests exactly the rest of the quota of ${name} is admitted, over one instance and over two`, async () => {
    await using first = await testService({ plans, exclusive: false });
    await using second = await testService({
      plans,
      exclusive: false,
      kv: first.kv,
      parts: { clock: first.clock },
    });
    for (const tests of [[first], [first, second]]) {
      const owner = await account(first, plan);
      await prepare?.(first, owner);
      const result = await atOnce(asked, tests, (test, n) => ask(test, owner, n));
      assert.deepEqual(result.statuses, { [status]: admitted, 403: asked - admitted });
      const { message: _words, ...error } = result.refusal as { message: string };
      assert.deepEqual(error, refusal);
    }
  });
}

const raw = (n: number) => message({ Subject: `Number ${String(n).padStart(2, "0")}` });

for (
  const [name, limits] of [
    ["emails a month", { emailsPerMonth: 7 }],
    ["emails a day", { emailsPerDay: 7 }],
    ["storage", { storageBytes: 7 * raw(0).length + raw(0).length - 1 }],
  ] as const
) {
  // SPEC: limit.emails, limit.storage, usage.counts
  Deno.test(`of 50 parallel mails exactly the rest of the quota of ${name} is accepted, over one instance and over two`, async () => {
    const plans = free(limits);
    await using first = await testService({ plans, exclusive: false });
    await using second = await testService({
      plans,
      exclusive: false,
      kv: first.kv,
      parts: { clock: first.clock },
    });
    for (const tests of [[first], [first, second]]) {
      const owner = await account(first, "free");
      const box = await mailbox(first, owner);
      const results = await Promise.all(
        Array.from(
          { length: 50 },
          (_, n) => deliver(tests[n % tests.length], box.email_address, raw(n)),
        ),
      );
      const accepted = results.filter(({ disposition }) => disposition === "accepted");
      const refused = results.filter(({ disposition }) => disposition === "rejected");
      assert.deepEqual([accepted.length, refused.length], [7, 43]);
      assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(["OVER_QUOTA"]));
      const usage = await data(first.request("/api/billing/usage", { token: owner.accessToken }));
      assert.deepEqual([usage.emailsUsed, usage.storageUsed], [7, 7 * raw(0).length]);
    }
  });
}

// SPEC: limit.emails
Deno.test("a month and a day begin in UTC, to the millisecond", async () => {
  await using test = await testService({ plans: free({ emailsPerMonth: 3, emailsPerDay: 2 }) });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  let n = 0;
  const take = async () => (await deliver(test, box.email_address, raw(n++))).disposition;
  const until = (time: string) => test.advance(Date.parse(time) - test.clock.now());
  assert.deepEqual([await take(), await take(), await take()], [
    "accepted",
    "accepted",
    "rejected",
  ]);
  await until("2026-11-20T23:59:59.999Z");
  assert.equal(await take(), "rejected");
  await until("2026-11-21T00:00:00.000Z");
  assert.deepEqual([await take(), await take()], ["accepted", "rejected"]);
  await until("2026-11-30T23:59:59.999Z");
  assert.equal(await take(), "rejected");
  await until("2026-12-01T00:00:00.000Z");
  assert.deepEqual([await take(), await take(), await take()], [
    "accepted",
    "accepted",
    "rejected",
  ]);
});

// SPEC: limit.email_size
Deno.test("an email of the plan's largest size is accepted; one byte more is refused and uses no quota", async () => {
  const size = raw(0).length;
  await using test = await testService({ plans: free({ maxEmailBytes: size }) });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  assert.equal((await deliver(test, box.email_address, raw(0))).disposition, "accepted");
  const refused = await deliver(test, box.email_address, raw(1) + "x");
  assert.deepEqual([refused.disposition, refused.code], ["rejected", "EMAIL_TOO_LARGE"]);
  const usage = await data(test.request("/api/billing/usage", { token: owner.accessToken }));
  assert.deepEqual([usage.emailsUsed, usage.storageUsed], [1, size]);
});

Deno.test("duplicates and refused mail use no quota", async () => {
  await using test = await testService({ plans: free({ emailsPerMonth: 2 }) });
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  const dispositions = [];
  for (const n of [0, 0, 0, 1, 2]) {
    dispositions.push((await deliver(test, box.email_address, raw(n))).disposition);
  }
  assert.deepEqual(dispositions, ["accepted", "duplicate", "duplicate", "accepted", "rejected"]);
});
