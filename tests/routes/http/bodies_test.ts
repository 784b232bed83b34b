import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  inboundToken,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import { formPost, mailgunFields, providerEnv, sendgridPost } from "../inbound/provider_posts.ts";
import { bounded, eventually } from "../../eventually.ts";

const MiB = 2 ** 20;
type Piece = Uint8Array<ArrayBuffer>;

/** A body sent piece by piece. */
function slowBody() {
  let controller!: ReadableStreamDefaultController<Piece>;
  let cancelled = false;
  const begun = Promise.withResolvers<void>();
  const stream = new ReadableStream<Piece>({
    start(given) {
      controller = given;
    },
    pull: () => begun.resolve(),
    cancel() {
      cancelled = true;
    },
  }, { highWaterMark: 0 });
  return {
    stream,
    give(bytes: number | string) {
      if (cancelled) return;
      const piece = typeof bytes === "string"
        ? new TextEncoder().encode(bytes)
        : new Uint8Array(bytes).fill(120);
      controller.enqueue(piece);
    },
    /** Resolves once the service waits for a piece. */
    begun: () => bounded("the body is read", begun.promise),
    /** Resolves once all pieces are read, or the reader has stopped. */
    async taken() {
      await eventually("the body is read", () => cancelled || controller.desiredSize! >= 0);
    },
    end: () => controller.close(),
    breakOff: () => controller.error(new Error("connection reset")),
    get cancelled() {
      return cancelled;
    },
  };
}

function send(test: TestService, owner: TestAccount, body: ReadableStream<Piece>) {
  return test.request("/v1/api/emails/send", {
    method: "POST",
    token: owner.key,
    headers: { "content-type": "application/json" },
    body,
  });
}

function raw(test: TestService, to: string, body: ReadableStream<Piece>) {
  return test.request("/inbound/raw", {
    method: "POST",
    token: inboundToken,
    headers: { "content-type": "message/rfc822", "x-envelope-to": to },
    body,
  });
}

function mailgun(test: TestService, body: BodyInit, headers: Record<string, string> = {}) {
  return test.request("/inbound/mailgun", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b", ...headers },
    body,
  });
}

/** The status of an answer; "waits" if there is none within 20 ms. */
async function statusOf(answer: Promise<Response>): Promise<number | "waits"> {
  const waits = new Promise<"waits">((done) => setTimeout(() => done("waits"), 20));
  return await Promise.race([answer.then(({ status }) => status), waits]);
}

Deno.test("60 s without a byte of a body is 408 REQUEST_TIMEOUT, and the rest is not read", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const body = slowBody();
  const answer = send(test, owner, body.stream);
  body.give("{");
  await body.taken();
  await test.advance(59_000);
  body.give(" ".repeat(70_000));
  await body.taken();
  await test.advance(1_000);
  assert.equal(await statusOf(answer), "waits");
  await test.advance(59_000);
  const refused = await answer;
  assert.equal(refused.status, 408);
  assert.equal(refused.headers.get("connection"), "close");
  assert.deepEqual(await refused.json(), {
    success: false,
    error: { code: "REQUEST_TIMEOUT", message: "The request body came too slowly." },
  });
  assert.ok(body.cancelled);
});

Deno.test("less than 1 KiB a second is 408 after 60 s, even after a quick beginning; 20 kB a second is accepted for any time", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const slow = slowBody(), quickThenSlow = slowBody(), honest = slowBody();
  const answers = [slow, quickThenSlow, honest].map(({ stream }) =>
    raw(test, box.email_address, stream)
  );
  const trickles = async (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      slow.give(1_000);
      if (n % 30 === 0) quickThenSlow.give(1);
      honest.give(20_000);
      await test.advance(1_000);
    }
  };
  for (const body of [slow, quickThenSlow, honest]) await body.begun();
  quickThenSlow.give(100_000);
  await trickles(59);
  assert.equal(await statusOf(answers[0]), "waits");
  await trickles(2);
  assert.equal((await bounded("the slow one ends", answers[0])).status, 408);
  assert.equal(await statusOf(answers[1]), "waits");
  await trickles(60);
  assert.equal((await bounded("the other ends", answers[1])).status, 408);
  await trickles(180);
  honest.end();
  assert.equal((await answers[2]).status, 200);
});

