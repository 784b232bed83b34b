import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";
import { eventually } from "../../eventually.ts";

const path = "/v1/api/webhooks";
const url = "https://hook.example.com/in";

/** The start of each step: a new mailbox, no webhooks, a receiver that answers 200. */
interface World {
  test: TestService;
  target: ScriptedTarget;
  owner: TestAccount;
  stranger: TestAccount;
  box: { mailbox_id: string; email_address: string };
}

const steps: [name: string, run: (w: World) => Promise<void>][] = [];

/** One service serves every step: making one, and an account, takes longer than most of them. */
function step(name: string, run: (w: World) => Promise<void>): void {
  steps.push([name, run]);
}

Deno.test("webhook deliveries", async (t) => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  const stranger = await account(test);
  for (const [name, run] of steps) {
    await t.step(name, async () => {
      target.posts.length = 0;
      target.reply = () => 200;
      try {
        await run({ test, target, owner, stranger, box: await mailbox(test, owner) });
      } finally {
        for (const { key } of [owner, stranger]) await deleteWebhooks(test, key);
      }
    });
  }
});

async function deleteWebhooks(test: TestService, token: string): Promise<void> {
  for (const { webhook_id } of await data(test.request(path, { token }))) {
    await test.request(`${path}/${webhook_id}`, { method: "DELETE", token });
  }
  await test.settle();
  await test.advance(2_000);
}

function iso(w: World, msAgo = 0): string {
  return new Date(w.test.clock.now() - msAgo).toISOString();
}

interface Made {
  webhook_id: string;
  secret: string;
}

interface Row {
  event: string;
  event_id: string;
  status: string;
}

async function webhook(
  { test, owner }: World,
  events = ["email.received"],
  to = url,
  token = owner.key,
): Promise<Made> {
  return await data(test.request(path, { token, json: { url: to, events } }));
}

async function receive({ test, box }: World, fields: Record<string, string> = {}): Promise<string> {
  const { email_id } = await deliver(test, box.email_address, message(fields));
  await test.settle();
  return email_id;
}

async function log({ test, owner }: World, { webhook_id }: Made, query = "") {
  const answer = await test.request(`${path}/${webhook_id}/deliveries${query}`, {
    token: owner.key,
  });
  return await answer.json();
}

function post({ test, owner }: World, at: string) {
  return data(test.request(`${path}/${at}`, { method: "POST", token: owner.key }));
}

// SPEC: event.received, event.signature, webhooks.standard_headers
step(
  "email.received is posted once with the specified payload, both signatures and the attempt's number",
  async (w) => {
    const { secret } = await webhook(w);
    const emailId = await receive(w, {
      "Message-ID": "<q1@example.net>",
      Date: "Fri, 20 Nov 2026 09:00:00 +0000",
    });
    const [{ headers, body, url: to, timeoutMs }, ...rest] = w.target.posts;
    assert.deepEqual(rest, []);
    assert.deepEqual([to, timeoutMs], [url, 10_000]);
    const payload = JSON.parse(body);
    assert.deepEqual(payload, {
      event: "email.received",
      timestamp: iso(w),
      data: {
        email_id: emailId,
        message_id: "<q1@example.net>",
        subject: "Hello",
        from: "ada@example.net",
        to: ["agent@agents.test"],
        date: "2026-11-20T09:00:00.000Z",
        mailbox_id: w.box.mailbox_id,
        domain: "agents.test",
        has_attachments: false,
        thread_id: payload.data.thread_id,
        ...{ from_name: "Ada", automated: false, snippet: "Hello." },
        envelope_to: [w.box.email_address],
      },
    });
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    assert.equal(headers["x-service-signature"], `sha256=${hex}`);
    assert.equal(headers["x-service-attempt"], "1");
    assert.equal(headers["content-type"], "application/json");
    assert.match(headers["webhook-id"], /^evt_/);
    // The library requires a current timestamp, but the service's clock is in 2026.
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const standard = new StandardWebhook(secret).sign(headers["webhook-id"], at, body);
    assert.equal(headers["webhook-signature"], standard);
  },
);

