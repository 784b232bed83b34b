import assert from "node:assert/strict";
import { Buffer as NodeBuffer } from "node:buffer";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { signatureHeaders } from "../../../domain/webhooks/signature.ts";
import { Letterbox, LetterboxError, verifyWebhook } from "../../../sdk/typescript/src/index.ts";
import { failure, scripted } from "./scripted.ts";

const ok = { body: { success: true, data: { email_id: "e1" } } };
const busy = failure(503, "SERVICE_UNAVAILABLE");
const broken = new TypeError("connection reset");

/** Each test has the name of a row of sdk/behaviours.md. */
function behaviour(name: string, run: () => Promise<void>) {
  Deno.test(`behaviour ${name}`, run);
}

/** The LetterboxError of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<LetterboxError> {
  const error = await call.then(() => null, (error) => error);
  assert.ok(error instanceof LetterboxError, String(error));
  return error;
}

/** The pauses of the timers that `run` sets; they end at once. */
async function pausesOf(run: () => Promise<void>): Promise<number[]> {
  const { setTimeout: real } = globalThis;
  const pauses: number[] = [];
  globalThis.setTimeout = ((done: () => void, ms: number) => {
    pauses.push(ms);
    return real(done, 0);
  }) as typeof setTimeout;
  try {
    await run();
  } finally {
    globalThis.setTimeout = real;
  }
  return pauses;
}

behaviour("retry-passing", async () => {
  for (const first of [busy, failure(429, "RATE_LIMIT_EXCEEDED"), failure(500, "INTERNAL_ERROR")]) {
    const { client, seen } = scripted([first, ok]);
    assert.deepEqual(await client.emails.get("e1"), { email_id: "e1" });
    assert.equal(seen.length, 2);
  }
});

behaviour("retry-broken", async () => {
  const { client, seen } = scripted([broken, ok]);
  const begun = performance.now();
  assert.deepEqual(await client.emails.get("e1"), { email_id: "e1" });
  assert.equal(seen.length, 2);
  assert.ok(performance.now() - begun >= 490, "0.5 s at least");
});

behaviour("retry-html", async () => {
  const html = { status: 503, headers: { "retry-after": "0" }, body: "<h1>Bad gateway</h1>" };
  const { client, seen } = scripted([html, html, ok]);
  assert.deepEqual(await client.emails.get("e1"), { email_id: "e1" });
  assert.equal(seen.length, 3);
  const error = await errorOf(scripted([html], { maxRetries: 0 }).client.emails.get("e1"));
  assert.deepEqual([error.code, error.status, error.retryAfter], ["UNEXPECTED_ANSWER", 503, 0]);
});

behaviour("retry-gateway", async () => {
  for (const status of [502, 504]) {
    const html = { status, headers: { "retry-after": "0" }, body: "<h1>Bad gateway</h1>" };
    const { client, seen } = scripted([html, html, ok]);
    assert.deepEqual(await client.emails.get("e1"), { email_id: "e1" });
    assert.equal(seen.length, 3);
    const change = scripted([html, ok]);
    const error = await errorOf(change.client.emails.update("e1", { is_read: true }));
    assert.deepEqual([error.code, error.status], ["UNEXPECTED_ANSWER", status]);
    assert.equal(change.seen.length, 1);
  }
});

behaviour("retry-after", async () => {
  const { client } = scripted([failure(429, "RATE_LIMIT_EXCEEDED", { retryAfter: 1 }), ok]);
  const begun = performance.now();
  await client.emails.get("e1");
  assert.ok(performance.now() - begun >= 990);
});

behaviour("retry-limit", async () => {
  const { client, seen } = scripted([busy, busy, busy, busy, ok]);
  assert.equal((await errorOf(client.emails.get("e1"))).code, "SERVICE_UNAVAILABLE");
  assert.equal(seen.length, 4);
  const never = scripted([busy, ok], { maxRetries: 0 });
  assert.equal((await errorOf(never.client.emails.get("e1"))).status, 503);
  assert.equal(never.seen.length, 1);
  const pauses = await pausesOf(async () => {
    const failing = scripted(Array(21).fill(broken), { maxRetries: 20 });
    await errorOf(failing.client.emails.get("e1"));
    assert.equal(failing.seen.length, 21);
  });
  assert.ok(Math.max(...pauses) <= 48_000, String(pauses));
});

