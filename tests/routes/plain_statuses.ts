import assert from "node:assert/strict";
import * as keys from "../../domain/store/keys.ts";
import { unavailable } from "../../domain/core/errors.ts";
import { stripePayments } from "../../adapters/payments/stripe.ts";
import {
  certificate,
  formPost,
  type Mail,
  mailgunFields,
  mailgunPost,
  type Post,
  postmarkPost,
  providerEnv,
  sendgridPost,
  sesMessage,
  sesPost,
  snsPost,
  snsTopic,
} from "./inbound/provider_posts.ts";
import { endless } from "./row_statuses.ts";
import { startFakeStripe } from "../adapters/payments/fake_stripe.ts";
import {
  account,
  deliver,
  FakeClock,
  inboundToken,
  mailbox,
  message,
  operatorToken,
  type TestAccount,
  type TestService,
  testService,
} from "../service.ts";

/** Within the validity of the certificate of the tests. */
const now = Date.parse("2027-01-05T10:00:00.000Z");
const maxEmailBytes = 100_000;

/** A service with every setting, one without, and one with no anonymous requests left. */
interface Setting {
  test: TestService;
  bare: TestService;
  full: TestService;
  owner: TestAccount;
  address: string;
  mailboxId: string;
}

/** Gets each documented answer once from every route that is not in a route table. */
export async function answerPlainRoutes(): Promise<void> {
  const sizes = { maxEmailBytes, requestsPerMinute: null };
  const plans = { free: sizes, pro: sizes, enterprise: { ...sizes, mcpRequestsPerMinute: null } };
  // One process: failures are planted in its parts.
  const one = { instances: 1, parts: { clock: new FakeClock(now) } };
  await using test = await testService({ ...one, env: providerEnv, plans });
  await using bare = await testService({ parts: { clock: test.clock } });
  await using full = await testService({
    env: { ...providerEnv, ANONYMOUS_REQUESTS_PER_MINUTE: "1" },
    parts: { clock: new FakeClock(now) },
  });
  // Uses up its one request.
  await answers(401, full, "/v1/api/emails");
  const owner = await account(test);
  const { email_address: address, mailbox_id: mailboxId } = await mailbox(test, owner);
  const setting = { test, bare, full, owner, address, mailboxId };
  await downloads(setting);
  await fileUrls(setting);
  await draftParts(setting);
  await eventStreams(setting);
  await mcp(setting);
  await rawMail(setting);
  await imports(setting);
  await exports(setting);
  await providers(setting);
  await stripe(setting);
  await metrics(setting);
  for (const path of ["/openapi.json", "/docs", "/llms.txt"]) {
    const whole = await answers(200, test, path);
    const headers = { "if-none-match": whole.headers.get("etag")! };
    await answers(304, test, path, { headers });
    await answers(429, full, path);
  }
}

type Request = Parameters<TestService["request"]>[1];

/** A request whose body never comes: 408 after its time. */
async function slow(test: TestService, path: string, init: Request): Promise<void> {
  const { body, isRead } = endless();
  const answer = answers(408, test, path, { method: "POST", ...init, body });
  await isRead();
  await test.advance(60_000);
  await answer;
}

/** Sends one request and asserts its status; the test service validates the answer. */
async function answers(
  status: number,
  test: TestService,
  path: string,
  init: Request = {},
): Promise<Response> {
  const answer = await test.request(path, init);
  assert.equal(answer.status, status, `${init.method ?? "GET"} ${path}: ${answer.status}`);
  return answer;
}

/** `call` during a program error and while the database does not answer: 500 and 503. */
async function troubled({ test, owner }: Setting, call: (status: number) => Promise<unknown>) {
  const { database } = test.service;
  const parts = ["get", "getMany", "list", "collect", "transact", "write"] as const;
  const whole = parts.map((part) => database[part]);
  for (
    const [status, error] of [[500, new TypeError("secret")], [503, unavailable("away")]] as const
  ) {
    const broken = () => {
      throw error;
    };
    test.service.credentials.forget(owner.userId);
    for (const part of parts) Object.assign(database, { [part]: broken });
    try {
      await call(status);
    } finally {
      parts.forEach((part, n) => Object.assign(database, { [part]: whole[n] }));
    }
  }
}