Deno.test("the time that the service takes between two pieces does not count against the sender", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const body = slowBody();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { database } = test.service;
  const write = database.write.bind(database);
  database.write = async (...args) => {
    await promise;
    return await write(...args);
  };
  const answer = raw(test, box.email_address, body.stream);
  for (let n = 0; n < 60; n++) body.give(65_536);
  await test.settle();
  await test.advance(300_000);
  assert.equal(await statusOf(answer), "waits");
  resolve();
  body.end();
  assert.equal((await answer).status, 200);
});

Deno.test("a key or session that ends during a body is 401, and nothing is changed", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const letter = {
    mailbox_id: box.mailbox_id,
    to: box.email_address,
    subject: "Late",
    body_text: "x",
  };
  const text = JSON.stringify(letter);
  const other = await account(test);
  const worker = await account(test);
  const queue = await mailbox(test, worker);
  await deliver(test, queue.email_address, message());
  const [claim] = await data(test.request(`/v1/api/mailboxes/${queue.mailbox_id}/claims`, {
    method: "POST",
    token: worker.key,
    json: {},
  }));
  const asked: [string, Record<string, string>, string][] = [
    [
      `/v1/api/claims/${claim.claim_id}/ack`,
      { authorization: `Bearer ${worker.key}` },
      "{          }",
    ],
    ["/v1/api/emails/send", { authorization: `Bearer ${owner.key}` }, text],
    ["/v1/api/emails/send", { authorization: `Bearer ${owner.accessToken}` }, text],
    ["/api/keys", { cookie: other.cookie }, '{"name": "late"}'],
  ];
  const bodies = asked.map(([path, headers, text]) => {
    const body = slowBody();
    const answer = test.request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body.stream,
    });
    body.give(text.slice(0, 10));
    return { answer, body, end: () => (body.give(text.slice(10)), body.end()) };
  });
  for (const { body } of bodies) await body.taken();
  await test.request(`/v1/api/keys/${owner.keyId}`, { method: "DELETE", token: owner.accessToken });
  await test.request("/api/auth/logout", { method: "POST", token: owner.accessToken });
  await test.request("/api/auth/logout", { method: "POST", token: other.accessToken });
  const keyOfWorker = `/v1/api/keys/${worker.keyId}`;
  await test.request(keyOfWorker, { method: "DELETE", token: worker.accessToken });
  // Another instance sees the revocation within a second.
  await test.advance(2_000);
  for (const { end, answer } of bodies) {
    end();
    const refused = await answer;
    assert.equal(refused.status, 401);
    assert.equal((await refused.json()).error.code, "UNAUTHORIZED");
  }
  await test.settle();
  const emails = await Array.fromAsync(test.kv.list({ prefix: ["emails", owner.userId] }));
  assert.deepEqual(emails, []);
  const acked = await test.request(`/v1/api/claims/${claim.claim_id}/ack`, {
    method: "POST",
    token: worker.accessToken,
  });
  assert.equal(acked.status, 200);
  assert.equal(
    (await Array.fromAsync(test.kv.list({ prefix: ["api_keys", other.userId] }))).length,
    1,
  );
});