behaviour("retry-not-waited", async () => {
  const day = scripted([failure(429, "RATE_LIMIT_EXCEEDED", { retryAfter: 61 }), ok]);
  assert.equal((await errorOf(day.client.emails.get("e1"))).retryAfter, 61);
  const details = { limit: 12, window: "thread", retry_after: 0 };
  const thread = scripted([failure(429, "RATE_LIMIT_EXCEEDED", { details }), ok]);
  const sent = thread.client.emails.reply("e1", { body_text: "Hello" });
  assert.deepEqual((await errorOf(sent)).details, details);
  assert.equal(day.seen.length + thread.seen.length, 2);
});

behaviour("retry-others", async () => {
  for (
    const [status, code] of [[400, "VALIDATION_ERROR"], [404, "NOT_FOUND"], [502, "X"]] as const
  ) {
    const { client, seen } = scripted([failure(status, code), ok]);
    assert.equal((await errorOf(client.emails.get("e1"))).code, code);
    assert.equal(seen.length, 1);
  }
});

behaviour("changes-once", async () => {
  for (const first of [broken, failure(500, "INTERNAL_ERROR")]) {
    const { client, seen } = scripted([first, ok]);
    await errorOf(client.emails.update("e1", { is_read: true }));
    assert.equal(seen.length, 1);
  }
  for (const first of [busy, failure(429, "RATE_LIMIT_EXCEEDED")]) {
    const { client, seen } = scripted([first, ok]);
    await client.emails.update("e1", { is_read: true });
    assert.equal(seen.length, 2);
  }
});

behaviour("idempotency-made", async () => {
  const message = { mailbox_id: "m1", to: "ada@example.net", body_text: "Hello" };
  const { client, seen } = scripted([broken, failure(500, "INTERNAL_ERROR"), ok, ok]);
  await client.emails.send(message);
  await client.emails.send(message);
  const keys = seen.map(({ headers }) => headers.get("idempotency-key"));
  assert.ok(keys[0]);
  assert.deepEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]]);
  assert.notEqual(keys[3], keys[0]);
  const replies = scripted([ok, ok]);
  await replies.client.emails.reply("e1", { body_text: "Hello" });
  await replies.client.emails.forward("e1", { to: "ada@example.net" });
  assert.equal(replies.seen.length, 2);
  assert.ok(replies.seen.every(({ headers }) => headers.get("idempotency-key")));
});

behaviour("idempotency-given", async () => {
  const { client, seen } = scripted([busy, ok]);
  await client.emails.reply("e1", { body_text: "Hello", idempotency_key: "order-7" });
  assert.deepEqual(seen.map(({ headers }) => headers.get("idempotency-key")), [
    "order-7",
    "order-7",
  ]);
  // What a header can't have is in the body alone.
  for (const idempotency_key of ["заказ-7", " order 7 ", "a\r\nx-other: 1"]) {
    const { client, seen } = scripted([busy, ok]);
    await client.emails.reply("e1", { body_text: "Hello", idempotency_key });
    assert.deepEqual(
      seen.map(({ headers, body }) => [
        headers.get("idempotency-key"),
        JSON.parse(body!).idempotency_key,
      ]),
      [[null, idempotency_key], [null, idempotency_key]],
    );
  }
});

