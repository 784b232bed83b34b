import assert from "node:assert/strict";
import {
  largestEmailBytes,
  largestPossibleEmailBytes,
  planOverridesText,
  planTable,
} from "../../../domain/core/plans.ts";

// SPEC: limit.table, plan.quotas
Deno.test("the plan table has the specified limits", () => {
  const table = planTable({}, 0);
  assert.deepEqual(table.free, {
    requestsPerMinute: 20,
    requestsPerHour: 100,
    requestsPerDay: 1000,
    mcpRequestsPerMinute: 10,
    emailsPerMonth: 100,
    emailsPerDay: 100,
    searchesPerMonth: 100,
    storageBytes: 1073741824,
    maxEmailBytes: 10485760,
    customDomains: 0,
    mailboxes: 5,
    webhooks: 3,
    sendsPerDay: 20,
  });
  assert.deepEqual(table.pro, {
    requestsPerMinute: 100,
    requestsPerHour: 2000,
    requestsPerDay: 20000,
    mcpRequestsPerMinute: 60,
    emailsPerMonth: 10000,
    emailsPerDay: 10000,
    searchesPerMonth: 5000,
    storageBytes: 53687091200,
    maxEmailBytes: 26214400,
    customDomains: 10,
    mailboxes: 50,
    webhooks: null,
    sendsPerDay: 2000,
  });
  assert.deepEqual(table.enterprise, {
    requestsPerMinute: 500,
    requestsPerHour: 10000,
    requestsPerDay: 100000,
    mcpRequestsPerMinute: 300,
    emailsPerMonth: null,
    emailsPerDay: 100000,
    searchesPerMonth: null,
    storageBytes: null,
    maxEmailBytes: 52428800,
    customDomains: null,
    mailboxes: null,
    webhooks: null,
    sendsPerDay: null,
  });
});

// SPEC: plan.quotas
Deno.test("PLAN_OVERRIDES replaces the fields it names, to unlimited too, and no others", () => {
  const overrides = planOverridesText.parse(
    '{"enterprise":{"requestsPerMinute":100000},"free":{"mailboxes":null}}',
  );
  const table = planTable(overrides, 0);
  assert.deepEqual(table, {
    ...planTable({}, 0),
    enterprise: { ...planTable({}, 0).enterprise, requestsPerMinute: 100000 },
    free: { ...planTable({}, 0).free, mailboxes: null },
  });
});

Deno.test("FREE_MAX_CUSTOM_DOMAINS sets the free plan's domains, PLAN_OVERRIDES wins over it", () => {
  assert.equal(planTable({}, 2).free.customDomains, 2);
  assert.equal(planTable({ free: { customDomains: 7 } }, 2).free.customDomains, 7);
  assert.equal(planTable({ free: { mailboxes: 7 } }, 2).free.customDomains, 2);
  assert.equal(planTable({}, 2).pro.customDomains, 10);
});

Deno.test("PLAN_OVERRIDES that is wrong says what is wrong with it", () => {
  const complaint = (text: string) =>
    planOverridesText.safeParse(text).error?.issues.map((issue) =>
      `${issue.path.join(".")} ${issue.message}`
    ).join("; ") ?? "none";
  assert.match(complaint("{"), /is not JSON/);
  assert.match(complaint('{"gold":{}}'), /gold/);
  assert.match(complaint('{"free":{"emails":1}}'), /emails/);
  assert.match(complaint('{"free":{"mailboxes":-1}}'), /free\.mailboxes must be a whole number/);
  assert.match(complaint('{"free":{"mailboxes":1.5}}'), /free\.mailboxes/);
  assert.match(complaint('{"free":{"mailboxes":"5"}}'), /free\.mailboxes/);
});

Deno.test("largestEmailBytes() is the largest of the plans, and never more than memory has room for", () => {
  assert.equal(largestEmailBytes(planTable({}, 0)), 50 * 2 ** 20);
  for (const maxEmailBytes of [null, 2 ** 40, 300 * 2 ** 20]) {
    assert.equal(
      largestEmailBytes(planTable({ free: { maxEmailBytes } }, 0)),
      largestPossibleEmailBytes,
    );
  }
  assert.equal(largestEmailBytes(planTable({ pro: { maxEmailBytes: 2 ** 27 } }, 0)), 2 ** 27);
});
