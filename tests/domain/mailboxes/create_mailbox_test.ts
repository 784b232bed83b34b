import assert from "node:assert/strict";
import { systemIds } from "../../../domain/core/ids.ts";
import { account, mailbox, testService } from "../../service.ts";
import { brokenNames, brokenQuota, brokenRequests } from "./broken_rules.ts";
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
      title.startsWith("/api ")
        ? { ...record, email_count: 0, unread_count: 0, last_email_date: null }
        : record,
    );
    assert.equal(mailboxes.length, n + 1);
  }
});

// SPEC: mailboxes.session_routes, mailboxes.rule.length, mailboxes.rule.characters
// SPEC: mailboxes.rule.reserved, mailboxes.rule.unique, mailboxes.rule.domain, error.missing_fields
// SPEC: error.bad_request, error.domain_mismatch, error.local_too_short, error.invalid_local
// SPEC: error.disallowed_local, error.domain_not_allowed, error.email_taken
Deno.test("POST /mailboxes answers every broken rule with its whole body on both families", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  await mailbox(test, await account(test), "taken.one");
  for (const { title, call } of familiesOf(test, owner)) {
    for (const { input, status, error } of [...brokenRequests, ...brokenNames]) {
      assert.deepEqual(
        await call("POST", "/mailboxes", input),
        { status, body: { success: false, error } },
        `${title}: ${JSON.stringify(input)}`,
      );
    }
    assert.deepEqual((await call("GET", "/mailboxes")).body, { mailboxes: [] });
  }
});

// SPEC: mailboxes.rule.quota, error.mailbox_quota, plan.quotas
Deno.test("POST /mailboxes answers MAILBOX_QUOTA at the plan's limit, and EMAIL_TAKEN before it", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  for (let n = 0; n < 5; n++) await mailbox(test, owner, `agent-${n}`);
  const { input, status, error } = brokenQuota;
  for (const { title, call } of familiesOf(test, owner)) {
    assert.deepEqual(
      await call("POST", "/mailboxes", input),
      { status, body: { success: false, error } },
      title,
    );
    assert.equal(
      failure(await call("POST", "/mailboxes", { ...input, local_part: "agent-0" })).code,
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

Deno.test("a key without mailboxes:write creates and deletes nothing, one without mailboxes:read lists nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const keyWith = async (scope: string): Promise<string> => {
    const made = await test.request("/v1/api/keys", {
      token: owner.accessToken,
      json: { name: scope, scopes: [scope] },
    });
    return (await made.json()).data.apiKey;
  };
  const reader = await keyWith("mailboxes:read"), writer = await keyWith("mailboxes:write");
  const requests: [string, string, string, unknown, string][] = [
    [reader, "POST", "", { local_part: "agent-one", domain: "agents.test" }, "mailboxes:write"],
    [
      reader,
      "DELETE",
      `/${box.mailbox_id}`,
      { confirm_email_address: box.email_address },
      "mailboxes:write",
    ],
    [writer, "GET", "", undefined, "mailboxes:read"],
    [
      writer,
      "GET",
      "/check-email?local_part=agent&domain=agents.test",
      undefined,
      "mailboxes:read",
    ],
  ];
  for (const [token, method, path, json, scope] of requests) {
    const answer = await test.request(`/v1/api/mailboxes${path}`, { method, token, json });
    assert.deepEqual(failure({ status: answer.status, body: await answer.json() }), {
      status: 403,
      code: "FORBIDDEN",
      details: { required_scope: scope },
    });
  }
});

// SPEC: mailboxes.generate
Deno.test("generate: true makes a free name, on the first shared domain or the given one; together with a name it is 400", async () => {
  await using test = await testService();
  const owner = await account(test);
  for (const { title, call } of familiesOf(test, owner)) {
    const create = async (input: object) => await call("POST", "/mailboxes", input);
    const made = await create({ generate: true });
    assert.equal(made.status, 201, title);
    const { mailbox } = made.body as { mailbox: { email_address: string; domain: string } };
    assert.match(mailbox.email_address, /^[a-z]+-[a-z]+-\d{4}@agents\.test$/);
    const there = await create({ generate: true, domain: "Mail.Agents.Test", local_part: null });
    assert.match(
      (there.body as typeof made.body & { mailbox: { email_address: string } }).mailbox
        .email_address,
      /^[a-z]+-[a-z]+-\d{4}@mail\.agents\.test$/,
    );
    for (const field of ["local_part", "email_address"]) {
      for (const name of ["agent-one", ""]) {
        const refused = await create({ generate: true, [field]: name, domain: "agents.test" });
        assert.equal(refused.status, 400, title);
        const { code, details } = failure(refused);
        assert.equal(code, "VALIDATION_ERROR");
        assert.match(JSON.stringify(details), new RegExp(`"${field}":`));
      }
    }
    assert.equal(
      failure(await create({ generate: "yes", domain: "agents.test" })).code,
      "VALIDATION_ERROR",
    );
    assert.equal(
      failure(await create({ generate: true, domain: "elsewhere.example" })).code,
      "DOMAIN_NOT_ALLOWED",
    );
    assert.equal(failure(await create({ generate: false })).code, "MISSING_FIELDS");
  }
});

// SPEC: mailboxes.generate
Deno.test("a generated name that is taken or reserved is tried again, and at the 21st the answer is EMAIL_TAKEN", async () => {
  const { bytes } = systemIds();
  // The first `same` names of a request are equal; the random bytes of ids still change.
  let same = 0;
  const ids = {
    ...systemIds(),
    bytes: (length: number) =>
      length === 6 && same-- > 0 ? Uint8Array.of(0, 0, 0, 0, 0, 7) : bytes(length),
  };
  await using test = await testService({ parts: { ids }, instances: 1 });
  const owner = await account(test);
  const create = async () => {
    const answer = await test.request("/v1/api/mailboxes", {
      token: owner.key,
      json: { generate: true },
    });
    const { mailbox, error } = await answer.json();
    return mailbox?.email_address ?? error.code;
  };
  same = 1;
  const first = await create();
  assert.match(first, /-0007@agents\.test$/);
  same = 19;
  const second = await create();
  assert.match(second, /@agents\.test$/);
  assert.notEqual(second, first);
  same = 20;
  assert.equal(await create(), "EMAIL_TAKEN");
});