behaviour("wait-again", async () => {
  const { client, seen } = scripted([busy, broken, ok, busy, ok, busy, ok]);
  const begun = Date.now();
  await client.emails.wait({ mailbox_id: "m1" });
  await client.emails.wait({ mailbox_id: "m1", since: "2026-11-23" });
  await client.emails.wait({ mailbox_id: "m1", after: "e1" });
  const [first, second, third, ...others] = seen.map(({ url }) => url.searchParams);
  assert.equal(first.get("since"), null);
  const since = Date.parse(second.get("since")!);
  assert.ok(begun <= since && since < begun + 400, "the first try, not the second");
  assert.equal(third.get("since"), second.get("since"));
  assert.deepEqual(
    others.map((query) => [query.get("since"), query.get("after")]),
    [["2026-11-23", null], ["2026-11-23", null], [null, "e1"], [null, "e1"]],
  );
});

behaviour("pages", async () => {
  const page = (ids: string[], next_cursor: string | null) => ({
    body: { success: true, data: ids.map((email_id) => ({ email_id })), meta: { next_cursor } },
  });
  const { client, seen } = scripted([page(["a", "b"], "1"), page([], "2"), page(["c"], null)]);
  const ids: string[] = [];
  for await (const { email_id } of client.emails.list({ mailbox_id: "m1", limit: 2 })) {
    ids.push(email_id);
    if (email_id === "b") {
      assert.equal(seen.length, 1, "a page is requested when the loop reaches it");
    }
  }
  assert.deepEqual(ids, ["a", "b", "c"]);
  assert.deepEqual(seen.map(({ url }) => url.search), [
    "?mailbox_id=m1&limit=2",
    "?mailbox_id=m1&limit=2&cursor=1",
    "?mailbox_id=m1&limit=2&cursor=2",
  ]);
});

behaviour("pages-of-changes", async () => {
  const page = (id: string, has_more: boolean) => ({
    body: { success: true, data: [{ change_id: id }], meta: { has_more, next_cursor: id } },
  });
  const { client, seen } = scripted([page("1", true), page("2", false)]);
  const list = client.changes.list({ after: "0" });
  const ids = [];
  for await (const { change_id } of list) ids.push(change_id);
  assert.deepEqual([ids, list.cursor], [["1", "2"], "2"]);
  assert.deepEqual(seen.map(({ url }) => url.search), ["?after=0", "?after=1"]);
});

behaviour("rows", async () => {
  const answer = { body: { mailboxes: [{ mailbox_id: "m1" }] } };
  const { client } = scripted([answer, answer]);
  const ids = [];
  for await (const { mailbox_id } of client.mailboxes.list()) ids.push(mailbox_id);
  assert.deepEqual(ids, ["m1"]);
  assert.equal((await client.mailboxes.list())[0].mailbox_id, "m1");
});

behaviour("content", async () => {
  const { client } = scripted([
    { status: 201, body: { success: true, mailbox: { mailbox_id: "m1" } } },
    { body: { results: [], total: 0 } },
    { body: { success: true, valid: true, email_address: "a@agents.test" } },
  ]);
  assert.deepEqual(await client.mailboxes.create({ generate: true }), { mailbox_id: "m1" });
  assert.deepEqual(await client.search({ query: "order" }), { results: [], total: 0 });
  const valid = { valid: true, email_address: "a@agents.test" };
  assert.deepEqual(await client.mailboxes.check({ local_part: "a", domain: "agents.test" }), valid);
  // Something else is at that URL.
  for (const body of ["<h1>Hello</h1>", "[]", "null", '"ok"']) {
    const error = await errorOf(scripted([{ body }]).client.emails.get("e1"));
    assert.deepEqual([error.code, error.status], ["UNEXPECTED_ANSWER", 200], body);
  }
});

behaviour("unknown-fields", async () => {
  const { client } = scripted([{
    body: { success: true, new: 1, data: { email_id: "e1", new: 2 } },
  }]);
  assert.deepEqual(await client.emails.get("e1"), { email_id: "e1", new: 2 });
});

behaviour("error", async () => {
  const details = { limit: "Too big" };
  const failed = failure(400, "VALIDATION_ERROR", { details, retryAfter: null });
  const error = await errorOf(scripted([failed]).client.emails.get("e1"));
  const { code, status, message, retryAfter } = error;
  assert.deepEqual([code, status, message, retryAfter], ["VALIDATION_ERROR", 400, "No.", null]);
  assert.deepEqual(error.details, details);
});