step(
  "when the event arrives the email can be read completely, and has_attachments is correct",
  async (w) => {
    await webhook(w);
    const seen: unknown[] = [];
    w.target.reply = async (post) => {
      const { email_id, has_attachments } = JSON.parse(post.body).data;
      const at = `/v1/api/emails/${email_id}`;
      const email = await data(w.test.request(at, { token: w.owner.key }));
      seen.push([has_attachments, email.attachment_ids.length, email.body_text.trim()]);
      return 200;
    };
    const raw = message(
      { "Content-Type": 'multipart/mixed; boundary="b"' },
      [
        "--b",
        "Content-Type: text/plain",
        "",
        "See the figures.",
        "--b",
        'Content-Type: text/csv; name="q.csv"',
        'Content-Disposition: attachment; filename="q.csv"',
        "",
        "1,2",
        "--b--",
        "",
      ].join("\n"),
    );
    await deliver(w.test, w.box.email_address, raw);
    await w.test.settle();
    assert.deepEqual(seen, [[true, 1, "See the figures."]]);
  },
);

// SPEC: event.retries, webhooks.log
step(
  "a receiver that fails twice has its attempts 500 and 1000 ms after the failure before, byte-equal, with one id",
  async (w) => {
    const made = await webhook(w);
    // The first answer takes 300 ms, so the second attempt starts 800 ms after the first.
    w.target.reply = (_, nth) => {
      if (nth === 1) w.test.clock.advance(300);
      return nth < 3 ? 500 : 204;
    };
    const email_id = await receive(w);
    assert.equal(w.target.posts.length, 1);
    await w.test.advance(499);
    assert.equal(w.target.posts.length, 1);
    await w.test.advance(1);
    assert.equal(w.target.posts.length, 2);
    await w.test.advance(999);
    assert.equal(w.target.posts.length, 2);
    await w.test.advance(1);
    await w.test.advance(60_000);
    const [first, second, third, ...rest] = w.target.posts;
    assert.deepEqual(rest, []);
    assert.deepEqual([second.at - first.at, third.at - second.at], [800, 1000]);
    for (const each of [second, third]) {
      assert.equal(each.body, first.body);
      assert.equal(each.headers["webhook-id"], first.headers["webhook-id"]);
      assert.equal(each.headers["x-service-signature"], first.headers["x-service-signature"]);
    }
    assert.deepEqual(
      w.target.posts.map((each) => each.headers["x-service-attempt"]),
      ["1", "2", "3"],
    );
    const error = "The receiver answered 500.";
    assert.deepEqual(await log(w, made), {
      success: true,
      data: [{
        delivery_id: (await log(w, made)).data[0].delivery_id,
        event: "email.received",
        event_id: first.headers["webhook-id"],
        email_id,
        created_at: iso(w, 61_800),
        url,
        status: "delivered",
        attempts: [
          { at: iso(w, 61_800), http_status: 500, error, duration_ms: 300 },
          { at: iso(w, 61_000), http_status: 500, error, duration_ms: 0 },
          { at: iso(w, 60_000), http_status: 204, error: null, duration_ms: 0 },
        ],
      }],
      meta: { limit: 20, has_more: false, next_cursor: null },
    });
  },
);

// SPEC: state.webhook_survives, webhooks.replay, webhooks.log
step(
  "a receiver that always fails leaves a failed row and an active webhook; replay delivers with the same id",
  async (w) => {
    const made = await webhook(w);
    const replies = [503, "connection", 301] as const;
    w.target.reply = (_, nth) => replies[nth - 1] ?? 200;
    await receive(w);
    await w.test.advance(500);
    await w.test.advance(1000);
    await w.test.advance(3_600_000);
    const [failed] = (await log(w, made)).data;
    assert.equal(failed.status, "failed");
    assert.deepEqual(
      failed.attempts.map((each: { http_status: unknown; error: unknown }) => [
        each.http_status,
        each.error,
      ]),
      [
        [503, "The receiver answered 503."],
        [null, "It was connection."],
        [301, "The receiver answered 301; redirects are not followed."],
      ],
    );
    const one = await data(w.test.request(`${path}/${made.webhook_id}`, { token: w.owner.key }));
    assert.equal(one.active, true);
    const replayed = await post(w, `${made.webhook_id}/deliveries/${failed.delivery_id}/replay`);
    assert.deepEqual(replayed, { ...failed, status: "pending" });
    await w.test.settle();
    const posts = w.target.posts;
    assert.equal(posts.length, 4);
    assert.equal(posts[3].body, posts[0].body);
    assert.equal(posts[3].headers["webhook-id"], posts[0].headers["webhook-id"]);
    assert.equal(posts[3].headers["x-service-attempt"], "4");
    const [row, ...others] = (await log(w, made)).data;
    assert.deepEqual(others, []);
    assert.deepEqual([row.delivery_id, row.status, row.attempts.length], [
      failed.delivery_id,
      "delivered",
      4,
    ]);
  },
);