async function downloads(setting: Setting): Promise<void> {
  const { test, full, owner, address } = setting;
  const raw = message(
    {
      "Content-Type": 'multipart/mixed; boundary="b"',
    },
    "--b\n\nText.\n--b\nContent-Disposition: attachment; filename=a.txt\n\nBytes.\n" +
      "--b\nContent-Type: image/png\n\nPixels\n--b--\n",
  );
  const { email_id } = await deliver(test, address, raw);
  await test.settle();
  const email = await (await test.request(`/v1/api/emails/${email_id}`, { token: owner.key }))
    .json();
  const limited = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "limited", scopes: ["search"] },
  });
  const { apiKey } = (await limited.json()).data;
  for (const rest of ["raw", `attachments/${email.data.attachment_ids[0]}`]) {
    const path = `/v1/api/emails/${email_id}/${rest}`;
    await answers(200, test, path, { token: owner.key });
    await answers(400, test, `${path}?no_such_parameter=1`, { token: owner.key });
    await answers(401, test, path);
    await answers(403, test, path, { token: apiKey });
    await answers(404, test, path.replace(email_id, "nobody-has-it"), { token: owner.key });
    await answers(429, full, path);
    await troubled(setting, (status) => answers(status, test, path, { token: owner.key }));
  }
  const file = `/v1/api/emails/${email_id}/attachments/${email.data.attachment_ids[0]}`;
  await answers(400, test, `${file}?format=pdf`, { token: owner.key });
  const picture = file.replace(/[^/]*$/, email.data.attachment_ids[1]);
  await answers(422, test, `${picture}?format=text`, { token: owner.key });

  await mailHtml({ ...setting, path: `/api/emails/${email_id}/html` });
}

async function mailHtml({ path, ...setting }: Setting & { path: string }): Promise<void> {
  const { test, full, owner } = setting;
  const token = owner.accessToken;
  await answers(200, test, path, { token });
  await answers(400, test, `${path}?images=all`, { token });
  await answers(401, test, path, { token: owner.key });
  await answers(404, test, "/api/emails/nobody-has-it/html", { token });
  await answers(429, full, path);
  await troubled(setting, (status) => answers(status, test, path, { token }));
}

/** The URLs that need no key: for the bytes of an upload, and of an attachment. */
async function fileUrls(setting: Setting): Promise<void> {
  const { test, full, owner, address } = setting;
  const upload = async (token: string) => {
    const made = await test.request("/v1/api/uploads", { token, json: {} });
    return new URL((await made.json()).data.upload_url).pathname;
  };
  const put = (status: number, path: string, body: BodyInit = "bytes", more: Request = {}) =>
    answers(status, test, path, { method: "PUT", body, ...more });
  const path = await upload(owner.key);
  await put(400, `${path}?no_such_parameter=1`);
  await put(
    400,
    path,
    new ReadableStream({ pull: () => Promise.reject(new Error("the connection is gone")) }),
  );
  await put(404, `${path}x`);
  await put(413, path, "x".repeat(maxEmailBytes + 1));
  await put(415, path, "x", { headers: { "content-encoding": "gzip" } });
  await slow(test, path, { method: "PUT" });
  await troubled(setting, (status) => put(status, path));
  await put(200, path);
  await put(409, path);
  await answers(429, full, path, { method: "PUT", body: "x" });
  const poor = await account(test, "free");
  await test.service.database.transact((tx) => tx.set(keys.storage(poor.userId), 2 ** 30));
  await put(403, await upload(poor.key));

  const raw = message(
    { "Content-Type": 'multipart/mixed; boundary="b"' },
    "--b\n\nText.\n--b\nContent-Disposition: attachment; filename=a.txt\n\nBytes.\n--b--\n",
  );
  const { email_id } = await deliver(test, address, raw);
  const asked = `/v1/api/emails/${email_id}/attachments/att_2/link`;
  const link = await test.request(asked, { token: owner.key });
  const download = new URL((await link.json()).data.download_url).pathname;
  await answers(200, test, download);
  await answers(400, test, `${download}?no_such_parameter=1`);
  await answers(404, test, `${download}x`);
  await answers(429, full, download);
  await troubled(setting, (status) => answers(status, test, download));
}