behaviour("error-without-key", async () => {
  const { client } = scripted([broken, failure(401, "UNAUTHORIZED")], { maxRetries: 0 });
  for (
    const error of [await errorOf(client.emails.get("a")), await errorOf(client.emails.get("b"))]
  ) {
    assert.ok(!`${Deno.inspect(error)} ${JSON.stringify(error)}`.includes("lbx_secret"));
  }
  assert.ok(!Deno.inspect(client, { depth: 9 }).includes("lbx_secret"));
  assert.throws(() => new Letterbox({ baseUrl: "https://x.example", apiKey: "lbx_\nsecret" }), {
    code: "INVALID_ARGUMENT",
    message: /^(?!.*secret)/s,
  });
});

behaviour("cancel", async () => {
  const reason = new Error("enough");
  const stop = new AbortController();
  const client = new Letterbox({
    baseUrl: "https://mail.example.com",
    apiKey: "lbx_secret",
    fetch: () => new Promise(() => {}),
  });
  const waiting = client.emails.wait({ mailbox_id: "m1" }, { signal: stop.signal });
  const listing = client.emails.list({}, { signal: stop.signal })[Symbol.asyncIterator]().next();
  stop.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(listing, reason);
  await assert.rejects(client.emails.get("e1", {}, { signal: stop.signal }), reason);
  // Rows that have come are not given any more.
  const one = [{ email_id: "e1" }, { email_id: "e2" }];
  const all = [{ mailbox_id: "m1" }, { mailbox_id: "m2" }];
  const stream = 'id: 1\ndata: {"change_id":"1"}\n\nid: 2\ndata: {"change_id":"2"}\n\n';
  const answers = [
    { body: { success: true, data: one } },
    { body: { mailboxes: all } },
    { body: stream },
  ];
  const { client: other } = scripted(answers);
  const lists = [
    (signal: AbortSignal) => other.emails.list({}, { signal }),
    (signal: AbortSignal) => other.mailboxes.list({ signal }),
    (signal: AbortSignal) => other.events({ signal }),
  ];
  for (const list of lists) {
    const stop = new AbortController();
    const rows: unknown[] = [];
    const loop = async () => {
      for await (const row of list(stop.signal) as AsyncIterable<unknown>) {
        rows.push(row);
        stop.abort(reason);
      }
    };
    await assert.rejects(loop, reason);
    assert.equal(rows.length, 1);
  }
});

behaviour("cancel-pause", async () => {
  const stop = new AbortController();
  const { client, seen } = scripted([failure(503, "SERVICE_UNAVAILABLE", { retryAfter: 50 })]);
  const call = client.emails.raw("e1", { signal: stop.signal });
  while (seen.length === 0) await new Promise((done) => setTimeout(done, 1));
  // It has read the answer and pauses.
  await new Promise((done) => setTimeout(done, 10));
  stop.abort();
  await assert.rejects(call, { name: "AbortError" });
});

behaviour("bytes", async () => {
  const { client, seen } = scripted([{ body: "From: ada" }, { body: "%PDF" }]);
  assert.equal(await new Response(await client.emails.raw("e1")).text(), "From: ada");
  assert.equal(await new Response(await client.emails.attachment("e1", "att_1")).text(), "%PDF");
  assert.equal(seen[1].url.pathname, "/v1/api/emails/e1/attachments/att_1");
});

behaviour("attachment-text", async () => {
  const data = { attachment_id: "att_1", text: "Hello", truncated: true, next_offset: 5 };
  const { client, seen } = scripted([{ body: { success: true, data } }]);
  assert.deepEqual(await client.emails.attachmentText("e1", "att_1", { max_chars: 2_000 }), data);
  assert.equal(seen[0].url.search, "?max_chars=2000&format=text");
});

