import assert from "node:assert/strict";
import { data, operatorToken, type TestService, testService } from "../../../service.ts";

const password = "correct horse battery";
const ada = { email: "Ada@example.org", password, name: "Ada" };
const week = 7 * 86_400_000;

const register = (test: TestService, json: object) => test.request("/api/auth/register", { json });

async function codeOf(answer: Promise<Response>): Promise<[number, string]> {
  const response = await answer;
  return [response.status, (await response.json()).error?.code];
}

const operator = (test: TestService, path: string, json: object) =>
  test.request(`/operator/${path}`, { json, token: operatorToken });

async function invited(test: TestService, email: string): Promise<string> {
  const answer = await operator(test, "invitations", { email });
  assert.equal(answer.status, 201);
  const { token, ...rest } = await data(answer);
  const expires_at = new Date(test.clock.now() + week).toISOString();
  assert.deepEqual(rest, { email, expires_at });
  return token;
}

// SPEC: auth.registration
Deno.test("a closed registration is 403 for new and known emails alike; the operator's accounts log in", async () => {
  await using test = await testService({ env: { REGISTRATION: "closed" } });
  assert.deepEqual(await codeOf(register(test, ada)), [403, "FORBIDDEN"]);
  const answer = await operator(test, "accounts", { email: ada.email, name: "Ada" });
  assert.equal(answer.status, 201);
  const { password: made, userId, createdAt, ...rest } = await data(answer);
  assert.deepEqual(rest, { email: ada.email, name: "Ada", plan: "free" });
  assert.equal(createdAt, new Date(test.clock.now()).toISOString());
  assert.ok(userId && made.length >= 16);
  const login = await test.request("/api/auth/login", {
    json: { email: ada.email, password: made },
  });
  assert.equal(login.status, 200);
  assert.deepEqual(await codeOf(register(test, ada)), [403, "FORBIDDEN"]);
  const again = { email: "ada@EXAMPLE.org", name: "Ada", plan: "pro" };
  assert.deepEqual(await codeOf(operator(test, "accounts", again)), [409, "CONFLICT"]);
  const token = await invited(test, "eve@example.org");
  const asked = { ...ada, email: "eve@example.org", invitation: token };
  assert.deepEqual(await codeOf(register(test, asked)), [403, "FORBIDDEN"]);
});

Deno.test("the operator sets password and plan of an account; the answer does not repeat the password", async () => {
  await using test = await testService();
  const body = { ...ada, plan: "enterprise" };
  const created = await data(operator(test, "accounts", body));
  assert.deepEqual([created.plan, "password" in created], ["enterprise", false]);
  const { email } = ada;
  const { accessToken } = await data(
    test.request("/api/auth/login", { json: { email, password } }),
  );
  const { plan } = await data(test.request("/api/billing/subscription", { token: accessToken }));
  assert.equal(plan, "enterprise");
  for (const wrong of [{ plan: "gold" }, { password: "short" }, { name: "" }, { role: "admin" }]) {
    const refused = operator(test, "accounts", { ...body, email: "new@example.org", ...wrong });
    assert.deepEqual(await codeOf(refused), [400, "VALIDATION_ERROR"]);
  }
});

Deno.test("an invitation admits its own address once, in any case, within 7 days", async () => {
  await using test = await testService({ env: { REGISTRATION: "invite" } });
  const token = await invited(test, ada.email.toLowerCase());
  const refused = [403, "FORBIDDEN"];
  assert.deepEqual(await codeOf(register(test, ada)), refused);
  assert.deepEqual(await codeOf(register(test, { ...ada, invitation: "lbxo_unknown" })), refused);
  const other = { ...ada, email: "eve@example.org", invitation: token };
  assert.deepEqual(await codeOf(register(test, other)), refused);
  const both = await Promise.all([0, 1].map(() => register(test, { ...ada, invitation: token })));
  const statuses = both.map(({ status }) => status).sort();
  assert.equal(statuses[0], 201);
  assert.ok([403, 409].includes(statuses[1]), String(statuses));
  assert.deepEqual(await codeOf(register(test, { ...ada, invitation: token })), refused);

  const late = await invited(test, "late@example.org");
  const person = { ...ada, email: "late@example.org", invitation: late };
  test.clock.advance(week);
  assert.deepEqual(await codeOf(register(test, person)), refused);
});
