import assert from "node:assert/strict";
import {
  account,
  inboundToken,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../service.ts";

const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

/** One valid post to /inbound/raw, changed by `change`. */
async function post(
  test: TestService,
  to: string | null,
  change: { body?: BodyInit; headers?: Record<string, string | null> } = {},
) {
  const headers = new Headers();
  const all = {
    authorization: `Bearer ${inboundToken}`,
    "content-type": "message/rfc822",
    "x-envelope-from": "ada@example.net",
    "x-envelope-to": to,
    ...change.headers,
  };
  for (const [name, value] of Object.entries(all)) if (value !== null) headers.set(name, value);
  const body = change.body ?? message();
  const answer = await test.request("/inbound/raw", { method: "POST", headers, body });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

async function listed(test: TestService, { key }: TestAccount): Promise<number> {
  const answer = await test.request("/v1/api/emails?limit=100", { token: key });
  return (await answer.json()).data.length;
}

async function ledger(test: TestService, token: string, query = "") {
  const answer = await test.request(`/v1/api/arrivals${query}`, { token });
  return { status: answer.status, body: await answer.json() };
}

// SPEC: inbound.accepted, inbound.envelope_only, mailbox.plus_tag
Deno.test("POST /inbound/raw answers one result for each recipient of the envelope, whatever To contains", async () => {
  await using test = await testService();
  const owner = await account(test);
  const one = await mailbox(test, owner, "agent-one"),
    two = await mailbox(test, owner, "agent-two");
  const to = `<AGENT-ONE+orders@agents.test>, agent-two@agents.test, nobody@agents.test`;
  const raw = message({ To: "somebody@else.example", Cc: "agent-two@agents.test" });
  const { status, body } = await post(test, to, { body: raw });
  const [first, second] = body.data.results;
  assert.deepEqual([status, body], [200, {
    success: true,
    data: {
      results: [
        {
          recipient: "<AGENT-ONE+orders@agents.test>",
          disposition: "accepted",
          email_id: first.email_id,
        },
        { recipient: two.email_address, disposition: "accepted", email_id: second.email_id },
        { recipient: "nobody@agents.test", disposition: "rejected", code: "UNKNOWN_RECIPIENT" },
      ],
    },
  }]);
  assert.notEqual(first.email_id, second.email_id);
  for (const [box, id] of [[one, first.email_id], [two, second.email_id]]) {
    const path = `/v1/api/emails?mailbox_id=${box.mailbox_id}`;
    const { data } = await (await test.request(path, { token: owner.key })).json();
    assert.deepEqual(data.map((each: { email_id: string }) => each.email_id), [id]);
  }
});

// SPEC: inbound.token
Deno.test("the inbound token is a Bearer token or a Basic password; anything else is 401 and stores nothing", async () => {
  await using test = await testService({
    env: { INBOUND_TOKENS: `${inboundToken},second-token-of-the-tests` },
  });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const good = [
    `Bearer ${inboundToken}`,
    "bearer second-token-of-the-tests",
    basic("any", inboundToken),
    basic("", "second-token-of-the-tests"),
  ];
  for (const [n, authorization] of good.entries()) {
    const body = message({}, `${n}\n`);
    const { status } = await post(test, email_address, { headers: { authorization }, body });
    assert.equal(status, 200, authorization);
  }
  const bad = [
    null,
    "",
    "Bearer",
    `Bearer ${inboundToken}x`,
    inboundToken,
    basic(inboundToken, ""),
  ];
  for (const authorization of [...bad, basic("x", "wrong"), "Basic %%%", `Bearer ${owner.key}`]) {
    const { status, headers, body } = await post(test, email_address, {
      headers: { authorization },
    });
    assert.match(headers.get("www-authenticate") ?? "", /^Bearer/);
    assert.deepEqual([status, body], [401, {
      success: false,
      error: { code: "UNAUTHORIZED", message: "The inbound token is missing or wrong." },
    }]);
  }
  assert.equal(await listed(test, owner), good.length);
});

// SPEC: inbound.media_type
Deno.test("a Content-Type other than message/rfc822, and a compressed body, are 415", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  for (const type of ["text/plain", "application/octet-stream", "message/rfc822x", ""]) {
    const { status, body } = await post(test, email_address, { headers: { "content-type": type } });
    assert.deepEqual([status, body.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"], type);
  }
  const packed = await post(test, email_address, { headers: { "content-encoding": "gzip" } });
  assert.deepEqual([packed.status, packed.body.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
  const type = "Message/RFC822; charset=utf-8";
  const { status } = await post(test, email_address, { headers: { "content-type": type } });
  assert.deepEqual([status, await listed(test, owner)], [200, 1]);
});

// SPEC: inbound.bad_envelope
Deno.test("an envelope that is missing, malformed or over 100 recipients, and an empty body, are 400", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `nobody-${n}@agents.test`).join(",");
  const envelopes = [null, "", " , ", "no-at-sign", "a b@agents.test", "@agents.test", "x@"];
  for (const to of [...envelopes, `${email_address}, no-at-sign`, many(101)]) {
    const { status, body } = await post(test, to);
    assert.deepEqual([status, body.success, body.error.code], [400, false, "BAD_REQUEST"], `${to}`);
  }
  const { status, body } = await post(test, email_address, { body: "" });
  assert.deepEqual([status, body.error.code], [400, "BAD_REQUEST"]);
  assert.equal(await listed(test, owner), 0);
  const hundred = await post(test, `${many(99)}, ${email_address}`);
  assert.deepEqual([hundred.status, hundred.body.data.results.length], [200, 100]);
});

// SPEC: inbound.rejected, limit.emails, limit.email_size, limit.storage
Deno.test("if every recipient is refused permanently, the answer is 422 with each one's code", async () => {
  await using test = await testService({
    plans: {
      free: { maxEmailBytes: 2_000, emailsPerMonth: 0 },
      pro: { emailsPerDay: 0 },
      enterprise: { storageBytes: 100 },
    },
  });
  const byMonth = await mailbox(test, await account(test, "free"));
  const byDay = await mailbox(test, await account(test, "pro"));
  const byStorage = await mailbox(test, await account(test, "enterprise"));
  const body = message({}, "x".repeat(2_000));
  const expected = (codes: [string, string][]) => ({
    success: false,
    error: {
      code: "RECIPIENT_REJECTED",
      message: "Every recipient was refused permanently.",
      details: {
        results: codes.map(([recipient, code]) => ({ recipient, disposition: "rejected", code })),
      },
    },
  });
  const refusals: [string, string][] = [
    ["nobody@agents.test", "UNKNOWN_RECIPIENT"],
    ["somebody@else.example", "UNKNOWN_RECIPIENT"],
    [byMonth.email_address, "EMAIL_TOO_LARGE"],
    [byDay.email_address, "OVER_QUOTA"],
    [byStorage.email_address, "OVER_QUOTA"],
  ];
  const answer = await post(test, refusals.map(([recipient]) => recipient).join(","), { body });
  assert.deepEqual([answer.status, answer.body], [422, expected(refusals)]);
  const small = await post(test, byMonth.email_address);
  assert.deepEqual(small.body, expected([[byMonth.email_address, "OVER_QUOTA"]]));
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] })), []);
});