behaviour("ids", async () => {
  const { client, seen } = scripted([ok]);
  await client.suppressions.delete("a/b?c@example.net");
  assert.equal(seen[0].url.pathname, "/v1/api/suppressions/a%2Fb%3Fc%40example.net");
  for (const id of ["", ".", "..", undefined as unknown as string]) {
    assert.equal((await errorOf(client.emails.delete(id))).code, "INVALID_ARGUMENT");
  }
});

behaviour("attachments", async () => {
  const path = await Deno.makeTempFile({ suffix: ".txt" });
  await Deno.writeTextFile(path, "path");
  const { client, seen } = scripted([ok, ok, ok]);
  await client.emails.send({
    mailbox_id: "m1",
    to: "ada@example.net",
    attachments: [
      new File(["file"], "a.pdf", { type: "application/pdf" }),
      path,
      { filename: "c.bin", content: new Uint8Array([255, 0]) },
      { filename: "d.txt", content: "ZA==" },
    ],
  });
  await Deno.remove(path);
  assert.deepEqual(JSON.parse(seen[0].body!).attachments, [
    { filename: "a.pdf", content_type: "application/pdf", content: btoa("file") },
    { filename: path.split(/[\\/]/).pop(), content: btoa("path") },
    { filename: "c.bin", content: "/wA=" },
    { filename: "d.txt", content: "ZA==" },
  ]);

  const { process } = globalThis as { process?: unknown };
  Object.assign(globalThis, { process: undefined });
  const inBrowser = client.emails.send({
    mailbox_id: "m1",
    to: "x@y.example",
    attachments: [path],
  });
  Object.assign(globalThis, { process });
  assert.equal((await errorOf(inBrowser)).code, "INVALID_ARGUMENT");

  // Browsers have no Buffer, and older ones no toBase64.
  const bytes = crypto.getRandomValues(new Uint8Array(50_000));
  const without = Object.assign(bytes.slice(), { toBase64: undefined }) as unknown as Uint8Array;
  const { Buffer } = globalThis as { Buffer?: unknown };
  const sendIt = () =>
    client.emails.send({
      mailbox_id: "m1",
      to: "ada@example.net",
      attachments: [{ filename: "a.bin", content: without }],
    });
  try {
    Object.assign(globalThis, { Buffer: undefined });
    await sendIt();
    Object.assign(globalThis, { Buffer: NodeBuffer });
    await sendIt();
  } finally {
    Object.assign(globalThis, { Buffer });
  }
  for (const { body } of seen.slice(1)) {
    assert.equal(JSON.parse(body!).attachments[0].content, bytes.toBase64());
  }
});

behaviour("events-resume", async () => {
  const stream = (text: string) => ({
    headers: { "content-type": "text/event-stream" },
    body: text,
  });
  const event = (id: string) =>
    `id: ${id}\r\nevent: email.sent\r\ndata: {"change_id":"${id}"}\r\n\r\n`;
  const { client, seen } = scripted([
    stream(`:\nid: 0\n\n${event("1")}:\n\n${event("2")}id: 3\ndata: {"cut`),
    broken,
    stream(event("3")),
  ]);
  const ids: string[] = [];
  for await (const { change_id } of client.events({ after: "now" })) {
    if (ids.push(change_id) === 3) break;
  }
  assert.deepEqual(ids, ["1", "2", "3"]);
  assert.deepEqual(seen.map(({ headers }) => headers.get("last-event-id")), ["now", "2", "2"]);
});

behaviour("export", async () => {
  const line = (id: string, raw: string | null) =>
    `{"email":{"email_id":"${id}"},"raw_base64":${raw === null ? null : `"${btoa(raw)}"`}}\n`;
  const { client, seen } = scripted([
    { body: line("1", "From: ada") + line("2", "\xff\x00") + line("3", "cut").slice(0, 30) },
    broken,
    { body: `${line("1", "From: ada")}${line("2", "\xff\x00")}${line("3", null)}` },
    { body: `${line("3", null)}{"next_cursor":"c1"}\n` },
    { body: `${line("4", "")}{"next_cursor":null}\n` },
  ]);
  const mails: [string, string | null][] = [];
  for await (const { email, raw } of client.mailboxes.export("m1", { limit: 3, after: "c0" })) {
    mails.push([email.email_id, raw && raw.toBase64()]);
  }
  assert.deepEqual(mails, [["1", btoa("From: ada")], ["2", "/wA="], ["3", null], ["4", ""]]);
  assert.deepEqual(
    seen.map(({ url }) => `${url.pathname} ${url.searchParams.get("after")}`),
    ["c0", "c0", "c0", "c0", "c1"].map((after) => `/v1/api/mailboxes/m1/export ${after}`),
  );
});