step("a replay that fails has three attempts again; two replays at once are one", async (w) => {
  const made = await webhook(w);
  await receive(w);
  const [row] = (await log(w, made)).data;
  w.target.reply = () => 500;
  const replay = `${made.webhook_id}/deliveries/${row.delivery_id}/replay`;
  await Promise.all([post(w, replay), post(w, replay)]);
  await w.test.settle();
  assert.equal(w.target.posts.length, 2);
  await w.test.advance(500);
  await w.test.advance(1000);
  await w.test.advance(60_000);
  assert.equal(w.target.posts.length, 4);
  const [after] = (await log(w, made)).data;
  assert.deepEqual([after.status, after.attempts.length], ["failed", 4]);
});

// SPEC: event.retries_2xx
step("every 2xx is a success, and nothing else", async (w) => {
  const made = await webhook(w);
  const statuses = [200, 201, 202, 204, 299, 199, 300, 304, 400, 404, 410, 429, 500];
  for (const status of statuses) {
    w.target.reply = () => status;
    await receive(w, { Subject: `status ${status}` });
    const [row] = (await log(w, made)).data;
    const expected = status >= 200 && status < 300 ? "delivered" : "pending";
    assert.equal(row.status, expected, String(status));
  }
});

// SPEC: event.key_created
step(
  "every webhook that wants the event gets it, those that do not want it or are not active get nothing",
  async (w) => {
    await webhook(w, ["email.received"], "https://a.example.com/");
    await webhook(w, ["email.received", "email.sent"], "https://b.example.com/");
    await webhook(w, ["email.sent", "api_key.created"], "https://c.example.com/");
    const off = await webhook(w, ["email.received"], "https://d.example.com/");
    await w.test.request(`${path}/${off.webhook_id}`, {
      method: "PATCH",
      token: w.owner.key,
      json: { active: false },
    });
    await webhook(w, ["email.received"], "https://e.example.com/", w.stranger.key);
    await receive(w);
    assert.deepEqual(w.target.posts.map((each) => each.url).sort(), [
      "https://a.example.com/",
      "https://b.example.com/",
    ]);
    assert.equal(new Set(w.target.posts.map((each) => each.headers["webhook-id"])).size, 1);
    const signatures = w.target.posts.map((each) => each.headers["x-service-signature"]);
    assert.notEqual(signatures[0], signatures[1]);
  },
);

step("each of an account's many webhooks gets an event once", async (w) => {
  for (let i = 0; i < 60; i++) await webhook(w, ["email.received"], `https://h${i}.example.com/`);
  await receive(w);
  assert.equal(w.target.posts.length, 60);
  assert.equal(new Set(w.target.posts.map((each) => each.url)).size, 60);
});

step("fifty receivers that hang delay no delivery to another one", async (w) => {
  const hung = Promise.withResolvers<number>();
  w.target.reply = (post) => post.url.startsWith("https://hanging") ? hung.promise : 200;
  for (let i = 0; i < 50; i++) {
    await webhook(w, ["email.received"], `https://hanging${i}.example.com/`);
  }
  await webhook(w, ["email.received"], "https://good.example.com/");
  const good = () => w.target.posts.filter((each) => each.url.startsWith("https://good")).length;
  for (let i = 1; i <= 20; i++) {
    await deliver(w.test, w.box.email_address, message({ Subject: `${i}` }));
    await eventually(`delivery ${i}`, () => good() >= i, w.test.log);
  }
  // Not one of the fifty has answered, and no time has passed. Each instance tries each of them once.
  const posted = w.target.posts.length;
  hung.resolve(204);
  assert.equal(posted, 50 * w.test.instances + 20);
  await w.test.settle();
  assert.equal(w.target.posts.length, 51 * 20);
});