Deno.test("SendGrid without well-formed, fresh signature headers is 401 before its body is read", async () => {
  await using test = await testService({ env: providerEnv });
  const now = test.clock.now();
  const good = sendgridPost({ to: "a@agents.test", raw: new Uint8Array(10), now });
  const [time, signature] = ["timestamp", "signature"].map((name) =>
    `x-twilio-email-event-webhook-${name}`
  );
  const seconds = (ms: number) => String(Math.floor((now + ms) / 1_000));
  const wrong: Record<string, string>[] = [
    { [time]: "", [signature]: "" },
    { [time]: "soon" },
    { [signature]: "not base64!" },
    { [signature]: "AAAA" },
    { [time]: seconds(-74 * 3_600_000) },
    { [time]: seconds(11 * 60_000) },
  ];
  for (const headers of wrong) {
    const body = slowBody();
    const answer = await test.request("/inbound/sendgrid", {
      method: "POST",
      headers: { ...good.headers, ...headers },
      body: body.stream,
    });
    assert.equal(answer.status, 401, JSON.stringify(headers));
  }
});

/** Sends one MiB after another until the request is answered; returns how many were read, and the answer. */
async function fill(body: ReturnType<typeof slowBody>, answer: Promise<Response>, atMost: number) {
  let given = 0;
  while (given < atMost) {
    body.give(MiB);
    given++;
    await body.taken();
    if (body.cancelled) break;
  }
  return { given, status: body.cancelled ? (await answer).status : await statusOf(answer) };
}

Deno.test("unsigned posts hold 64 MiB an address and 128 MiB in all, then 503 with Retry-After; the memory is given back, also after a disconnect", async () => {
  const env = { ...providerEnv, TRUSTED_PROXIES: "192.0.2.1" };
  await using test = await testService({ env, instances: 1 });
  const from = (address: string) => {
    const body = slowBody();
    const answer = mailgun(test, body.stream, { "x-forwarded-for": address });
    return { body, answer };
  };
  for (let round = 0; round < 2; round++) {
    const a = from("198.51.100.1"), b = from("198.51.100.2"), c = from("198.51.100.3");
    assert.deepEqual(await fill(a.body, a.answer, 63), { given: 63, status: "waits" });
    const second = from("198.51.100.1");
    const refused = await fill(second.body, second.answer, 10);
    assert.equal(refused.status, 503);
    assert.ok(refused.given <= 3, String(refused.given));
    const answer = await second.answer;
    assert.match(answer.headers.get("retry-after")!, /^([5-9]|10)$/);
    assert.deepEqual(await fill(b.body, b.answer, 60), { given: 60, status: "waits" });
    assert.equal((await fill(c.body, c.answer, 20)).status, 503);
    // Mail with a token and small requests do not wait for that.
    const owner = await account(test);
    const box = await mailbox(test, owner);
    assert.equal((await deliver(test, box.email_address, message())).disposition, "accepted");
    a.body.breakOff();
    b.body.end();
    assert.equal((await a.answer).status, 400);
    assert.equal((await b.answer).status, 400);
  }
});

Deno.test("bodies in flight are at most 256 MiB together, an account's 80; a declared length reserves nothing", async () => {
  await using test = await testService({ instances: 1, env: providerEnv });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const uploads = [slowBody(), slowBody(), slowBody()];
  const answers = uploads.map(({ stream }) => send(test, owner, stream));
  for (const n of [0, 1]) {
    assert.equal((await fill(uploads[n], answers[n], 39)).status, "waits");
  }
  assert.equal((await fill(uploads[2], answers[2], 39)).status, 503);
  const promised = await mailgun(test, slowBody().stream, { "content-length": String(70 * MiB) });
  assert.equal(promised.status, 413);
  const posts = [slowBody(), slowBody(), slowBody(), slowBody()];
  const mails = posts.map(({ stream }) => raw(test, box.email_address, stream));
  const statuses = [];
  for (const [n, body] of posts.entries()) {
    statuses.push((await fill(body, mails[n], 49)).status);
  }
  // With 78 MiB of uploads, three of 49 MiB fit, but not four.
  assert.deepEqual(statuses, ["waits", "waits", "waits", 503]);
  const small = await test.request("/v1/api/search", { token: owner.key, json: { query: "x" } });
  assert.equal(small.status, 200);
  for (const body of [...uploads.slice(0, 2), ...posts.slice(0, 3)]) body.breakOff();
  for (const answer of [...answers, ...mails]) await answer;
  const again = slowBody();
  const answer = raw(test, box.email_address, again.stream);
  assert.equal((await fill(again, answer, 49)).status, "waits");
  again.end();
  assert.equal((await answer).status, 200);
});