behaviour("export-refused", async () => {
  const { client } = scripted([failure(404, "NOT_FOUND")]);
  assert.equal((await errorOf(client.mailboxes.export("m1").next())).code, "NOT_FOUND");
});

behaviour("events-refused", async () => {
  const { client } = scripted([failure(410, "CURSOR_EXPIRED")]);
  assert.equal((await errorOf(client.events({ after: "old" }).next())).code, "CURSOR_EXPIRED");
});

behaviour("webhooks", async () => {
  const file = new URL("../../../sdk/webhook_vectors.json", import.meta.url);
  const { usual, vectors: given } = JSON.parse(await Deno.readTextFile(file));
  const vectors: Vector[] = given.map((each: Partial<Vector>) => ({ ...usual, ...each }));
  assert.ok(vectors.length >= 20);
  for (const vector of vectors) {
    const { what, secret, valid, body, received = body } = vector;
    const headers = headersOf(vector);
    const bytes = new TextEncoder().encode(received);
    const known = Object.entries(headers).filter((each): each is [string, string] => !!each[1]);
    const answers = [
      await verifyWebhook(headers, received, secret).catch((error) => error),
      await verifyWebhook(new Headers(known), bytes, secret).catch((error) => error),
    ];
    for (const answer of answers) {
      if (valid) assert.deepEqual(answer, JSON.parse(body), what);
      else assert.equal(answer instanceof LetterboxError && answer.code, "INVALID_SIGNATURE", what);
    }
  }
  // No string is a body of bytes that are not UTF-8.
  const at = String(Math.floor(Date.now() / 1_000));
  const latin1 = Buffer.from('{"event":"Größe"}', "latin1");
  const hmac = createHmac("sha256", "my own secret").update(`msg_1.${at}.`).update(latin1);
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": at,
    "webhook-signature": `v1,${hmac.digest("base64")}`,
  };
  const error = await errorOf(verifyWebhook(headers, latin1, "my own secret"));
  assert.equal(error.code, "INVALID_SIGNATURE");
  assert.ok(error.cause instanceof TypeError);
  for (const parsed of [{ event: "email.received" }, null, undefined]) {
    const refused = await errorOf(verifyWebhook(headers, parsed as unknown as string, "my secret"));
    assert.equal(refused.code, "INVALID_SIGNATURE");
    assert.match(refused.message, /must be as it came, not parsed/);
  }
});

interface Vector {
  what: string;
  /** The secret of the check. */
  secret: string;
  signed_with: string[];
  /** Seconds from the signature until now. */
  age: number;
  body: string;
  /** Replaces the body that was signed. */
  received?: string;
  set?: Record<string, string | null>;
  version?: string;
  title_case?: boolean;
  valid: boolean;
}

/** The headers of the service, with the changes that the vector names. */
function headersOf(vector: Vector): Record<string, string | undefined> {
  const at = new Date(Date.now() - vector.age * 1_000);
  const of = (secret: string) =>
    signatureHeaders({ secret, eventId: "msg_1", attempt: 1, at, body: vector.body });
  const signatures = vector.signed_with.map((each) => of(each)["webhook-signature"]);
  const headers: Record<string, string | null> = {
    ...of(vector.secret),
    "webhook-signature": signatures.join(" ").replaceAll("v1,", `${vector.version ?? "v1"},`),
    ...vector.set,
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      vector.title_case ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name,
      value ?? undefined,
    ]),
  );
}
