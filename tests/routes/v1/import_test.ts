import assert from "node:assert/strict";
import { colleague } from "../../domain/accounts/members/colleague.ts";
import { importByToken, importMail } from "../../imports.ts";
import { connect } from "../oauth/connect.ts";
import {
  account,
  data,
  inboundToken,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

async function emailsOf(test: TestService, owner: TestAccount, query = "") {
  return await data(test.request(`/v1/api/emails?limit=100${query}`, { token: owner.key }));
}

/** A request whose body does not end before `end`. */
function slow(test: TestService, token: string, mailboxId: string) {
  const rest = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const raw = message({ Subject: crypto.randomUUID() });
      controller.enqueue(new TextEncoder().encode(raw));
      await rest.promise;
      controller.close();
    },
  }, { highWaterMark: 0 });
  const answer = test.request(`/v1/api/mailboxes/${mailboxId}/import`, {
    ...{ method: "POST", token, body },
    headers: { "content-type": "message/rfc822" },
  });
  return { answer, end: () => rest.resolve() };
}

// SPEC: import.state
Deno.test("an imported email has the state of its source and its label, by key, grant, session and inbound token", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const state = {
    "received-at": "2019-03-02T12:00:00+01:00",
    labels: "Invoices, q:2,invoices",
    read: "1",
  };
  const raw = (n: number) =>
    message({ Subject: `Old ${n}`, Date: "Fri, 01 Mar 2019 10:00:00 +0000" });
  const scopes = ["emails:read", "emails:write"] as const;
  const { access_token: grant } = await connect(test, owner, { scopes });
  const results = [
    await importMail(test, owner.key, box, raw(1), state),
    await importMail(test, grant, box, raw(2), state),
    await importByToken(test, box.email_address, raw(3), state),
  ];
  const bySession = await data(test.request(`/api/mailboxes/${box.mailbox_id}/import`, {
    method: "POST",
    headers: { cookie: owner.cookie, "content-type": "message/rfc822", "x-import-labels": "q:2" },
    body: raw(4),
  }));
  assert.equal(bySession.results[0].disposition, "accepted");
  await test.settle();
  for (const { status, disposition, recipient, email_id } of results) {
    assert.deepEqual([status, disposition, recipient], [200, "accepted", box.email_address]);
    const email = await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key }));
    assert.equal(email.received_at, "2019-03-02T11:00:00.000Z");
    assert.equal(email.date, "2019-03-01T10:00:00.000Z");
    assert.deepEqual(email.labels, ["imported", "invoices", "q:2"]);
    assert.deepEqual([email.is_read, email.direction], [true, "inbound"]);
    assert.deepEqual(email.auth, {
      ...{ verdict: "none", spf: "none", dkim: "none", dmarc: "none" },
      ...{ domain: null, source: "none" },
    });
  }
  assert.equal((await emailsOf(test, owner, "&is_read=false")).length, 1);
  // Each import of a caller has a row in the audit; a duplicate changes nothing.
  await importMail(test, owner.key, box, raw(1), state);
  const audit = await data(
    test.request("/v1/api/audit?action=import_email", { token: owner.key }),
  );
  assert.deepEqual(
    audit.map(({ email_id, count }: { email_id: string; count: number }) => [email_id, count]),
    [bySession.results[0], results[1], results[0]].map(({ email_id }) => [email_id, 1]),
  );
});

