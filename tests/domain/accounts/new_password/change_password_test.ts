import assert from "node:assert/strict";
import { Browser, withStandIn } from "../../../identity_provider/browser.ts";
import { personOf } from "../../../../domain/accounts/member.ts";
import { setPassword } from "../../../../domain/accounts/set_password.ts";
import { beginSession } from "../../../../domain/accounts/sessions.ts";
import { connect } from "../../../routes/oauth/connect.ts";
import { account, data, type TestService, testService } from "../../../service.ts";

const next = "another long password";

const change = (test: TestService, token: string, current_password: string, new_password = next) =>
  test.request("/api/auth/password", { token, json: { current_password, new_password } });

// SPEC: password.change
Deno.test("a change of the password ends every other session of the person at once; the own one, keys, apps and other people go on", async () => {
  await using test = await testService();
  const me = await account(test), other = await account(test);
  const app = await connect(test, me);
  const others = [
    await beginSession(test.service, personOf(me)),
    await beginSession(test.service, personOf(me)),
  ];
  const status = async (token: string) => (await test.request("/api/keys", { token })).status;
  for (const { accessToken } of others) assert.equal(await status(accessToken), 200);
  const answer = await change(test, me.accessToken, me.password);
  assert.deepEqual([answer.status, await answer.json()], [200, {
    success: true,
    data: { ended: 2 },
  }]);
  // Another instance knows a session from memory for a second.
  await test.advance(1_001);
  for (const { accessToken, refreshToken } of others) {
    assert.equal(await status(accessToken), 401);
    const refreshed = await test.request("/api/auth/refresh", { json: { refreshToken } });
    assert.equal(refreshed.status, 401);
  }
  assert.deepEqual([await status(me.accessToken), await status(other.accessToken)], [200, 200]);
  const asked = (token: string) => test.request("/v1/api/mailboxes", { token });
  assert.equal((await asked(me.key)).status, 200);
  assert.equal((await asked(app.access_token)).status, 200);
  const login = async (password: string) =>
    (await test.request("/api/auth/login", { json: { email: me.email, password } })).status;
  assert.deepEqual([await login(me.password), await login(next)], [401, 200]);
  const rows = await data(
    test.request("/v1/api/audit?action=change_password", { token: me.accessToken }),
  );
  assert.equal(rows.length, 1);
});

// SPEC: password.change
Deno.test("a wrong current password is 401 and counts as a failed login; a common or short new one is 400; nothing changes", async () => {
  await using test = await testService();
  const me = await account(test);
  const codeOf = async (answer: Promise<Response>) => {
    const response = await answer;
    const { error } = await response.json();
    return [response.status, error.code, Object.keys(error.details?.field_errors ?? {}).join()];
  };
  assert.deepEqual(await codeOf(change(test, me.accessToken, "wrong")), [401, "UNAUTHORIZED", ""]);
  const invalid = [400, "VALIDATION_ERROR", "new_password"];
  assert.deepEqual(await codeOf(change(test, me.accessToken, me.password, "Password1")), invalid);
  assert.deepEqual(await codeOf(change(test, me.accessToken, me.password, "short")), invalid);
  assert.equal((await change(test, me.key, me.password)).status, 401);
  const login = { json: { email: me.email, password: me.password } };
  assert.equal((await test.request("/api/auth/login", login)).status, 200);
  for (let n = 0; n < 4; n++) await change(test, me.accessToken, "wrong");
  for (let n = 0; n < 16; n++) await change(test, me.accessToken, "wrong");
  const late = await change(test, me.accessToken, me.password);
  assert.equal(late.status, 429);
});

// SPEC: password.change
Deno.test("a change whose password is reset while it is verified changes nothing", async () => {
  await using test = await testService({ instances: 1 });
  const me = await account(test);
  const { passwords } = test.service;
  const verify = passwords.verify.bind(passwords);
  passwords.verify = async (...given) => {
    const right = await verify(...given);
    passwords.verify = verify;
    await setPassword(test.service, personOf(me), "the password of the reset");
    return right;
  };
  const answer = await change(test, me.accessToken, me.password);
  assert.deepEqual([answer.status, (await answer.json()).error.code], [409, "CONFLICT"]);
  const login = { json: { email: me.email, password: "the password of the reset" } };
  assert.equal((await test.request("/api/auth/login", login)).status, 200);
});

// SPEC: password.change
Deno.test("of two changes at once one wins, and the other is refused", async () => {
  await using test = await testService({ instances: 2 });
  const me = await account(test);
  const { accessToken } = await beginSession(test.service, personOf(me));
  const answers = await Promise.all([
    change(test, me.accessToken, me.password, "the first new password"),
    change(test, accessToken, me.password, "the second new password"),
  ]);
  const statuses = answers.map(({ status }) => status).sort();
  assert.equal(statuses[0], 200);
  assert.ok([401, 409].includes(statuses[1]), `${statuses}`);
});

// SPEC: password.change
Deno.test("who signs in with the provider alone has no password to change: 401 says how to set one", async () => {
  await using world = await withStandIn();
  const browser = new Browser(world.app);
  assert.equal((await world.signIn(browser)).status, 302);
  const headers = { cookie: `lbx_session=${browser.session()}` };
  const json = { current_password: "x", new_password: "another long password" };
  const refused = await world.test.request("/api/auth/password", { json, headers });
  assert.equal(refused.status, 401);
  assert.match((await refused.json()).error.message, /no password yet: “Forgotten your password/);
});
