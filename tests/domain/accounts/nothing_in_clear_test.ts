import assert from "node:assert/strict";
import { stripePayments } from "../../../adapters/payments/stripe.ts";
import { startFakeStripe, stripeSubscription } from "../../adapters/payments/fake_stripe.ts";
import {
  deliver,
  inboundToken,
  mailbox,
  message,
  operatorToken,
  testService,
} from "../../service.ts";
import { connect, refresh as refreshApp } from "../../routes/oauth/connect.ts";

const password = "a password that is nowhere";
const wrongPassword = "a guess that is nowhere";
const body = "a body that is in no log line";

// SPEC: access.keys_hashed, user.password_write_only, key.secret_once
Deno.test("no password, token, key or body is in a log line; no secret is in the database; each key is in one answer", async () => {
  const folder = await Deno.makeTempDir();
  const stripe = startFakeStripe();
  const kv = await Deno.openKv(`${folder}/kv.sqlite`);
  const answers: string[] = [];
  const secrets: Record<string, string> = { password, wrongPassword, inboundToken, operatorToken };
  const sk = secrets.stripeKey = "sk_test_that_is_nowhere";
  const lines: string[] = [];
  try {
    await using test = await testService({
      kv,
      env: { STRIPE_SECRET_KEY: sk, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret },
      parts: {
        payments: stripePayments({
          secretKey: sk,
          webhookSecret: stripe.webhookSecret,
          prices: { pro: "price_pro" },
          apiBase: stripe.apiBase,
        }),
      },
    });
    const ask = async (path: string, init: Parameters<typeof test.request>[1] = {}) => {
      const answer = await test.request(path, init);
      const text = await answer.clone().text();
      answers.push(text, ...answer.headers.getSetCookie());
      return { answer, json: text.startsWith("{") ? JSON.parse(text) : null };
    };
    const email = "ada@example.org";
    await ask("/api/auth/register", { json: { email, password, name: "Ada" } });
    await ask("/api/auth/register", { json: { email, password, name: "Ada" } });
    await ask("/api/auth/login", { json: { email, password: wrongPassword } });
    const { json: { data: session } } = await ask("/api/auth/login", { json: { email, password } });
    Object.assign(secrets, { access: session.accessToken, refresh: session.refreshToken });
    const refresh = { json: { refreshToken: session.refreshToken } };
    secrets.second = (await ask("/api/auth/refresh", refresh)).json.data.accessToken;
    const token = session.accessToken;
    secrets.key = (await ask("/v1/api/keys", { json: { name: "agent" }, token })).json.data.apiKey;
    const owner = { key: secrets.key } as Parameters<typeof mailbox>[1];
    const box = await mailbox(test, owner);
    const connected = await connect(test, { ...session, accessToken: token });
    secrets.appAccess = connected.access_token;
    secrets.appRefresh = connected.refresh_token;
    secrets.appCode = connected.code;
    const again = await refreshApp(test, connected.refresh_token);
    secrets.appSecond = (await again.json()).refresh_token;
    await refreshApp(test, `${secrets.appSecond}x`);
    await ask("/v1/api/emails", { token: secrets.appAccess });
    const hook = (await ask("/v1/api/webhooks", {
      token: secrets.key,
      json: { url: "https://127.0.0.1/hook", events: ["email.received"] },
    })).json.data;
    await deliver(test, box.email_address, message({ Subject: "Private" }, `${body}\n`));
    await test.settle();
    for (const path of ["keys", "webhooks", "mailboxes", "emails"]) {
      await ask(`/v1/api/${path}`, { token: secrets.key });
    }
    await ask("/v1/api/keys", { token: `${secrets.key}x` });
    await ask("/v1/api/keys", { token: secrets.key, json: { name: "" } });
    await ask("/v1/api/keys", { token: secrets.key, method: "POST", body: `{"name": "${sk}` });
    await ask("/v1/api/search", { token: secrets.key, json: { query: "x" } });
    await ask("/api/billing/checkout", {
      token,
      json: { plan: "pro", successUrl: "https://a.test", cancelUrl: "https://a.test" },
    });
    stripe.failWith = 401;
    await ask("/api/billing/portal", { token, json: { returnUrl: "https://a.test" } });
    const event = await stripe.event("customer.subscription.created", stripeSubscription());
    await ask("/api/webhooks/stripe", {
      method: "POST",
      body: event.body,
      headers: { "stripe-signature": event.signature },
    });
    await ask("/operator/accounts/plan", {
      method: "PUT",
      json: { email, plan: "pro" },
      token: operatorToken,
    });
    await test.advance(60_000);
    await ask("/api/auth/logout", { method: "POST", token });
    lines.push(...test.log.map((line) => JSON.stringify(line)));
    assert.ok(lines.length > 3, `the log was kept: ${lines.length} lines`);

    for (const [name, secret] of Object.entries({ ...secrets, hook: hook.secret, body })) {
      assert.deepEqual(lines.filter((line) => line.includes(secret)), [], `${name} in the log`);
    }
    for (const [name, times] of Object.entries({ key: 1, access: 1, second: 1, password: 0 })) {
      const seen = answers.filter((answer) => answer.includes(secrets[name]));
      assert.equal(seen.length, times, `${name} in answers`);
    }
    // The answer of login has the refresh token in its body and in its cookie.
    assert.equal(answers.filter((answer) => answer.includes(secrets.refresh)).length, 2);

    const stored = await bytesOf(folder);
    for (const [name, secret] of Object.entries(secrets)) {
      assert.equal(stored.includes(secret), false, `${name} in the database`);
    }
    // The only secret that is stored, because signing needs it. That it is found proves that the scan works.
    assert.equal(stored.includes(hook.secret), true);
  } finally {
    kv.close();
    await stripe.close();
    await Deno.remove(folder, { recursive: true });
  }
});

/** All bytes of the database files, the write-ahead log too, as Latin-1 text. */
async function bytesOf(folder: string): Promise<string> {
  let text = "";
  for await (const { name } of Deno.readDir(folder)) {
    text += new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/${name}`));
  }
  return text;
}
