import assert from "node:assert/strict";
import { stripePayments } from "../../../adapters/payments/stripe.ts";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import { DatabaseSync } from "node:sqlite";
import {
  type FakeStripe,
  startFakeStripe,
  stripeSubscription,
} from "../../adapters/payments/fake_stripe.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { Dispatcher } from "../../../workers/dispatch.ts";
import { workers } from "../../../workers/workers.ts";
import { bounded } from "../../eventually.ts";
import { account, data, deliver, mailbox, message, testService } from "../../service.ts";
import type { TestAccount, TestService } from "../../service.ts";
import { addDomain, verifyDomain } from "../custom_domains/domains.ts";
import { mortalKv } from "../mailboxes/mortal_kv.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";
import { FakeClock } from "../../service.ts";
import { everythingParts, oneOfEverything } from "../store/one_of_everything.ts";

async function end(
  test: TestService,
  owner: TestAccount,
  json: object = { confirm_email: owner.email.toUpperCase(), password: owner.password },
  token = owner.accessToken,
) {
  const answer = await test.request("/api/account", { method: "DELETE", token, json });
  return { status: answer.status, body: await answer.json() };
}

async function rows(kv: Deno.Kv): Promise<{ key: Deno.KvKey; text: string }[]> {
  const found = [];
  for await (const { key, value } of kv.list({ prefix: [] }, { batchSize: 200 })) {
    // The database removes these rows of a shared store after a minute.
    if (key[0] === "journal_news") continue;
    const text = value instanceof Uint8Array
      ? new TextDecoder().decode(value)
      : JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}` : part);
    found.push({ key, text: `${key.map(String).join(" ")} ${text}` });
  }
  return found;
}

async function mentions(kv: Deno.Kv, markers: readonly string[]): Promise<string[]> {
  return (await rows(kv)).filter(({ text }) => markers.some((each) => text.includes(each)))
    .map(({ key }) => key.map(String).join(" "));
}

async function status(test: TestService, path: string, token: string): Promise<number> {
  const answer = await test.request(path, { token });
  await answer.body?.cancel();
  return answer.status;
}

// SPEC: account.end
Deno.test("from the commit that ends an account its credentials, webhooks, mail and domains are dead", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const dns = new FakeDns();
  // One process, whose jobs do not run between the end and the purge.
  await using test = await testService({
    instances: 1,
    parts: { clock, dns, webhookTarget: target },
  });
  const owner = await account(test);
  const friend = await account(test);
  const box = await mailbox(test, owner, "ended-one");
  const friendly = await mailbox(test, friend, "friend-one");
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token], mx: ["mx.agents.test"] });
  assert.equal((await verifyDomain(test, owner, domain)).status, 200);
  await data(test.request("/v1/api/webhooks", {
    token: owner.accessToken,
    json: { url: "https://hook.example/", events: ["email.received"] },
  }));
  const { key: made } = await (async () => {
    const answer = await test.request("/v1/api/keys", { token: owner.key, json: { name: "x" } });
    return { key: (await answer.json()).data.apiKey as string };
  })();
  await test.settle();
  await test.dispatcher.stop();
  await deliver(test, box.email_address, message());
  await data(test.request("/v1/api/emails/send", {
    token: owner.key,
    json: {
      mailbox_id: box.mailbox_id,
      to: friendly.email_address,
      subject: "Late",
      body_text: "x",
    },
  }));
  const wrong: [number, object][] = [
    [400, {}],
    [400, { confirm_email: owner.email }],
    [400, { confirm_email: "other@example.org", password: owner.password }],
    [400, { confirm_email: owner.email, password: owner.password, sure: true }],
    [401, { confirm_email: owner.email, password: "wrong password" }],
  ];
  for (const [expected, json] of wrong) {
    assert.equal((await end(test, owner, json)).status, expected, JSON.stringify(json));
  }
  assert.equal((await end(test, owner, undefined, owner.key)).status, 401);
  assert.deepEqual(await end(test, owner), {
    status: 200,
    body: { success: true, data: { deleted: true } },
  });

  const { refreshToken } = owner;
  const refreshed = await test.request("/api/auth/refresh", { json: { refreshToken } });
  assert.equal(refreshed.status, 401);
  await refreshed.body?.cancel();
  for (const token of [owner.key, made, owner.accessToken]) {
    assert.equal(await status(test, "/v1/api/mailboxes", token), 401);
  }
  const byCookie = await test.request("/api/mailboxes", { headers: { cookie: owner.cookie } });
  assert.equal(byCookie.status, 401);
  await byCookie.body?.cancel();
  const login = { email: owner.email, password: owner.password };
  assert.equal((await test.request("/api/auth/login", { json: login })).status, 401);
  const refused = await deliver(test, box.email_address, message({ Subject: "After" }));
  assert.deepEqual([refused.disposition, refused.code], ["rejected", "UNKNOWN_RECIPIENT"]);
  // The same bytes as before are no duplicate now.
  assert.equal((await deliver(test, box.email_address, message())).code, "UNKNOWN_RECIPIENT");
  const other = await addDomain(test, friend, "own.example");
  dns.publish("own.example", {
    txt: [domain.verification_token, other.verification_token],
    mx: ["mx.agents.test"],
  });
  assert.equal((await verifyDomain(test, friend, other)).status, 200);

  // The same address registers again, and gets nothing of the old account.
  const again = await test.request("/api/auth/register", { json: { ...login, name: "Again" } });
  assert.equal(again.status, 201);
  await again.body?.cancel();
  const json = { local_part: "ended-one", domain: "agents.test" };
  const taken = async () => {
    const { accessToken } = await data(test.request("/api/auth/login", { json: login }));
    const answer = await test.request("/api/mailboxes", { token: accessToken, json });
    return [answer.status, (await answer.json()).error?.code];
  };
  assert.deepEqual(await taken(), [409, "EMAIL_TAKEN"]);

  const dispatcher = new Dispatcher(test.service, workers);
  await dispatcher.start();
  const later = async (ms: number) => {
    clock.advance(ms);
    await bounded("the jobs end", dispatcher.settled(), test.log);
  };
  await later(0);
  await later(100_000);
  assert.deepEqual(target.posts, []);
  const got = await data(test.request("/v1/api/emails", { token: friend.key }));
  assert.deepEqual(got, []);
  assert.deepEqual(await mentions(test.kv, [owner.userId]), [
    "mailboxes_by_address ended-one@agents.test",
  ]);
  assert.deepEqual(await taken(), [409, "EMAIL_TAKEN"]);
  await later(30 * 86_400_000);
  assert.deepEqual(await taken(), [201, undefined]);
  await dispatcher.stop();
});

// SPEC: account.purge
Deno.test("of an account with one of everything only the held addresses are left; other accounts are unchanged", async () => {
  const parts = everythingParts();
  await using test = await testService(parts.options);
  const friend = await account(test);
  const kept = await mailbox(test, friend, "kept-box");
  await deliver(test, kept.email_address, message({ Subject: "Kept" }));
  await test.settle();
  await test.advance(5_000);
  const before = (await rows(test.kv)).filter(({ text }) => text.includes(friend.userId));
  const names = new Map<string, string>();
  const owner = await oneOfEverything(test, parts, names);
  await data(test.request("/v1/api/emails?limit=1", { token: owner.key }));
  await test.advance(2_000);
  const ids = [...names].filter(([, name]) => !["user", "email", "key"].includes(name))
    .map(([id]) => id);
  const markers = [owner.userId, owner.email, owner.keyId, ...ids, "Engine", "Boiler", "cs_1"];
  assert.ok((await mentions(test.kv, markers)).length > 100);
  assert.equal((await end(test, owner)).status, 200);
  await test.advance(100_000);
  const left = await mentions(test.kv, markers);
  const held = ["agent-off@agents.test", "agent-one@agents.test", "agent-two@own.example"];
  assert.deepEqual(
    left,
    held.map((address) => `mailboxes_by_address ${address}`),
  );
  const after = new Set((await rows(test.kv)).map(({ key }) => key.join(" ")));
  for (const { key } of before) {
    // Requests of tests are not counted for long.
    if (key[0] !== "rate_windows" && key[0] !== "expiring") assert.ok(after.has(key.join(" ")));
  }
  const emails = await data(test.request("/v1/api/emails", { token: friend.key }));
  assert.deepEqual(emails.map(({ subject }: { subject: string }) => subject), ["Kept"]);
});

Deno.test("a purge that is killed after any commit continues at the next start", async () => {
  const kv = await Deno.openKv(":memory:");
  const clock = new FakeClock();
  let owner: TestAccount;
  {
    await using test = await testService({ kv, parts: { clock } });
    owner = await account(test);
    for (let n = 0; n < 2; n++) {
      const box = await mailbox(test, owner, `killed-${n}`);
      for (let mail = 0; mail < 30; mail++) {
        await deliver(test, box.email_address, message({ Subject: `M ${mail}` }));
      }
    }
    const large = message({ Subject: "Large" }, "random line\n".repeat(20_000));
    await deliver(test, "killed-0@agents.test", large);
    await test.settle();
    await test.dispatcher.stop();
    assert.equal((await end(test, owner)).status, 200);
  }
  let kills = 0;
  for (let commits = 1; commits < 40; commits += 3) {
    const mortal = mortalKv(kv, commits);
    await using test = await testService({ kv: mortal.kv, parts: { clock } });
    await mortal.settleOrDie(test.advance(50));
    if (mortal.isDead()) kills++;
    await test.dispatcher.stop();
  }
  assert.ok(kills > 2, String(kills));
  {
    await using test = await testService({ kv, parts: { clock } });
    await test.advance(100_000);
  }
  const left = await mentions(kv, [owner.userId]);
  assert.deepEqual(
    left,
    ["mailboxes_by_address killed-0@agents.test", "mailboxes_by_address killed-1@agents.test"],
  );
  const chunks = await Array.fromAsync(kv.list({ prefix: ["blob_chunks"] }));
  assert.deepEqual(chunks.map(({ key }) => key), []);
  kv.close();
});

Deno.test("the files of database and index have no text of an account that has ended", async () => {
  const folder = await Deno.makeTempDir();
  const marker = "quixotrymark";
  const files = [`${folder}/kv.sqlite`, `${folder}/index.sqlite`];
  /** The files that contain the text, without the free pages of SQLite. */
  const found = async () => {
    const hits = [];
    for (const file of files) {
      const copy = `${file}.copy`;
      const db = new DatabaseSync(file);
      db.exec(`vacuum into '${copy}'`);
      db.close();
      const bytes = new TextDecoder("latin1").decode(await Deno.readFile(copy));
      await Deno.remove(copy);
      if (bytes.toLowerCase().includes(marker)) hits.push(file);
    }
    return hits;
  };
  try {
    for (const round of ["filled", "ended"]) {
      const kv = await Deno.openKv(files[0]);
      const searchIndex = openEmbeddedIndex({ path: files[1] });
      {
        await using test = await testService({ kv, instances: 1, parts: { searchIndex } });
        if (round === "filled") {
          const owner = await account(test);
          const box = await mailbox(test, owner, "files-box");
          for (let n = 0; n < 5; n++) {
            await deliver(
              test,
              box.email_address,
              message({ Subject: `${marker} ${n}`, From: `${marker}@example.net` }, marker),
            );
          }
          await data(test.request("/v1/api/emails/send", {
            token: owner.key,
            json: {
              mailbox_id: box.mailbox_id,
              to: `${marker}@example.net`,
              subject: marker,
              body_text: marker,
            },
          }));
          const { mailbox_id } = box;
          const draft = {
            mailbox_id,
            to: `${marker}@example.net`,
            subject: marker,
            body_text: marker,
          };
          await data(test.request("/v1/api/drafts", { token: owner.key, json: draft }));
          await data(test.request(`/v1/api/mailboxes/${mailbox_id}/policy`, {
            method: "PUT",
            token: owner.accessToken,
            json: { block_senders: [`@${marker}.example`] },
          }));
          await test.settle();
          await test.dispatcher.stop();
          assert.equal((await end(test, owner)).status, 200);
        } else await test.advance(100_000);
      }
      kv.close();
      assert.deepEqual(await found(), round === "filled" ? files : [], round);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the second pass of a purge removes what a request wrote after the first one", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  assert.equal((await end(test, owner)).status, 200);
  await test.settle();
  await test.kv.set(["drafts", owner.userId, "late"], {});
  await test.advance(89_000);
  assert.equal(
    (await mentions(test.kv, [owner.userId])).includes(`drafts ${owner.userId} late`),
    true,
  );
  await test.advance(2_000);
  assert.deepEqual(await mentions(test.kv, [owner.userId]), []);
});

Deno.test("a purge leaves a domain that another account has proved meanwhile", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { domain_id } = await addDomain(test, owner, "acme.example");
  const key = ["custom_domains_verified", "acme.example"];
  const claim = { userId: "another", domainId: domain_id };
  await test.kv.set(key, claim);
  assert.equal((await end(test, owner)).status, 200);
  await test.advance(100_000);
  assert.deepEqual((await test.kv.get(key)).value, claim);
});

/** A service with a fake Stripe, and a function that posts an event of it. */
async function withStripe(
  body: (test: TestService, stripe: FakeStripe, post: PostEvent) => Promise<void>,
): Promise<void> {
  const stripe = startFakeStripe();
  try {
    await using test = await testService({
      parts: {
        payments: stripePayments({
          secretKey: "sk_test_end",
          webhookSecret: stripe.webhookSecret,
          prices: { pro: "price_pro" },
          apiBase: stripe.apiBase,
        }),
      },
      env: { STRIPE_SECRET_KEY: "sk_test_end", STRIPE_WEBHOOK_SECRET: stripe.webhookSecret },
    });
    await body(test, stripe, async (type, object, id) => {
      const signedAt = Math.floor(test.clock.now() / 1_000);
      const event = await stripe.event(type, object, { id, signedAt });
      const posted = await test.request("/api/webhooks/stripe", {
        method: "POST",
        body: event.body,
        headers: { "stripe-signature": event.signature },
      });
      await posted.body?.cancel();
      return posted.status;
    });
  } finally {
    await stripe.close();
  }
}
type PostEvent = (type: string, object: object, id?: string) => Promise<number>;

// SPEC: account.end_billing
Deno.test("a running subscription is ended at Stripe first; if Stripe does not answer, nothing is changed", () =>
  withStripe(async (test, stripe, post) => {
    const owner = await account(test);
    const subscription = stripeSubscription({ metadata: { userId: owner.userId } });
    assert.equal(await post("customer.subscription.created", subscription), 200);
    stripe.failWith = 500;
    assert.equal((await end(test, owner)).status, 503);
    assert.equal(await status(test, "/v1/api/mailboxes", owner.key), 200);
    stripe.failWith = 0;
    stripe.requests.length = 0;
    stripe.subscriptions.set("sub_1", stripeSubscription({ status: "canceled" }));
    assert.equal((await end(test, owner)).status, 200);
    const asked = () => stripe.requests.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(asked(), ["DELETE /v1/subscriptions/sub_1"]);
    // Stripe reports the end, which asks for nothing more.
    assert.equal(await post("customer.subscription.deleted", subscription), 200);
    assert.equal(asked().length, 1);
    // Another instance remembers credentials for a second.
    await test.advance(1_001);
    assert.equal(await status(test, "/v1/api/mailboxes", owner.key), 401);
    await test.advance(100_000);
    assert.deepEqual(await mentions(test.kv, [owner.userId, "cus_1", "sub_1"]), []);
  }));

Deno.test("an account that buys, or changes its password, while it is being ended is not ended", () =>
  withStripe(async (test, _stripe, post) => {
    for (const meanwhile of ["buys", "password"]) {
      const owner = await account(test);
      const metadata = { userId: owner.userId };
      const [first, second] = ["1", "2"].map((n) =>
        stripeSubscription({ id: `sub_${n}_${meanwhile}`, customer: `cus_${meanwhile}`, metadata })
      );
      await post("customer.subscription.created", first);
      const { payments } = test.service;
      const { cancel } = payments!;
      payments!.cancel = async () => {
        if (meanwhile === "buys") await post("customer.subscription.created", second);
        else {
          const key = ["members", owner.userId, owner.userId];
          const { value } = await test.kv.get<object>(key);
          await test.service.database.transact((tx) =>
            tx.set(key, { ...value, passwordHash: "x" })
          );
        }
        payments!.cancel = cancel;
      };
      const { status, body } = await end(test, owner);
      assert.deepEqual([status, body.error.code], [409, "CONFLICT"], meanwhile);
      assert.equal(
        (await mentions(test.kv, [owner.userId])).includes(`users ${owner.userId}`),
        true,
      );
    }
  }));

// SPEC: account.end_late_payment
Deno.test("a checkout that is paid after the end of the account is ended at Stripe, even if Stripe does not answer at first; for an unknown account nothing is ended", () =>
  withStripe(async (test, stripe, post) => {
    const owner = await account(test);
    const urls = { successUrl: "https://app.test/", cancelUrl: "https://app.test/" };
    const json = { plan: "pro", ...urls };
    await data(test.request("/api/billing/checkout", { token: owner.accessToken, json }));
    assert.equal((await end(test, owner)).status, 200);
    await test.advance(100_000);
    stripe.requests.length = 0;
    const metadata = { userId: owner.userId, plan: "pro" };
    const session = {
      ...{ id: "cs_test_1", object: "checkout.session", customer: "cus_1", metadata },
      ...{ subscription: "sub_1", payment_status: "paid", client_reference_id: owner.userId },
    };
    const canceled = () =>
      stripe.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);
    stripe.subscriptions.set("sub_1", stripeSubscription({ status: "canceled" }));
    stripe.failWith = 500;
    assert.equal(await post("checkout.session.completed", session, "evt_late"), 503);
    stripe.failWith = 0;
    stripe.requests.length = 0;
    assert.equal(await post("checkout.session.completed", session, "evt_late"), 200);
    assert.deepEqual(canceled(), ["/v1/subscriptions/sub_1"]);
    const second = stripeSubscription({ id: "sub_2", metadata });
    assert.equal(await post("customer.subscription.created", second), 200);
    // For an ended subscription Stripe answers 404.
    assert.deepEqual(canceled(), ["/v1/subscriptions/sub_1", "/v1/subscriptions/sub_2"]);
    assert.deepEqual(await mentions(test.kv, [owner.userId, "cus_1", "sub_1", "sub_2"]), []);

    // Another installation may use the same Stripe account.
    const foreign = { userId: crypto.randomUUID(), plan: "pro" };
    const theirs = { id: "sub_3", customer: "cus_3", metadata: foreign };
    assert.equal(await post("customer.subscription.created", stripeSubscription(theirs)), 200);
    assert.equal(canceled().length, 2);
  }));
