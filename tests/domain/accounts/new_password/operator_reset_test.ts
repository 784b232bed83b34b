import assert from "node:assert/strict";
import { withStandIn } from "../../../identity_provider/browser.ts";
import { account, data, operatorToken, type TestService, testService } from "../../../service.ts";
import { login, next, reset, tokenIn } from "./resets.ts";

const ada = { email: "Ada@example.org", password: "correct horse battery", name: "Ada" };
const operator = (test: TestService, path: string, email: string) =>
  test.request(`/operator/accounts/${path}`, { token: operatorToken, json: { email } });

// SPEC: password.operator
Deno.test("the operator makes a link without any mail; it works once, for 30 minutes", async () => {
  await using test = await testService();
  await data(test.request("/api/auth/register", { json: ada }));
  const { link, expires_at } = await data(operator(test, "reset-password", "ada@EXAMPLE.org"));
  assert.equal(Date.parse(expires_at), test.clock.now() + 30 * 60_000);
  const token = tokenIn(link);
  assert.equal((await reset(test, token)).status, 200);
  assert.equal((await reset(test, token)).status, 400);
  assert.equal((await login(test, ada.email, next)).status, 200);
  const late = tokenIn((await data(operator(test, "reset-password", ada.email))).link);
  await test.advance(30 * 60_000);
  assert.equal((await reset(test, late)).status, 400);
});

// SPEC: password.operator
Deno.test("the operator confirms an address, also twice; an unknown email is 404, and without the token it is 401", async () => {
  await using test = await testService({ env: { EMAIL_VERIFICATION: "required" } });
  await data(test.request("/api/auth/register", { json: ada }));
  const { accessToken } = await data(login(test, ada.email, ada.password));
  const mustConfirm = async () =>
    (await data(test.request("/api/account", { token: accessToken }))).mustConfirmEmail;
  assert.equal(await mustConfirm(), true);
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(await data(operator(test, "confirm", "ada@example.ORG")), {
      email: ada.email,
      confirmed: true,
    });
    assert.equal(await mustConfirm(), false);
  }
  for (const path of ["confirm", "reset-password"]) {
    assert.equal((await operator(test, path, "nobody@example.org")).status, 404);
    const json = { email: ada.email };
    const answer = await test.request(`/operator/accounts/${path}`, { json, token: accessToken });
    assert.equal(answer.status, 401);
  }
});

// SPEC: password.operator
Deno.test("with PASSWORD_LOGIN=off the operator's link would not work: 409 says what to do, and the address can be confirmed", async () => {
  await using world = await withStandIn({ env: { PASSWORD_LOGIN: "off" } });
  const { email } = await account(world.test);
  const refused = await operator(world.test, "reset-password", email);
  assert.equal(refused.status, 409);
  assert.match((await refused.json()).error.message, /remove the setting, restart/);
  assert.equal((await operator(world.test, "confirm", email)).status, 200);
});
