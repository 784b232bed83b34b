import assert from "node:assert/strict";
import { createApp } from "../../routes/app.ts";
import { account, data, operatorToken, testService } from "../service.ts";
import { runHere, runProgram } from "./run_here.ts";

Deno.test("deno task account changes a plan, creates an account, prints a reset link and confirms an address through the running service, and prints why if it cannot", async () => {
  await using test = await testService();
  const { email, accessToken, userId } = await account(test, "free");
  const app = createApp(test.service);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => app.fetch(request, info),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  test.service.settings.BASE_URL = base;
  const run = async (args: string[], token: string, url = base, how = runHere) => {
    const ended = await how(["account", ...args], { BASE_URL: url, OPERATOR_TOKEN: token });
    return { ...ended, stdout: ended.stdout.trim(), stderr: ended.stderr.trim() };
  };
  const created = await run(["create", "new@example.org", "--plan", "pro"], operatorToken);
  assert.equal(created.code, 0, created.stderr);
  const { email: made, name, plan: bought, password } = JSON.parse(created.stdout).data;
  assert.deepEqual([made, name, bought], ["new@example.org", "new", "pro"]);
  const login = await test.request("/api/auth/login", { json: { email: made, password } });
  assert.equal(login.status, 200);
  const link = (await run(["reset-password", made.toUpperCase()], operatorToken)).stdout;
  assert.match(link, new RegExp(`^${base}/app/reset\\?token=lbxo_\\w{44}$`));
  const reset = (new_password: string) =>
    test.request("/api/auth/password/reset", {
      json: { token: link.split("=")[1], new_password },
    });
  assert.equal((await reset("password123")).status, 400);
  assert.equal((await reset("another long password")).status, 200);
  const [unknown, confirmed] = await Promise.all([
    run(["reset-password", "nobody@example.org"], operatorToken),
    run(["confirm", made], operatorToken),
  ]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stdout, /NOT_FOUND/);
  assert.deepEqual(JSON.parse(confirmed.stdout).data, { email: made, confirmed: true });
  const [done, refused, unclear, away, unset] = await Promise.all([
    run(["set-plan", email, "pro"], operatorToken, base, runProgram),
    run(["set-plan", email, "pro"], "another-token-than-the-operators"),
    run(["set-plan", email], operatorToken),
    run(["set-plan", email, "pro"], operatorToken, "http://127.0.0.1:1"),
    run(["set-plan", email, "pro"], ""),
  ]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, new RegExp(`${email}.*pro|pro.*${email}`));
  assert.deepEqual([refused.code, unclear.code, away.code], [1, 2, 1]);
  assert.match(away.stderr, /^http:\/\/127\.0\.0\.1:1 does not answer: [^\n]+$/);
  assert.match(refused.stdout + refused.stderr, /UNAUTHORIZED/);
  assert.match(unclear.stderr, /^deno task account set-plan: missing required .* PLAN$/);
  assert.equal(unset.code, 1);
  assert.match(unset.stderr, /^OPERATOR_TOKEN is not set/);
  const { plan } = await data(test.request("/api/billing/subscription", { token: accessToken }));
  assert.equal(plan, "pro", userId);
});