// SPEC: inbound.too_large, arrivals.every_attempt
Deno.test("a message above the largest plan is 413 before it is read to its end; it has a ledger row and leaves no bytes", async () => {
  const size = { maxEmailBytes: 100_000 };
  await using test = await testService({ plans: { free: size, pro: size, enterprise: size } });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      sent += 10_000;
      controller.enqueue(new Uint8Array(10_000).fill(0x78));
    },
  });
  const { status, body } = await post(test, email_address, { body: endless });
  const results = [{ recipient: email_address, disposition: "rejected", code: "EMAIL_TOO_LARGE" }];
  assert.deepEqual([status, body.error.code, body.error.details], [413, "EMAIL_TOO_LARGE", {
    limit: 100_000,
    results,
  }]);
  assert.ok(sent < 1_000_000, "refused while it was read");
  const rows = (await ledger(test, owner.key)).body.data;
  assert.deepEqual(rows.map((row: { code: string }) => row.code), ["EMAIL_TOO_LARGE"]);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] })), []);
  const exact = message({}, "").padEnd(100_000, "x");
  assert.equal((await post(test, email_address, { body: exact })).status, 200);
});

// SPEC: inbound.unavailable, error.unavailable
Deno.test("while the database refuses writes the answer is 503, and the same post is accepted afterwards", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const { commit } = Deno.AtomicOperation.prototype;
  Deno.AtomicOperation.prototype.commit = () => Promise.reject(new Error("database is locked"));
  const refused = await post(test, email_address);
  Deno.AtomicOperation.prototype.commit = commit;
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.deepEqual([refused.status, refused.body.error.code], [503, "SERVICE_UNAVAILABLE"]);
  const again = await post(test, email_address);
  assert.deepEqual(again.body.data.results[0].disposition, "accepted");
});

// SPEC: inbound.duplicates
Deno.test("the same ingest id or the same bytes are a duplicate within a mailbox; the same Message-ID is not", async () => {
  await using test = await testService();
  const owner = await account(test);
  const one = await mailbox(test, owner), two = await mailbox(test, owner);
  const fields = { "Message-ID": "<same@example.net>" };
  const first = message(fields, "first\n"), second = message(fields, "second\n");
  const deliver = async (to: string, body: string, id?: string) => {
    const headers: Record<string, string> = id ? { "x-ingest-id": id } : {};
    const [{ disposition, email_id }] = (await post(test, to, { body, headers })).body.data.results;
    return { disposition, email_id };
  };
  const taken = await deliver(one.email_address, first, "provider-1");
  assert.equal(taken.disposition, "accepted");
  const duplicate = { disposition: "duplicate", email_id: taken.email_id };
  assert.deepEqual(await deliver(one.email_address, first, "provider-1"), duplicate);
  assert.deepEqual(await deliver(one.email_address, second, "provider-1"), duplicate);
  assert.deepEqual(await deliver(one.email_address, first, "provider-2"), duplicate);
  // Also an id that came only with bytes that the mailbox had.
  assert.deepEqual(
    await deliver(one.email_address, message(fields, "x\n"), "provider-2"),
    duplicate,
  );
  assert.deepEqual(await deliver(one.email_address, first), duplicate);
  const other = await deliver(one.email_address, second);
  assert.equal(other.disposition, "accepted", "another message with the same Message-ID");
  assert.equal((await deliver(two.email_address, first, "provider-1")).disposition, "accepted");
  assert.equal(await listed(test, owner), 3);
  const long = "x".repeat(2_000);
  assert.equal(
    (await deliver(one.email_address, "Subject: a\n", `${long}a`)).disposition,
    "accepted",
  );
  assert.equal(
    (await deliver(one.email_address, "Subject: b\n", `${long}b`)).disposition,
    "accepted",
  );
});

