import assert from "node:assert/strict";
import {
  account,
  FakeClock,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

const path = "/v1/api/webhooks";
const url = "https://hook.example.com/in?key=1";

interface World {
  test: TestService;
  target: ScriptedTarget;
  key: string;
  userId: string;
  stranger: TestAccount;
}

const steps: [name: string, run: (w: World) => Promise<void>][] = [];

/** One service serves every step; each begins with no webhooks. */
function step(name: string, run: (w: World) => Promise<void>): void {
  steps.push([name, run]);
}

Deno.test("webhook registration", async (t) => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const { key, userId } = await account(test);
  const stranger = await account(test);
  for (const [name, run] of steps) {
    await t.step(name, async () => {
      target.verdict = { ok: true };
      await run({ test, target, key, userId, stranger });
      for (const { webhook_id } of (await call(test, key, "GET", path)).body.data) {
        await call(test, key, "DELETE", `${path}/${webhook_id}`);
      }
    });
  }
});

async function call(test: TestService, token: string, method: string, at: string, json?: unknown) {
  const answer = await test.request(at, { method, token, json });
  return { status: answer.status, body: await answer.json() };
}

step("a webhook can be made inactive", async ({ test, key }) => {
  const json = { url, events: ["email.received"], active: false };
  const created = await call(test, key, "POST", path, json);
  assert.deepEqual([created.status, created.body.data.active], [201, false]);
  const { body } = await call(test, key, "GET", `${path}/${created.body.data.webhook_id}`);
  assert.equal(body.data.active, false);
});

// SPEC: webhooks.create, webhooks.get, webhooks.list, webhook.secret_masked, webhook.secret_once
step(
  "a webhook's secret is shown whole on creation and masked everywhere after",
  async ({ test, key }) => {
    const events = ["email.received", "email.processed"];
    const created = await call(test, key, "POST", path, { url, events });
    assert.equal(created.status, 201);
    const { webhook_id, secret, secret_masked } = created.body.data;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.match(secret_masked, /^whsec_[A-Za-z0-9+/]{4}\*+$/);
    const settings = { active: true, mailbox_ids: null, retry: "standard", format: "json" };
    const shared = { webhook_id, url, events, secret_masked, ...settings };
    const time = "2026-11-20T10:00:00.000Z";
    assert.deepEqual(created.body, {
      success: true,
      data: { ...shared, secret, created_at: time },
    });
    assert.deepEqual(await call(test, key, "GET", `${path}/${webhook_id}`), {
      status: 200,
      body: { success: true, data: { ...shared, created_at: time } },
    });
    assert.deepEqual(await call(test, key, "GET", path), {
      status: 200,
      body: { success: true, data: [{ ...shared, createdAt: time }] },
    });
  },
);

// SPEC: webhooks.patch, webhook.secret_once
step(
  "PATCH changes the given fields, and shows the whole secret only if it changed",
  async ({ test, key }) => {
    const { body } = await call(test, key, "POST", path, {
      url,
      events: ["email.received"],
      secret: "chosen-by-the-user",
    });
    assert.equal(body.data.secret, "chosen-by-the-user");
    assert.equal(body.data.secret_masked, "chos************");
    const { secret: __, ...before } = body.data;
    const one = `${path}/${before.webhook_id}`;
    const patch = async (changes: unknown) =>
      (await call(test, key, "PATCH", one, changes)).body.data;
    assert.deepEqual(await patch({}), before);
    assert.deepEqual(await patch({ active: false }), { ...before, active: false });
    assert.deepEqual(await patch({ secret: "chosen-by-the-user" }), { ...before, active: false });
    const after = { url: "https://other.example.com/", events: ["email.sent", "email.failed"] };
    assert.deepEqual(await patch({ ...after, active: true }), { ...before, ...after });
    assert.deepEqual(await patch({ secret: "another-secret" }), {
      ...before,
      ...after,
      secret_masked: "ano************",
      secret: "another-secret",
    });
  },
);