/** What a person sees of a draft: its HTML and its attachments. */
async function draftParts(setting: Setting): Promise<void> {
  const { test, full, owner, address } = setting;
  const token = owner.accessToken;
  const made = await test.request("/v1/api/drafts", {
    token: owner.key,
    json: {
      from: address,
      to: "ada@example.net",
      body_html: "<p>Hi</p>",
      attachments: [{ filename: "a.txt", content: "aGk=" }],
    },
  });
  const { draft_id, content_hash, attachments: [{ sha256 }] } = (await made.json()).data;
  const draft = `/api/drafts/${draft_id}`;
  const parts = [`${draft}/html?content_hash=${content_hash}`, `${draft}/attachments/${sha256}`];
  for (const path of parts) {
    const unknown = `${path}${path.includes("?") ? "&" : "?"}no_such_parameter=1`;
    await answers(200, test, path, { token });
    await answers(400, test, unknown, { token });
    await answers(401, test, path, { token: owner.key });
    await answers(404, test, path.replace(draft_id, "nobody-has-it"), { token });
    await answers(429, full, path);
    await troubled(setting, (status) => answers(status, test, path, { token }));
  }
  await answers(200, test, `/v1${draft}`, { method: "DELETE", token: owner.key });
  for (const path of parts) await answers(409, test, path, { token });
}

async function eventStreams(setting: Setting): Promise<void> {
  const { test, full, owner } = setting;
  const limited = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "limited", scopes: ["search"] },
  });
  const { apiKey } = (await limited.json()).data;
  await answers(403, test, "/v1/api/events", { token: apiKey });
  const cursor = (row: string) => `${row.padStart(20, "0")}-0000`;
  // Rows before the second cursor are gone.
  await test.service.database.transact((tx) =>
    tx.set(keys.journalCut(owner.userId), { versionstamp: "2".padStart(20, "0"), entries: 0 })
  );
  for (const [path, token] of [["/v1/api/events", owner.key], ["/api/events", owner.accessToken]]) {
    const stream = await answers(200, test, path, { token });
    await stream.body?.cancel();
    await answers(400, test, `${path}?after=nonsense`, { token });
    await answers(401, test, path);
    await answers(410, test, `${path}?after=${cursor("1")}`, { token });
    await answers(429, full, path);
    await troubled(setting, (status) => answers(status, test, path, { token }));
  }
}

async function mcp(setting: Setting): Promise<void> {
  const { test, full, owner } = setting;
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  const call = (status: number, json: unknown, more: Request = {}, service = test) =>
    answers(status, service, "/v1/mcp", {
      token: owner.key,
      ...more,
      json,
      headers: { ...headers, ...more.headers },
    });
  await call(200, list);
  await call(202, { jsonrpc: "2.0", method: "notifications/initialized" });
  await call(400, { nothing: "of the protocol" });
  await answers(400, test, "/v1/mcp", {
    ...{ method: "POST", token: owner.key, body: "{" },
    headers: { ...headers, "content-type": "application/json" },
  });
  await answers(400, test, "/v1/mcp?toolset=none", { token: owner.key, json: list, headers });
  await call(401, list, { token: "nonsense" });
  await call(403, list, { headers: { origin: "https://evil.example" } });
  await call(406, list, { headers: { accept: "text/html" } });
  await call(413, list, { headers: { "content-length": "999999999" } });
  await call(429, list, { token: "nonsense" }, full);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await call(404, { jsonrpc: "2.0", id: 1, method: "nothing", params: { _meta: meta } }, {
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "nothing" },
  });
  await slow(test, "/v1/mcp", { token: owner.key, headers });
  await troubled(setting, (status) => call(status, list));
}