// SPEC: import.headers
Deno.test("a header that is none is 400, and nothing is stored", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const many = (n: number) => Array.from({ length: n }, (_, i) => `l${i}`).join(",");
  const wrong: [string, string][] = [
    ...[
      ...["yesterday", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01T00:00Z", "1577836800"],
      ...["2020-02-30T00:00:00Z", "2020-13-01T00:00:00Z", "2020-01-01T24:00:01Z"],
      ...["2020-01-01T00:00:00+0100", "2020-01-01T00:00:00+25:00", "Wed, 01 Jan 2020 00:00:00 GMT"],
    ].map((value): [string, string] => ["received-at", value]),
    ...["a b", "a,,b", "a.b", "ä", "x".repeat(65), ",", many(33)]
      .map((value): [string, string] => ["labels", value]),
    ...["yes", "2", "truee"].map((value): [string, string] => ["read", value]),
    ...["in", "sent", "both"].map((value): [string, string] => ["direction", value]),
  ];
  for (const [name, value] of wrong) {
    for (
      const { status, code, message: reason } of [
        await importMail(test, owner.key, box, message(), { [name]: value }),
        await importByToken(test, box.email_address, message(), { [name]: value }),
      ]
    ) {
      assert.deepEqual([status, code], [400, "BAD_REQUEST"], `${name}: ${value}`);
      assert.match(reason!, new RegExp(`^X-Import-${name}`, "i"));
    }
  }
  const odd = await test.request("/inbound/raw", {
    method: "POST",
    token: inboundToken,
    headers: {
      "content-type": "message/rfc822",
      "x-envelope-to": box.email_address,
      "x-import": "perhaps",
    },
    body: message(),
  });
  assert.equal(odd.status, 400);
  assert.deepEqual(await emailsOf(test, owner), []);
  assert.deepEqual(await data(test.request("/v1/api/arrivals", { token: owner.key })), []);
  const right: [string, string][] = [
    ["received-at", "2020-02-29t23:59:59.5z"],
    ["received-at", "2020-01-01T00:00:00-11:30"],
    ["received-at", "2016-12-31 23:59:60Z"],
    ["labels", many(32)],
    ["labels", ""],
    ["read", "FALSE"],
    ["direction", "Inbound"],
  ];
  for (const [n, [name, value]] of right.entries()) {
    const raw = message({ Subject: `${n}` });
    const { status } = await importMail(test, owner.key, box, raw, { [name]: value });
    assert.equal(status, 200, `${name}: ${value}`);
  }
  const labels = (await emailsOf(test, owner))
    .map((each: { labels: string[] }) => each.labels.length);
  assert.equal(Math.max(...labels), 33);
});

// SPEC: import.route
Deno.test("an import needs emails:write, a mailbox that the caller sees and a message; it answers as /inbound/raw", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner), other = await mailbox(test, owner);
  const foreign = await mailbox(test, stranger);
  const keyOf = async (json: object) =>
    (await data(test.request("/v1/api/keys", { token: owner.key, json }))).apiKey as string;
  const reader = await keyOf({ name: "r", scopes: ["emails:read"] });
  const limited = await keyOf({
    ...{ name: "l", scopes: ["emails:write"], mailboxIds: [box.mailbox_id] },
  });
  const of = async (token: string, to = box) => {
    const { status, code } = await importMail(test, token, to, message());
    return [status, code];
  };
  assert.deepEqual(await of(reader), [403, "FORBIDDEN"]);
  assert.deepEqual(await of("lbx_wrong"), [401, "UNAUTHORIZED"]);
  assert.deepEqual(await of(limited, other), [404, "NOT_FOUND"]);
  assert.deepEqual(await of(owner.key, foreign), [404, "NOT_FOUND"]);
  assert.deepEqual(await of(limited), [200, undefined]);
  const byAddress = { ...box, mailbox_id: box.email_address };
  assert.deepEqual(await of(limited, byAddress), [200, undefined]);
  const viewer = await colleague(test, owner, "viewer");
  const refused = await importMail(test, viewer.accessToken, box, message());
  assert.deepEqual([refused.status, refused.details?.required_role], [403, "admin"]);
  const path = `/v1/api/mailboxes/${box.mailbox_id}/import`;
  const post = async (headers: Record<string, string>, body = message(), query = "") => {
    const init = { method: "POST", token: owner.key, headers, body };
    return (await test.request(path + query, init)).status;
  };
  const rfc822 = { "content-type": "message/rfc822" };
  assert.equal(await post({ "content-type": "application/json" }), 415);
  assert.equal(await post({ ...rfc822, "content-encoding": "gzip" }), 415);
  assert.equal(await post(rfc822, ""), 400);
  assert.equal(await post(rfc822, message(), "?label=x"), 400);
  assert.equal((await test.request(path, { token: owner.key })).status, 405);
  assert.equal(await post(rfc822, "x".repeat(51 * 2 ** 20)), 413);
  assert.equal((await emailsOf(test, owner)).length, 1);
  const free = await account(test, "free");
  const small = await mailbox(test, free);
  const large = await importMail(test, free.key, small, "x".repeat(11 * 2 ** 20));
  assert.deepEqual(
    [large.status, large.recipient, large.disposition, large.code],
    [422, small.email_address, "rejected", "EMAIL_TOO_LARGE"],
  );
});