Deno.test("a Mailgun post of any normal size is accepted", async () => {
  await using test = await testService({ env: providerEnv });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const text = new TextEncoder().encode(message({}, `${"x".repeat(70)}\n`.repeat(300_000)));
  const fields = mailgunFields({ to: box.email_address, raw: text, now: test.clock.now() });
  const { path, headers, body } = formPost("/inbound/mailgun", fields);
  const answer = await test.request(path, { method: "POST", headers, body });
  assert.equal(answer.status, 200);
});

Deno.test("of eight messages of 48 MiB in lockstep five are accepted; the others get different Retry-After", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const uploads = Array.from({ length: 8 }, () => {
    const body = slowBody();
    return { body, answer: raw(test, box.email_address, body.stream) };
  });
  for (const [n, { body }] of uploads.entries()) body.give(message({ Subject: `No. ${n}` }));
  for (let given = 0; given < 48; given++) {
    for (const { body } of uploads) body.give(MiB);
    for (const { body } of uploads) await body.taken();
  }
  for (const { body } of uploads) if (!body.cancelled) body.end();
  const answers = await Promise.all(uploads.map(({ answer }) => answer));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  const refused = answers.filter(({ status }) => status === 503);
  const waits = refused.map(({ headers }) => headers.get("retry-after"));
  assert.equal(new Set(waits).size, 3, String(waits));
});

Deno.test("a message with a declared length above every plan is 413 EMAIL_TOO_LARGE at once, with a ledger row, also if a plan has no limit", async () => {
  for (const [maxEmailBytes, limit] of [[null, 240 * MiB], [50 * MiB, 50 * MiB]]) {
    const plans = { enterprise: { maxEmailBytes } };
    await using test = await testService({ instances: 1, plans });
    const owner = await account(test);
    const box = await mailbox(test, owner);
    const body = slowBody();
    const answer = test.request("/inbound/raw", {
      method: "POST",
      token: inboundToken,
      headers: {
        "content-type": "message/rfc822",
        "content-length": String(300 * MiB),
        "x-envelope-to": box.email_address,
      },
      body: body.stream,
    });
    assert.equal((await answer).status, 413);
    const { error } = await (await answer).json();
    assert.deepEqual([error.code, error.details.limit], ["EMAIL_TOO_LARGE", limit]);
    const ledger = await test.request("/v1/api/arrivals", { token: owner.key });
    const rows = (await ledger.json()).data as Record<string, unknown>[];
    assert.deepEqual(rows.map(({ disposition, code, size }) => [disposition, code, size]), [
      ["rejected", "EMAIL_TOO_LARGE", 300 * MiB],
    ]);
  }
});

Deno.test("a message of undeclared length on a plan without a limit is 413 after 240 MiB, not 503", async () => {
  await using test = await testService({
    instances: 1,
    plans: { enterprise: { maxEmailBytes: null } },
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const body = slowBody();
  const { given, status } = await fill(body, raw(test, box.email_address, body.stream), 300);
  assert.equal(status, 413);
  // One or two pieces of 1 MiB may already be on their way.
  assert.ok(given > 240 && given < 245, String(given));
});

Deno.test("a Postmark post that never fits into memory is 413, not 503", async () => {
  const plans = { enterprise: { maxEmailBytes: null } };
  await using test = await testService({ instances: 1, env: providerEnv, plans });
  for (const size of [241, 300, 2_000]) {
    const answer = await test.request("/inbound/postmark", {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(providerEnv.POSTMARK_INBOUND_AUTH)}`,
        "content-type": "application/json",
        "content-length": String(size * MiB),
      },
      body: slowBody().stream,
    });
    assert.equal(answer.status, 413, String(size));
  }
});