async function rawMail(setting: Setting): Promise<void> {
  const { test, full, address } = setting;
  const post = (status: number, body: string, more: Request = {}) =>
    answers(status, test, "/inbound/raw", {
      method: "POST",
      token: inboundToken,
      body,
      ...more,
      headers: {
        "content-type": "message/rfc822",
        "x-envelope-to": address,
        ...more.headers,
      },
    });
  const raw = message({ Subject: "Raw" });
  await post(200, raw);
  await post(400, "");
  await post(401, raw, { token: "nonsense" });
  await answers(429, full, "/inbound/raw", { method: "POST", token: "nonsense" });
  await slow(test, "/inbound/raw", {
    token: inboundToken,
    headers: { "content-type": "message/rfc822", "x-envelope-to": address },
  });
  await post(413, message({}, "x".repeat(maxEmailBytes)));
  await post(415, raw, { headers: { "content-type": "text/plain" } });
  await post(422, raw, { headers: { "x-envelope-to": "nobody@agents.test" } });
  await troubled(setting, (status) => post(status, message({ Subject: String(status) })));
}

async function imports(setting: Setting): Promise<void> {
  const { test, full, owner, mailboxId } = setting;
  const headers = { "content-type": "message/rfc822" };
  const path = `/v1/api/mailboxes/${mailboxId}/import`;
  const post = (status: number, body: string, more: Request = {}, to = path) =>
    answers(status, test, to, { method: "POST", token: owner.key, headers, body, ...more });
  const raw = message({ Subject: "Old" });
  await post(200, raw);
  await post(400, "");
  await post(400, raw, {}, `${path}?no_such_parameter=1`);
  await post(401, raw, { token: "nonsense" });
  const reader = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "reader", scopes: ["emails:read"] },
  });
  await post(403, raw, { token: (await reader.json()).data.apiKey });
  await post(404, raw, {}, path.replace(mailboxId, "nobody-has-it"));
  await slow(test, path, { token: owner.key, headers });
  await post(413, "x".repeat(maxEmailBytes + 1));
  await post(415, raw, { headers: { "content-type": "text/plain" } });
  const poor = await account(test, "free");
  const { mailbox_id } = await mailbox(test, poor);
  await test.service.database.transact((tx) => tx.set(keys.storage(poor.userId), 2 ** 30));
  await post(422, raw, { token: poor.key }, path.replace(mailboxId, mailbox_id));
  await answers(429, full, path, { method: "POST", headers, body: raw });
  await troubled(setting, (status) => post(status, raw));
}

async function exports(setting: Setting): Promise<void> {
  const { test, full, owner, mailboxId } = setting;
  const path = `/v1/api/mailboxes/${mailboxId}/export`;
  const searches = await test.request("/v1/api/keys", {
    token: owner.accessToken,
    json: { name: "searches", scopes: ["search"] },
  });
  const { apiKey } = (await searches.json()).data;
  await answers(403, test, path, { token: apiKey });
  for (
    const [at, token] of [
      [path, owner.key],
      [`/api/mailboxes/${mailboxId}/file`, owner.accessToken],
    ]
  ) {
    const whole = async (status: number, to = at) => {
      const answer = await answers(status, test, to, { token });
      await answer.text();
    };
    await whole(200);
    await whole(400, `${at}?no_such_parameter=1`);
    await answers(401, test, at);
    await whole(404, at.replace(mailboxId, "nobody-has-it"));
    await answers(429, full, at);
    await troubled(setting, (status) => answers(status, test, at, { token }));
  }
}