// SPEC: webhooks.delete
step(
  "DELETE removes a webhook: a second one, and every other route, is 404",
  async ({ test, key }) => {
    const { body } = await call(test, key, "POST", path, { url, events: ["email.received"] });
    const one = `${path}/${body.data.webhook_id}`;
    assert.deepEqual(await call(test, key, "DELETE", one), {
      status: 200,
      body: { success: true, data: { message: "The webhook is deleted." } },
    });
    const routes: [string, string, unknown?][] = [
      ["GET", one],
      ["PATCH", one, { active: true }],
      ["DELETE", one],
      ["GET", `${one}/deliveries`],
      ["POST", `${one}/deliveries/x/replay`],
      ["POST", `${one}/test`],
    ];
    for (const [method, at, json] of routes) {
      assert.deepEqual(await call(test, key, method, at, json), {
        status: 404,
        body: {
          success: false,
          error: { code: "NOT_FOUND", message: "There is no such webhook." },
        },
      }, `${method} ${at}`);
    }
  },
);

// SPEC: access.foreign_404
step(
  "another account's webhook answers like one that does not exist",
  async ({ test, key, stranger }) => {
    const { body } = await call(test, key, "POST", path, { url, events: ["email.received"] });
    const of = (id: string): [string, string, unknown?][] => [
      ["GET", `${path}/${id}`],
      ["PATCH", `${path}/${id}`, { active: false }],
      ["DELETE", `${path}/${id}`],
      ["GET", `${path}/${id}/deliveries`],
      ["POST", `${path}/${id}/test`],
    ];
    const unknown = of(crypto.randomUUID());
    for (const [i, [method, at, json]] of of(body.data.webhook_id).entries()) {
      const [, elsewhere] = unknown[i];
      assert.deepEqual(
        await call(test, stranger.key, method, at, json),
        await call(test, stranger.key, method, elsewhere, json),
      );
    }
    const { data } = (await call(test, key, "GET", `${path}/${body.data.webhook_id}`)).body;
    assert.equal(data.active, true);
    assert.deepEqual((await call(test, stranger.key, "GET", path)).body, {
      success: true,
      data: [],
    });
  },
);

// SPEC: webhooks.create_invalid, webhooks.events_known
step(
  "creation refuses unknown and missing events, URLs that are none, and short secrets",
  async ({ test, key }) => {
    const good = { url, events: ["email.received"] };
    const bad: [unknown, string][] = [
      [{ ...good, events: ["email.opened"] }, "events.0"],
      [{ ...good, events: [] }, "events"],
      [{ url }, "events"],
      [{ ...good, events: "email.received" }, "events"],
      [{ events: good.events }, "url"],
      [{ ...good, url: 7 }, "url"],
      [{ ...good, secret: "short" }, "secret"],
      [{ ...good, secret: "with a space" }, "secret"],
    ];
    for (const [json, field] of bad) {
      const { status, body } = await call(test, key, "POST", path, json);
      assert.equal(status, 400, JSON.stringify(json));
      assert.equal(body.error.code, "VALIDATION_ERROR");
      assert.deepEqual(Object.keys(body.error.details), [field]);
    }
    assert.deepEqual((await call(test, key, "GET", path)).body.data, []);
  },
);

// SPEC: webhooks.targets
step(
  "creation and PATCH refuse a target that may not be reached, and say why",
  async ({ test, target, key }) => {
    const good = { url, events: ["email.received"] };
    const { body } = await call(test, key, "POST", path, good);
    target.verdict = { ok: false, reason: "The URL is not a public address." };
    const refused = {
      status: 400,
      body: {
        success: false,
        error: {
          code: "VALIDATION_ERROR",
          message: "The URL is not a public address.",
          details: { url: "The URL is not a public address." },
        },
      },
    };
    assert.deepEqual(await call(test, key, "POST", path, good), refused);
    const one = `${path}/${body.data.webhook_id}`;
    assert.deepEqual(await call(test, key, "PATCH", one, { url: "https://10.0.0.1/" }), refused);
    assert.equal((await call(test, key, "GET", one)).body.data.url, url);
  },
);