// SPEC: event.processed, webhooks.order
step(
  "email.processed has the outcome and its time, and comes after the first attempt of email.received",
  async (w) => {
    await webhook(w, ["email.received", "email.processed"]);
    const answered = Promise.withResolvers<number>();
    w.target.reply = (post) =>
      JSON.parse(post.body).event === "email.received" ? answered.promise : 200;
    const { email_id } = await deliver(w.test, w.box.email_address, message());
    const isProcessed = async () => {
      const at = "/v1/api/emails?limit=1";
      return (await data(w.test.request(at, { token: w.owner.key })))[0].processed;
    };
    await eventually("the email is processed", isProcessed, w.test.log);
    await eventually("the first event is sent", () => w.target.events.length > 0, w.test.log);
    // The second event, if it did not wait, would be sent by now.
    await new Promise((done) => setTimeout(done, 20));
    assert.deepEqual(w.target.events, ["email.received"]);
    answered.resolve(500);
    await w.test.settle();
    assert.deepEqual(w.target.events, ["email.received", "email.processed"]);
    const { from_name: _name, snippet: _snippet, ...both } =
      JSON.parse(w.target.posts[0].body).data;
    assert.deepEqual(JSON.parse(w.target.posts[1].body), {
      event: "email.processed",
      timestamp: iso(w),
      data: {
        ...both,
        email_id,
        status: "indexed",
        indexed_at: iso(w),
        automated: false,
        auth_verdict: "none",
      },
    });
    await w.test.advance(500);
    assert.deepEqual(w.target.events.slice(2), ["email.received"]);
  },
);

step("email.processed goes to a webhook that does not want email.received", async (w) => {
  await webhook(w, ["email.processed"]);
  await receive(w);
  assert.deepEqual(w.target.events, ["email.processed"]);
});

step(
  "email.processed does not wait forever if the webhook was made inactive meanwhile",
  async (w) => {
    const made = await webhook(w, ["email.received", "email.processed"]);
    const answered = Promise.withResolvers<number>();
    w.target.reply = () => answered.promise;
    await deliver(w.test, w.box.email_address, message());
    const rows = async () =>
      (await log(w, made)).data.map((each: Row) => [each.event, each.status]);
    await eventually(
      "the first event is sent and the second waits",
      async () => w.target.events.length > 0 && (await rows()).length === 2,
      w.test.log,
    );
    await w.test.request(`${path}/${made.webhook_id}`, {
      method: "PATCH",
      token: w.owner.key,
      json: { active: false },
    });
    answered.resolve(200);
    await w.test.settle();
    assert.deepEqual(w.target.events, ["email.received"]);
    assert.deepEqual(await rows(), [["email.processed", "failed"], [
      "email.received",
      "delivered",
    ]]);
  },
);

// SPEC: inbound.duplicates
step("twenty identical posts at once cause one email.received", async (w) => {
  await webhook(w);
  const raw = message();
  await Promise.all(
    Array.from({ length: 20 }, () => deliver(w.test, w.box.email_address, raw)),
  );
  await w.test.settle();
  assert.equal(w.target.posts.length, 1);
});

step("switching a webhook off stops its later attempts", async (w) => {
  const made = await webhook(w);
  w.target.reply = () => 500;
  await receive(w);
  await w.test.request(`${path}/${made.webhook_id}`, {
    method: "PATCH",
    token: w.owner.key,
    json: { active: false },
  });
  await w.test.advance(60_000);
  assert.equal(w.target.posts.length, 1);
  assert.equal((await log(w, made)).data[0].status, "failed");
});

step("deleting a webhook stops its deliveries and leaves no row of it", async (w) => {
  const made = await webhook(w, ["email.received", "email.processed"]);
  w.target.reply = () => 500;
  for (let i = 0; i < 3; i++) await receive(w, { Subject: `${i}` });
  const before = w.target.posts.length;
  await w.test.request(`${path}/${made.webhook_id}`, { method: "DELETE", token: w.owner.key });
  await w.test.settle();
  await w.test.advance(60_000);
  assert.equal(w.target.posts.length, before);
  const left = [];
  for (const table of ["webhooks", "deliveries", "deliveries_once", "jobs_due", "jobs_dead"]) {
    for await (const { key } of w.test.kv.list({ prefix: [table] })) left.push(key);
  }
  assert.deepEqual(left, []);
});