async function providers(setting: Setting): Promise<void> {
  const { test, bare, full, address } = setting;
  const post = ({ path, headers, body }: Post, status: number, service = test) =>
    answers(status, service, path, { method: "POST", headers, body });
  const without = (sent: Post): Post => ({
    ...sent,
    headers: { "content-type": sent.headers["content-type"] },
  });
  const oversized = (sent: Post): Post => ({
    ...sent,
    headers: { ...sent.headers, "content-length": "999999999" },
  });
  const mail = (more: Partial<Mail> = {}): Mail => ({
    to: address,
    raw: new TextEncoder().encode(message({ Subject: crypto.randomUUID() })),
    now,
    ...more,
  });
  const large = new TextEncoder().encode(message({}, "x".repeat(maxEmailBytes)));
  const mailgun = (path: string) => (each: Mail) => formPost(path, mailgunFields(each));
  const each = [
    { make: mailgun("/inbound/mailgun"), refused: 406 },
    { make: mailgunPost, refused: 406 },
    { make: sendgridPost, refused: 200 },
    { make: postmarkPost, refused: 403 },
    { make: sesPost, refused: 200 },
  ];
  const { fetch } = globalThis;
  // Amazon's certificate; nothing else is fetched.
  globalThis.fetch = () => Promise.resolve(new Response(certificate));
  try {
    for (const { make, refused } of each) {
      await post(make(mail()), 200);
      await post(make(mail({ to: "nobody@agents.test" })), refused);
      await post(make(mail({ to: "no address" })), refused);
      await post(make(mail({ raw: large })), refused);
      await post(make(mail()), 404, bare);
      await post(oversized(make(mail())), 413);
      const { path, headers } = make(mail());
      await slow(test, path, { headers });
      await troubled(setting, (status) => post(make(mail()), status));
    }
    const { path, headers } = mailgunPost(mail());
    for (const each of ["/inbound/mailgun", path]) {
      await post({ path: each, headers, body: new Uint8Array() }, 400);
      const forged = formPost(each, { ...mailgunFields(mail()), signature: "" });
      await post(forged, 401);
      await post(forged, 429, full);
    }
    for (const make of [sendgridPost, postmarkPost]) {
      await post(without(make(mail())), 401);
      await post(without(make(mail())), 429, full);
    }
    await post({ ...postmarkPost(mail()), body: new TextEncoder().encode("{}") }, 400);
    await post({ ...sesPost(mail()), body: new TextEncoder().encode("{}") }, 400);
    const elsewhere = snsPost({ ...sesMessage(mail()), TopicArn: `${snsTopic}-of-others` });
    await post(elsewhere, 401);
    await post(elsewhere, 429, full);
  } finally {
    globalThis.fetch = fetch;
  }
}

async function metrics({ test, full }: Setting): Promise<void> {
  const path = "/operator/metrics";
  await using unset = await testService({ env: { OPERATOR_TOKEN: "" } });
  const own = { token: operatorToken };
  await answers(200, test, path, own);
  await answers(404, unset, path, own);
  await answers(401, test, path);
  await answers(429, full, path);
  const { jobs } = test.service;
  const { counts } = jobs;
  for (
    const [status, error] of [[500, new TypeError("secret")], [503, unavailable("away")]] as const
  ) {
    jobs.counts = () => {
      throw error;
    };
    await answers(status, test, path, own);
  }
  jobs.counts = counts;
}

async function stripe(setting: Setting): Promise<void> {
  const fake = startFakeStripe();
  const payments = stripePayments({
    secretKey: "sk_test_statuses",
    webhookSecret: fake.webhookSecret,
    prices: {},
    apiBase: fake.apiBase,
  });
  const billing = {
    instances: 1,
    parts: { payments },
    env: { STRIPE_SECRET_KEY: "sk_test_statuses", STRIPE_WEBHOOK_SECRET: fake.webhookSecret },
  };
  await using test = await testService(billing);
  await using full = await testService({
    ...billing,
    env: { ...billing.env, ANONYMOUS_REQUESTS_PER_MINUTE: "1" },
  });
  const event = await fake.event("customer.created", {}, { signedAt: test.clock.now() / 1_000 });
  const post = (status: number, signature = event.signature, service = test, more: Request = {}) =>
    answers(status, service, "/api/webhooks/stripe", {
      method: "POST",
      body: event.body,
      headers: { "stripe-signature": signature, ...more.headers },
    });
  await post(200);
  await post(400, "t=1,v1=00");
  await post(413, event.signature, test, { headers: { "content-length": "999999999" } });
  await slow(test, "/api/webhooks/stripe", { headers: { "stripe-signature": event.signature } });
  await post(400, "t=1,v1=00", full);
  await post(429, "t=1,v1=00", full);
  await post(503, event.signature, setting.bare);
  await troubled({ ...setting, test }, (status) => post(status));
  await fake.close();
}