// SPEC: webhooks.targets, webhooks.create_invalid
Deno.test("in production every private address of a URL is refused at creation", async () => {
  await using test = await testService({ env: { WEBHOOK_ALLOW_INSECURE: "0" } });
  const { key } = await account(test);
  const hosts = ["127.0.0.1", "127.1", "0x7f.1", "[::1]", "[::ffff:a9fe:a9fe]", "10.0.0.1"];
  for (const host of [...hosts, "localhost", "x.localhost", "user@8.8.8.8"]) {
    const json = { url: `https://${host}/`, events: ["email.received"] };
    assert.equal((await call(test, key, "POST", path, json)).status, 400, host);
  }
  const json = { url: "http://example.com/", events: ["email.received"] };
  assert.equal((await call(test, key, "POST", path, json)).status, 400);
});

// SPEC: webhooks.free_limit, limit.webhooks, plan.quotas
step(
  "a free account has three webhooks, however many are asked for at once; a deletion frees one",
  async ({ test }) => {
    const { key } = await account(test, "free");
    const create = () => call(test, key, "POST", path, { url, events: ["email.received"] });
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    const made = answers.filter((each) => each.status === 201);
    assert.equal(made.length, 3);
    const refused = {
      status: 403,
      body: {
        success: false,
        error: {
          code: "FORBIDDEN",
          message: "The plan free has room for 3 webhooks.",
          details: { count: 3, limit: 3, plan: "free" },
        },
      },
    };
    for (const each of answers) if (each.status !== 201) assert.deepEqual(each, refused);
    const one = `${path}/${made[0].body.data.webhook_id}`;
    await call(test, key, "PATCH", one, { active: false });
    assert.deepEqual(await create(), refused);
    await call(test, key, "DELETE", one);
    assert.equal((await create()).status, 201);
    assert.deepEqual(await create(), refused);
  },
);

step("webhooks require the scope webhooks:write, even for reading", async ({ test, key }) => {
  const { body } = await call(test, key, "POST", "/v1/api/keys", {
    name: "reader",
    scopes: ["emails:read"],
  });
  const refused = await call(test, body.data.apiKey, "GET", path);
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body.error.details, { required_scope: "webhooks:write" });
});

step(
  "the count of subscribers agrees with the webhooks after any creations, changes and deletions",
  async ({ test, key, userId }) => {
    let seed = 11;
    const random = (n: number) => (seed = seed * 48_271 % 2_147_483_647) % n;
    const names = ["email.received", "email.processed", "email.sent", "email.failed"];
    const some = () => names.filter((_, i) => i === random(4) || random(2) === 0);
    const ids: string[] = [];
    await Promise.all(Array.from({ length: 60 }, async () => {
      const events = some();
      const one = ids.length > 0 ? `${path}/${ids[random(ids.length)]}` : null;
      const what = random(4);
      if (one === null || what === 0) {
        const made = await call(test, key, "POST", path, { url, events });
        if (made.status === 201) ids.push(made.body.data.webhook_id);
      } else if (what === 1) await call(test, key, "DELETE", one);
      else await call(test, key, "PATCH", one, { active: random(2) === 0, events });
    }));
    const webhooks = (await call(test, key, "GET", path)).body.data;
    const wanting: Record<string, number> = {};
    for (const { events, active } of webhooks) {
      for (const name of active ? events : []) wanting[name] = (wanting[name] ?? 0) + 1;
    }
    assert.deepEqual(
      (await test.kv.get(["webhook_subscribers", userId])).value,
      { webhooks: webhooks.length, wanting },
    );
    assert.ok(webhooks.length > 0);
  },
);
