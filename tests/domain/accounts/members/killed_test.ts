import assert from "node:assert/strict";
import { FakeClock, type TestAccount, type TestService } from "../../../service.ts";
import { account, data, testService } from "../../../service.ts";
import { connect } from "../../../routes/oauth/connect.ts";
import { call } from "../../mail/send/drafts/approvals.ts";
import { type Death, Life } from "../../mail/send/drafts/mortal.ts";
import { type Colleague, colleague } from "./colleague.ts";

/** What an admin has made. */
interface Made {
  owner: TestAccount;
  admin: Colleague;
  /** Of a key, of the key that it made, and of an app. */
  tokens: string[];
  keyIds: string[];
  webhookIds: string[];
}

async function scene(test: TestService): Promise<Made> {
  const owner = await account(test), admin = await colleague(test, owner, "admin");
  const make = (token: string, path: string, json: object) =>
    data(test.request(`/v1/api/${path}`, { token, json }));
  const key = await make(admin.accessToken, "keys", { name: "own" });
  const child = await make(key.apiKey, "keys", { name: "child" });
  const app = await connect(test, admin);
  const webhookIds = [];
  for (const token of [key.apiKey, child.apiKey, app.access_token]) {
    const json = { url: "https://hook.example/", events: ["email.received"] };
    webhookIds.push((await make(token, "webhooks", json)).webhook_id);
  }
  const tokens = [key.apiKey, child.apiKey, app.access_token];
  return { owner, admin, tokens, keyIds: [key.keyId, child.keyId], webhookIds };
}

/** The act on an instance that dies at its n-th commit; another one continues. Returns how many commits there were. */
async function survived(
  act: (test: TestService, made: Made) => Promise<number>,
  at: number,
  death: Death,
  check: (test: TestService, made: Made) => Promise<void>,
): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  const life = new Life();
  const test = await testService({ kv: life.store(kv), exclusive: true, instances: 1 });
  const made = await scene(test);
  await test.advance(10_000);
  life.endAt(at, death);
  const all = async () => {
    await act(test, made);
    test.clock.advance(10_000);
    for (let round = 0; round < 3; round++) {
      await test.service.database.settled();
      await test.dispatcher.settled();
      await new Promise((done) => setTimeout(done, 0));
    }
  };
  await Promise.race([all(), life.over]);
  const { calls } = life;
  life.endAt(1, "before");
  void life.change(() => Promise.resolve());
  test.service.waiting.stop();
  test.service.attachmentTexts.close();
  await test.service.passwords.close();
  // The next instance takes its thread.
  await test.service.searchIndex.close();

  await using heir = await testService({
    ...{ kv, exclusive: true, instances: 1, parts: { clock: new FakeClock(test.clock.now()) } },
  });
  await heir.advance(5_000);
  // Whoever got no answer asks again: before, it may have happened or not.
  await act(heir, made);
  await heir.advance(5_000);
  await check(heir, made);
  return calls;
}

/** At every commit, before and after it. */
async function atEach(
  ...[act, check]: [Parameters<typeof survived>[0], Parameters<typeof survived>[3]]
) {
  let at = 1;
  for (let isDead = true; isDead; at++) {
    for (const death of ["before", "after"] as const) {
      const calls = await survived(act, at, death, async (heir, made) => {
        try {
          await check(heir, made);
        } catch (error) {
          throw new Error(`dies ${death} commit ${at}`, { cause: error });
        }
      });
      isDead = calls >= at;
    }
  }
  assert.ok(at > 3, `it died at ${at} commits only`);
}

const status = async (test: TestService, token: string) =>
  (await test.request("/v1/api/mailboxes", { token })).status;
const activeOf = async (test: TestService, { owner, webhookIds }: Made) => {
  const rows = webhookIds.map((id) =>
    data(test.request(`/v1/api/webhooks/${id}`, { token: owner.accessToken }))
  );
  return (await Promise.all(rows)).map(({ active }) => active as boolean);
};

// SPEC: members.killed
Deno.test("killed at any commit of a removal, all that was the person's ends after the restart", async () => {
  const remove = async (test: TestService, { owner, admin }: Made) =>
    (await call(test, owner.accessToken, "DELETE", `/api/members/${admin.memberId}`)).status;
  await atEach(remove, async (test, made) => {
    const { owner, admin, tokens, keyIds } = made;
    for (const token of [admin.accessToken, ...tokens]) {
      assert.equal(await status(test, token), 401);
    }
    assert.deepEqual(await activeOf(test, made), [false, false, false]);
    const left = await Array.fromAsync(test.kv.list({ prefix: [] }));
    const about = left.filter(({ key }) =>
      [admin.memberId, ...keyIds].some((id) => key.includes(id))
    );
    assert.deepEqual(about.map(({ key }) => key), []);
    const json = { email: admin.email, role: "viewer" };
    assert.equal((await call(test, owner.accessToken, "POST", "/api/members", json)).status, 201);
  });
});

// SPEC: members.killed
Deno.test("killed at any commit that lowers a role, the keys beyond it end after the restart", async () => {
  const lower = async (test: TestService, { owner, admin }: Made) =>
    (await call(test, owner.accessToken, "PATCH", `/api/members/${admin.memberId}`, {
      role: "viewer",
    })).status;
  await atEach(lower, async (test, made) => {
    const { admin, tokens: [key, child, app] } = made;
    const statuses = [];
    for (const token of [key, child, app, admin.accessToken]) {
      statuses.push(await status(test, token));
    }
    assert.deepEqual(statuses, [401, 401, 200, 200]);
    assert.deepEqual(await activeOf(test, made), [false, false, true]);
    const written = await call(test, app, "POST", "/v1/api/mailboxes", { generate: true });
    assert.equal(written.status, 403);
  });
});