// SPEC: arrivals.list, arrivals.every_attempt, arrivals.thirty_days, general.timestamps
Deno.test("GET /v1/api/arrivals shows every attempt, newest first, filtered and by pages, for 30 days", async () => {
  await using test = await testService();
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner), second = await mailbox(test, owner);
  const raw = message();
  const accepted = (await post(test, box.email_address)).body.data.results[0];
  await test.advance(1_000);
  await post(test, box.email_address, { headers: { "x-envelope-from": "" } });
  await test.advance(1_000);
  const spaced = await post(test, box.email_address, {
    headers: { "x-envelope-from": "not a reverse path" },
  });
  assert.equal(spaced.status, 400);
  await post(test, second.email_address, { headers: { "x-envelope-from": "<bob@example.org>" } });
  const gone = await mailbox(test, owner);
  await test.request(`/v1/api/mailboxes/${gone.mailbox_id}`, {
    method: "DELETE",
    token: owner.key,
    json: { confirm_email_address: gone.email_address },
  });
  await test.advance(1_000);
  await post(test, gone.email_address);
  const { status, body } = await ledger(test, owner.key);
  const rows = body.data;
  assert.equal(status, 200);
  assert.deepEqual(body.meta, { limit: 20, has_more: false, next_cursor: null });
  assert.deepEqual(rows.slice(2), [
    {
      arrival_id: rows[2].arrival_id,
      received_at: "2026-11-20T10:00:01.000Z",
      source: "raw",
      recipient: box.email_address,
      sender: "",
      size: raw.length,
      disposition: "duplicate",
      code: null,
      email_id: accepted.email_id,
      mailbox_id: box.mailbox_id,
      count: 1,
    },
    {
      arrival_id: rows[3].arrival_id,
      received_at: "2026-11-20T10:00:00.000Z",
      source: "raw",
      recipient: box.email_address,
      sender: "ada@example.net",
      size: raw.length,
      disposition: "accepted",
      code: null,
      email_id: accepted.email_id,
      mailbox_id: box.mailbox_id,
      count: 1,
    },
  ]);
  assert.equal(rows[1].sender, "bob@example.org");
  assert.deepEqual([rows[0].disposition, rows[0].code, rows[0].email_id, rows[0].recipient], [
    "rejected",
    "UNKNOWN_RECIPIENT",
    null,
    gone.email_address,
  ]);
  const ids = async (query: string) =>
    (await ledger(test, owner.key, query)).body.data.map((row: { arrival_id: string }) =>
      rows.findIndex((each: { arrival_id: string }) => each.arrival_id === row.arrival_id)
    );
  assert.deepEqual(await ids(`?mailbox_id=${box.mailbox_id}`), [2, 3]);
  assert.deepEqual(await ids("?disposition=rejected"), [0]);
  assert.deepEqual(await ids(`?disposition=accepted&mailbox_id=${second.mailbox_id}`), [1]);
  const page = (await ledger(test, owner.key, "?limit=3")).body;
  assert.deepEqual([page.data.length, page.meta.limit, page.meta.has_more], [3, 3, true]);
  assert.deepEqual(await ids(`?limit=3&cursor=${page.meta.next_cursor}`), [3]);
  for (const query of ["limit=0", "limit=101", "disposition=lost", "cursor=x"]) {
    const wrong = await ledger(test, owner.key, `?${query}`);
    const [field] = query.split("=");
    assert.deepEqual(
      [wrong.status, wrong.body.error.code, Object.keys(wrong.body.error.details)],
      [400, "VALIDATION_ERROR", [field]],
    );
  }
  assert.deepEqual((await ledger(test, other.key)).body.data, []);
  const foreign = await ledger(test, other.key, `?mailbox_id=${box.mailbox_id}`);
  assert.deepEqual([foreign.status, foreign.body.error.code], [404, "NOT_FOUND"]);
  await test.advance(30 * 86_400_000 - 3_000);
  assert.equal((await ledger(test, owner.key)).body.data.length, 3, "the first is 30 days old");
  await test.advance(3_000);
  assert.deepEqual((await ledger(test, owner.key)).body.data, []);
});
