import assert from "node:assert/strict";
import { account, mailbox, testService } from "../service.ts";
import { failure, familiesOf } from "./families.ts";

// SPEC: mailboxes.list, mailboxes.create, mailbox.record, mailboxes.session_routes, access.v1
// SPEC: access.dashboard, general.timestamps
Deno.test("POST /mailboxes answers 201 with the whole record on both families, and lists show it", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const [n, { title, call }] of familiesOf(test, owner).entries()) {
    const created = await call("POST", "/mailboxes", {
      email_address: ` Agent-${n}@Agents.Test`,
      domain: "AGENTS.test",
    });
    assert.equal(created.status, 201, title);
    const { mailbox } = created.body as { mailbox: { mailbox_id: string } };
    const record = {
      mailbox_id: mailbox.mailbox_id,
      email_address: `agent-${n}@agents.test`,
      domain: "agents.test",
      status: "active",
      namespace: `ns_${owner.userId}`,
      created_at: "2026-11-20T10:00:00.000Z",
    };
    assert.deepEqual(created.body, { success: true, mailbox: record }, title);
    assert.match(mailbox.mailbox_id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const listed = await call("GET", "/mailboxes");
    assert.equal(listed.status, 200);
    const { mailboxes } = listed.body as { mailboxes: { mailbox_id: string }[] };
    assert.deepEqual(Object.keys(listed.body as object), ["mailboxes"]);
    assert.deepEqual(
      mailboxes.find((each) => each.mailbox_id === mailbox.mailbox_id),
      record,
    );
    assert.equal(mailboxes.length, n + 1);
  }
});

/** Each rule once: what is asked, and the failure it gets (SPEC.md, Errors). */
const refusals: [Record<string, unknown>, number, string, unknown][] = [
  [{ local_part: "agent.two" }, 400, "MISSING_FIELDS", { fields: ["domain"] }],
  [
    { domain: "agents.test" },
    400,
    "MISSING_FIELDS",
    { fields: ["local_part", "email_address"] },
  ],
  [
    { email_address: "@agents.test", domain: "agents.test" },
    400,
    "BAD_REQUEST",
    { email_address: "@agents.test" },
  ],
  [
    { email_address: "agent.two@other.test", domain: "agents.test" },
    422,
    "DOMAIN_MISMATCH",
    { domain_expected: "agents.test", domain_in_request: "other.test" },
  ],
  [
    { local_part: " abcd ", domain: "agents.test" },
    422,
    "LOCAL_TOO_SHORT",
    { min_length: 5, actual_length: 4 },
  ],
  [
    { local_part: "-agent", domain: "agents.test" },
    422,
    "INVALID_LOCAL",
    { local_part: "-agent" },
  ],
  [
    { local_part: "agent+tag", domain: "agents.test" },
    422,
    "INVALID_LOCAL",
    { local_part: "agent+tag" },
  ],
  [
    { local_part: "a".repeat(65), domain: "agents.test" },
    422,
    "INVALID_LOCAL",
    { local_part: "a".repeat(64) },
  ],
  [
    { local_part: "Reserved", domain: "nobody.test" },
    422,
    "DISALLOWED_LOCAL",
    { local_part: "reserved" },
  ],
  [
    { local_part: "agent.two", domain: "Nobody.test" },
    422,
    "DOMAIN_NOT_ALLOWED",
    { domain: "nobody.test", plan: "free" },
  ],
  [
    { local_part: "TAKEN.one", domain: "agents.test" },
    409,
    "EMAIL_TAKEN",
    { email_address: "taken.one@agents.test" },
  ],
];

// SPEC: mailboxes.session_routes, mailboxes.rule.length, mailboxes.rule.characters
// SPEC: mailboxes.rule.reserved, mailboxes.rule.unique, mailboxes.rule.domain, error.missing_fields
// SPEC: error.bad_request, error.domain_mismatch, error.local_too_short, error.invalid_local
// SPEC: error.disallowed_local, error.domain_not_allowed, error.email_taken
Deno.test("POST /mailboxes answers every rule with its status, code and details on both families", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  await mailbox(test, await account(test), "taken.one");
  for (const { title, call } of familiesOf(test, owner)) {
    for (const [body, status, code, details] of refusals) {
      assert.deepEqual(
        failure(await call("POST", "/mailboxes", body)),
        { status, code, details },
        `${title}: ${JSON.stringify(body)}`,
      );
    }
  }
  assert.deepEqual((await familiesOf(test, owner)[0].call("GET", "/mailboxes")).body, {
    mailboxes: [],
  });
});

// SPEC: mailboxes.rule.quota, error.mailbox_quota, plan.quotas
Deno.test("POST /mailboxes answers MAILBOX_QUOTA at the plan's limit, and EMAIL_TAKEN before it", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  for (let n = 0; n < 5; n++) await mailbox(test, owner, `agent-${n}`);
  for (const { title, call } of familiesOf(test, owner)) {
    const request = { local_part: "one-more", domain: "agents.test" };
    assert.deepEqual(failure(await call("POST", "/mailboxes", request)), {
      status: 403,
      code: "MAILBOX_QUOTA",
      details: { count: 5, limit: 5, plan: "free" },
    }, title);
    assert.equal(
      failure(await call("POST", "/mailboxes", { ...request, local_part: "agent-0" })).code,
      "EMAIL_TAKEN",
    );
  }
});

// SPEC: error.bad_request, error.validation, error.validation_dashboard
Deno.test("POST /mailboxes answers BAD_REQUEST without JSON and VALIDATION_ERROR for another type", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const { title, call } of familiesOf(test, owner)) {
    assert.deepEqual(failure(await call("POST", "/mailboxes")), {
      status: 400,
      code: "BAD_REQUEST",
      details: undefined,
    }, title);
    const wrong = failure(
      await call("POST", "/mailboxes", { local_part: 5, domain: "agents.test" }),
    );
    assert.equal(wrong.code, "VALIDATION_ERROR");
    const details = wrong.details as { field_errors?: Record<string, string> };
    const fields = title.startsWith("/api") ? details.field_errors : details;
    assert.deepEqual(Object.keys(fields ?? {}), ["local_part"], title);
  }
});

// SPEC: key.mailbox_ids
Deno.test("POST /mailboxes refuses a key that is limited to certain mailboxes", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const made = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "one mailbox", mailboxIds: [box.mailbox_id] },
  });
  const { apiKey } = (await made.json()).data;
  const answer = await test.request("/v1/api/mailboxes", {
    token: apiKey,
    json: { local_part: "another", domain: "agents.test" },
  });
  assert.deepEqual(failure({ status: answer.status, body: await answer.json() }), {
    status: 403,
    code: "FORBIDDEN",
    details: undefined,
  });
});
