import assert from "node:assert/strict";
import { account, testService } from "../../service.ts";
import { appsOf, connect, form, read, refresh, refusal, register } from "./connect.ts";

// SPEC: oauth.revoke
Deno.test("an access token, a refresh token and an old refresh token each end their grant", async () => {
  await using test = await testService();
  const owner = await account(test);
  const revoke = (token: string, fields = {}) => form(test, "/oauth/revoke", { token, ...fields });
  const one = await connect(test, owner), two = await connect(test, owner);
  const three = await connect(test, owner), other = await connect(test, owner);
  await refresh(test, three.refresh_token);
  const answer = await revoke(one.access_token, { token_type_hint: "refresh_token", x: "y" });
  assert.deepEqual(await read(answer), { status: 200, body: null });
  assert.equal((await revoke(two.refresh_token, { client_id: two.clientId })).status, 200);
  assert.equal((await revoke(three.refresh_token)).status, 200);
  await test.advance(1_001);
  assert.deepEqual((await appsOf(test, owner)).map(({ grant_id }) => grant_id), [other.grantId]);
  for (const { access_token: token, refresh_token } of [one, two, three]) {
    assert.equal((await test.request("/v1/api/mailboxes", { token })).status, 401);
    assert.deepEqual(await refusal(refresh(test, refresh_token)), [400, "invalid_grant"]);
  }
});

// SPEC: oauth.revoke
Deno.test("an unknown token is answered as a revoked one, and another client's stays", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { access_token, code } = await connect(test, owner);
  const revoke = (fields: Record<string, string>) => form(test, "/oauth/revoke", fields);
  for (const token of ["x", "lbxg_x", code, owner.key, owner.accessToken]) {
    assert.equal((await revoke({ token })).status, 200);
  }
  assert.deepEqual(await refusal(revoke({})), [400, "invalid_request"]);
  const client_id = await register(test);
  assert.deepEqual(await refusal(revoke({ token: access_token, client_id })), [
    400,
    "invalid_grant",
  ]);
  assert.equal((await appsOf(test, owner)).length, 1);
});
