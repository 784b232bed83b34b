import assert from "node:assert/strict";
import { personOf } from "../../../domain/accounts/member.ts";
import { setPassword } from "../../../domain/accounts/set_password.ts";
import * as keys from "../../../domain/store/keys.ts";
import { account, testService } from "../../service.ts";

Deno.test("a new password ends every session of the account, and no key; the old password is wrong then", async () => {
  await using test = await testService();
  const { userId, email, password, key, accessToken, refreshToken } = await account(test);
  const status = async (token: string) => (await test.request("/v1/api/keys", { token })).status;
  const login = async (password: string) =>
    (await test.request("/api/auth/login", { json: { email, password } })).status;
  assert.deepEqual([await status(accessToken), await status(key)], [200, 200]);
  await setPassword(test.service, personOf({ userId }), "another long password");
  // Another instance knows the session from memory for a second.
  await test.advance(1_001);
  assert.deepEqual([await status(accessToken), await status(key)], [401, 200]);
  const refreshed = await test.request("/api/auth/refresh", { json: { refreshToken } });
  assert.equal(refreshed.status, 401);
  assert.deepEqual([await login(password), await login("another long password")], [401, 200]);
});

Deno.test("a login whose password is changed, or whose account ends, while it is verified begins no session", async () => {
  for (const happens of ["changed", "ended"]) {
    await using test = await testService({ instances: 1 });
    const { userId, email, password } = await account(test);
    const { passwords, database } = test.service;
    const verify = passwords.verify.bind(passwords);
    passwords.verify = async (...given) => {
      const right = await verify(...given);
      if (happens === "changed") {
        await setPassword(test.service, personOf({ userId }), "another long password");
      } else await database.transact((tx) => tx.delete(keys.user(userId)));
      return right;
    };
    const answer = await test.request("/api/auth/login", { json: { email, password } });
    assert.deepEqual([answer.status, (await answer.json()).error.code], [401, "UNAUTHORIZED"]);
    const left = await Array.fromAsync(test.kv.list({ prefix: ["sessions", userId] }));
    assert.deepEqual(left.length, happens === "changed" ? 0 : 1);
  }
});
