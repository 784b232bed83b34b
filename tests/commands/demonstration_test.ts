import assert from "node:assert/strict";
import { banner } from "../../commands/banner.ts";
import { prepareDemonstration } from "../../commands/demonstration.ts";
import { setPlan } from "../../domain/accounts/set_plan.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import { perform } from "../../domain/core/operation.ts";
import { account, data, type TestService, testService } from "../service.ts";

const email = "demo@example.com";
/** `dev` is one process, so its changes apply to its own requests at once. */
const instances = 1;

async function login(test: TestService, password: string) {
  return await test.request("/api/auth/login", { json: { email, password } });
}

/** The statuses with the credentials of the first start: key, access token, refresh token. */
async function statuses(test: TestService, key: string, access: string, refreshToken: string) {
  const answers = [
    await test.request("/v1/api/mailboxes", { token: key }),
    await test.request("/v1/api/mailboxes", { token: access }),
    await test.request("/api/auth/refresh", { json: { refreshToken } }),
  ];
  return answers.map((each) => each.status);
}

Deno.test("the first start of dev makes an account on enterprise with a key and a mailbox; the next shows no secret", async () => {
  await using test = await testService({ instances });
  const first = await prepareDemonstration(test.service);
  assert.deepEqual(
    [first?.email, first?.addresses],
    [email, ["agent-demo@agents.test"]],
  );
  const { accessToken } = await data(login(test, first?.password ?? ""));
  const { plan } = await data(test.request("/api/billing/subscription", { token: accessToken }));
  assert.equal(plan, "enterprise");
  const boxes = await test.request("/v1/api/mailboxes", { token: first?.key ?? "" });
  assert.equal((await boxes.json()).mailboxes[0].email_address, "agent-demo@agents.test");
  assert.deepEqual(await prepareDemonstration(test.service), {
    email,
    password: null,
    key: null,
    addresses: ["agent-demo@agents.test"],
  });
});

Deno.test("the next start of dev writes nothing for its account, so a full disk does not end it", async () => {
  await using test = await testService({ instances });
  const first = await prepareDemonstration(test.service);
  test.service.database.transact = () => Promise.reject(new Error("the disk is full"));
  assert.deepEqual((await prepareDemonstration(test.service))?.addresses, first?.addresses);
});

Deno.test("the next start of dev puts the demonstration account back on enterprise", async () => {
  await using test = await testService({ instances });
  const first = await prepareDemonstration(test.service);
  await perform(setPlan, test.service, { clientAddress: "" }, { email, plan: "free" });
  await prepareDemonstration(test.service);
  const { accessToken } = await data(login(test, first?.password ?? ""));
  const { plan } = await data(test.request("/api/billing/subscription", { token: accessToken }));
  assert.equal(plan, "enterprise");
});

Deno.test("the next start of dev writes nothing, so that it starts on a full disk", async () => {
  await using test = await testService({ instances });
  const first = await prepareDemonstration(test.service);
  test.service.database.transact = () =>
    Promise.reject(new ServiceError("SERVICE_UNAVAILABLE", "The database is not available."));
  const next = await prepareDemonstration(test.service);
  assert.deepEqual(next, { ...first, password: null, key: null });
});

Deno.test("new credentials end the old password, key and sessions of the demonstration account, and nothing else", async () => {
  await using test = await testService({ instances });
  const other = await account(test);
  const old = await prepareDemonstration(test.service);
  assert.ok(old?.key && old.password);
  const session = await data(login(test, old.password));
  const own = await data(
    test.request("/v1/api/keys", { token: session.accessToken, json: { name: "my agent" } }),
  );
  const renewed = await prepareDemonstration(test.service, { credentials: true });
  assert.ok(renewed?.key && renewed.password);
  assert.notEqual(renewed.key, old.key);
  assert.notEqual(renewed.password, old.password);
  assert.deepEqual(renewed.addresses, old.addresses);
  assert.deepEqual(
    await statuses(test, old.key, session.accessToken, session.refreshToken),
    [401, 401, 401],
  );
  assert.equal((await login(test, old.password)).status, 401);
  const again = await data(login(test, renewed.password));
  assert.deepEqual(
    await statuses(test, renewed.key, again.accessToken, again.refreshToken),
    [200, 200, 200],
  );
  assert.equal((await test.request("/v1/api/mailboxes", { token: own.apiKey })).status, 200);
  assert.deepEqual(
    await statuses(test, other.key, other.accessToken, other.refreshToken),
    [200, 200, 200],
  );
});

Deno.test("after a crash between account and key, new credentials open the account", async () => {
  await using test = await testService({ instances });
  await assert.rejects(prepareDemonstration({
    ...test.service,
    // The first random bytes are for the password, the next ones for the key.
    ids: { ...test.service.ids, bytes: onceThenThrow(test.service.ids.bytes) },
  }));
  const half = await prepareDemonstration(test.service);
  assert.deepEqual([half?.password, half?.key], [null, null]);
  const whole = await prepareDemonstration(test.service, { credentials: true });
  assert.equal((await login(test, whole?.password ?? "")).status, 200);
});

function onceThenThrow<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  let calls = 0;
  return (...args) => {
    if (calls++ > 0) throw new Error("broken off");
    return work(...args);
  };
}

Deno.test("somebody else's account with the demonstration's email is not changed", async () => {
  await using test = await testService({ instances });
  const password = "somebody's own password";
  await data(test.request("/api/auth/register", { json: { email, password, name: "Somebody" } }));
  assert.equal(await prepareDemonstration(test.service, { credentials: true }), null);
  const { accessToken } = await data(login(test, password));
  const { plan } = await data(test.request("/api/billing/subscription", { token: accessToken }));
  assert.equal(plan, "free");
});

const places = { base: "http://localhost:8000", smtp: "localhost:2525", inboundToken: "lbxi_1" };
const shown = {
  email,
  password: "pass-word",
  key: "lbx_k_s",
  addresses: ["agent-demo@agents.localhost"],
};

Deno.test("the banner shows every address and secret, and its JSON block is valid for an MCP client", () => {
  const text = banner({ ...places, demonstration: shown });
  assert.match(text, /^Your first mail: open http\S+\/app\/, sign in .*"Send the first mail"\.$/m);
  for (
    const part of [
      "http://localhost:8000\n",
      "http://localhost:8000/docs\n",
      "http://localhost:8000/v1/mcp\n",
      "localhost:2525\n",
      "demo@example.com  pass-word\n",
      "lbx_k_s\n",
      "agent-demo@agents.localhost\n",
      "lbxi_1\n",
      "--credentials",
    ]
  ) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const block = /^\{\n[^]*?^\}$/m.exec(text)?.[0] ?? "";
  assert.deepEqual(JSON.parse(block), {
    mcpServers: {
      letterbox: {
        type: "http",
        url: "http://localhost:8000/v1/mcp",
        headers: { Authorization: "Bearer lbx_k_s" },
      },
    },
  });
});

Deno.test("a banner without secrets shows how to get new ones; without SMTP it says so", () => {
  const later = banner({
    ...places,
    smtp: null,
    demonstration: { ...shown, password: null, key: null },
  });
  assert.match(later, /SMTP +off/);
  assert.match(
    later,
    /password and the API key were shown at an earlier start\.\n.* deno task dev --credentials\n/,
  );
  assert.ok(!later.includes("mcpServers"));
  assert.match(banner({ ...places, demonstration: null }), /no demonstration account: .*demo@/);
});