// SPEC: import.windows
Deno.test("an import counts in no request window: it passes when they are full", async () => {
  const limits = { requestsPerMinute: 3, requestsPerHour: null, requestsPerDay: null };
  await using test = await testService({ plans: { enterprise: limits } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (let n = 0; n < 10; n++) {
    const { status } = await importMail(test, owner.key, box, message({ Subject: `${n}` }));
    assert.equal(status, 200);
  }
  assert.equal((await emailsOf(test, owner)).length, 10);
  const list = () => test.request("/v1/api/emails", { token: owner.key });
  assert.equal((await list()).headers.get("x-ratelimit-remaining"), "0");
  assert.equal((await list()).status, 429);
  const answer = await test.request(`/v1/api/mailboxes/${box.mailbox_id}/import`, {
    ...{ method: "POST", token: owner.key, body: message({ Subject: "more" }) },
    headers: { "content-type": "message/rfc822" },
  });
  assert.deepEqual([answer.status, answer.headers.get("x-ratelimit-remaining")], [200, "0"]);
});

// SPEC: import.windows
Deno.test("an account imports 8 at once, the ninth is 429; another account is not affected, and a place comes free", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner), foreign = await mailbox(test, other);
  const open = Array.from({ length: 8 }, () => slow(test, owner.key, box.mailbox_id));
  await test.waiting(8);
  const ninth = await test.request(`/v1/api/mailboxes/${box.mailbox_id}/import`, {
    ...{ method: "POST", token: owner.key, body: message() },
    headers: { "content-type": "message/rfc822" },
  });
  const { error } = await ninth.json();
  assert.deepEqual([ninth.status, error.code], [429, "RATE_LIMIT_EXCEEDED"]);
  assert.deepEqual([error.details.window, error.details.limit], ["concurrent", 8]);
  assert.equal(ninth.headers.get("retry-after"), "1");
  assert.equal((await importMail(test, other.key, foreign, message())).status, 200);
  open[0].end();
  assert.equal((await open[0].answer).status, 200);
  assert.equal((await importMail(test, owner.key, box, message())).status, 200);
  for (const each of open) each.end();
  for (const each of open) assert.equal((await each.answer).status, 200);
  assert.equal((await emailsOf(test, owner)).length, 9);
});

Deno.test("a key that is revoked while the message comes stores nothing", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const json = { name: "k", scopes: ["emails:write"] };
  const { apiKey, keyId } = await data(test.request("/v1/api/keys", { token: owner.key, json }));
  const { answer, end } = slow(test, apiKey, box.mailbox_id);
  await test.waiting(1);
  const path = `/v1/api/keys/${keyId}`;
  await data(test.request(path, { method: "DELETE", token: owner.key }));
  await test.advance(1_001);
  end();
  assert.equal((await answer).status, 401);
  assert.deepEqual(await emailsOf(test, owner), []);
});

Deno.test("an import never goes to the mailbox that has got its address meanwhile", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner, "first-name");
  const { answer, end } = slow(test, owner.key, box.mailbox_id);
  await test.waiting(1);
  await data(test.request(`/api/mailboxes/${box.mailbox_id}`, {
    ...{ method: "PATCH", token: owner.accessToken },
    json: { local_part: "second-name", domain: "agents.test" },
  }));
  await mailbox(test, owner, "first-name");
  end();
  const { status } = await answer;
  assert.equal(status, 422);
  assert.deepEqual(await emailsOf(test, owner), []);
});