step("a new secret signs from the next attempt on", async (w) => {
  const made = await webhook(w);
  w.target.reply = (_, nth) => nth === 1 ? 500 : 200;
  await receive(w);
  await w.test.request(`${path}/${made.webhook_id}`, {
    method: "PATCH",
    token: w.owner.key,
    json: { secret: "another-secret" },
  });
  await w.test.advance(500);
  const signatures = w.target.posts.map((each) => each.headers["x-service-signature"]);
  const expected = [made.secret, "another-secret"].map((secret) =>
    `sha256=${createHmac("sha256", secret).update(w.target.posts[0].body).digest("hex")}`
  );
  assert.deepEqual(signatures, expected);
});

// SPEC: webhooks.test
step("a test event is signed, logged and sent, even if the webhook is not active", async (w) => {
  const made = await webhook(w, ["email.failed", "email.received"]);
  await w.test.request(`${path}/${made.webhook_id}`, {
    method: "PATCH",
    token: w.owner.key,
    json: { active: false },
  });
  const pending = await post(w, `${made.webhook_id}/test`);
  assert.equal(pending.status, "pending");
  assert.match(pending.event_id, /^test_/);
  await w.test.settle();
  await post(w, `${made.webhook_id}/test?event=api_key.created`);
  await w.test.settle();
  assert.deepEqual(w.target.events, ["email.failed", "api_key.created"]);
  const [sent] = w.target.posts;
  assert.equal(sent.headers["webhook-id"], pending.event_id);
  assert.deepEqual(
    (await log(w, made)).data.map((each: Row) => [
      each.event,
      each.status,
    ]),
    [["api_key.created", "delivered"], ["email.failed", "delivered"]],
  );
});

// SPEC: webhooks.log
step("the delivery log is newest first, page by page, and forgets after thirty days", async (w) => {
  const made = await webhook(w);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    await receive(w, { Subject: `${i}` });
    ids.unshift(w.target.posts[i].headers["webhook-id"]);
    await w.test.advance(1000);
  }
  const seen: string[] = [];
  let query = "?limit=2", pages = 0;
  for (; query; pages++) {
    const { data: rows, meta } = await log(w, made, query);
    seen.push(...rows.map((each: Row) => each.event_id));
    assert.deepEqual([meta.limit, meta.has_more], [2, meta.next_cursor !== null]);
    query = meta.has_more ? `?limit=2&cursor=${meta.next_cursor}` : "";
  }
  assert.deepEqual([seen, pages], [ids, 3]);
  for (const bad of ["?limit=0", "?limit=101", "?cursor=nonsense"]) {
    const answer = await log(w, made, bad);
    assert.equal(answer.error.code, "VALIDATION_ERROR", bad);
  }
  const [{ delivery_id }] = (await log(w, made)).data;
  await w.test.advance(30 * 86_400_000);
  assert.deepEqual((await log(w, made)).data, []);
  const replay = await w.test.request(
    `${path}/${made.webhook_id}/deliveries/${delivery_id}/replay`,
    { method: "POST", token: w.owner.key },
  );
  assert.equal(replay.status, 404);
});

step(
  "a key limited to a mailbox makes webhooks that only get its events, and sees no others",
  async (w) => {
    const other = await mailbox(w.test, w.owner);
    const whole = await webhook(w, ["email.received"], "https://whole.example.com/");
    const { apiKey } = await data(w.test.request("/v1/api/keys", {
      token: w.owner.key,
      json: { name: "limited", mailboxIds: [w.box.mailbox_id] },
    }));
    const limited = await webhook(w, ["email.received"], "https://limited.example.com/", apiKey);
    const listed = await data(w.test.request(path, { token: apiKey }));
    assert.deepEqual(listed.map((each: Made) => each.webhook_id), [limited.webhook_id]);
    const foreign = await w.test.request(`${path}/${whole.webhook_id}`, { token: apiKey });
    assert.equal(foreign.status, 404);
    await deliver(w.test, other.email_address, message());
    await w.test.settle();
    assert.deepEqual(w.target.posts.map((each) => each.url), ["https://whole.example.com/"]);
    await receive(w);
    assert.equal(w.target.posts.length, 3);
  },
);

step("secrets and bodies are in no log line", async (w) => {
  const { secret } = await webhook(w);
  await receive(w, { Subject: "a very private subject" });
  const text = JSON.stringify(w.test.log);
  assert.ok(text.includes("webhook.attempted"));
  assert.ok(!text.includes(secret) && !text.includes("very private"));
});
