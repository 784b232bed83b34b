import assert from "node:assert/strict";
import { personOf } from "../../../domain/accounts/member.ts";
import { beginSession } from "../../../domain/accounts/sessions.ts";
import { account, testService } from "../../service.ts";

const remaining = (answer: Response) => Number(answer.headers.get("x-ratelimit-remaining"));

// SPEC: dashboard.window
Deno.test("requests by cookie count in a window of their session, 300 a minute, and in none of the account", async () => {
  await using test = await testService({ plans: {}, instances: 1 });
  const owner = await account(test, "free");
  const second = await beginSession(test.service, personOf(owner));
  const [name] = owner.cookie.split("=");
  const ask = (cookie: string) => test.request("/api/keys", { headers: { cookie } });
  const first = await ask(owner.cookie);
  assert.equal(first.headers.get("x-ratelimit-limit"), "300");
  assert.equal(remaining(first), 299);
  const answers = await Promise.all(Array.from({ length: 320 }, () => ask(owner.cookie)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 299);
  const refused = answers.find(({ status }) => status === 429)!;
  const { error } = await refused.json();
  assert.equal(error.code, "RATE_LIMIT_EXCEEDED");
  assert.equal(error.details.limit, 300);
  assert.equal(error.details.window, "minute");
  assert.equal(remaining(await ask(`${name}=${second.refreshToken}`)), 299);
  const byKey = await test.request("/v1/api/keys", { token: owner.key });
  assert.equal(byKey.headers.get("x-ratelimit-limit"), "20");
  assert.equal(remaining(byKey), 19);
  const byToken = await test.request("/api/keys", { token: owner.accessToken });
  assert.equal(remaining(byToken), 18, "an access token counts in the account's windows");
  await test.advance(60_000);
  assert.equal((await ask(owner.cookie)).status, 200);
});

Deno.test("a wrong cookie counts for the address, like any request without a credential", async () => {
  await using test = await testService({
    env: { ANONYMOUS_REQUESTS_PER_MINUTE: "5" },
    instances: 1,
  });
  const ask = () => test.request("/api/keys", { headers: { cookie: "lbx_session=lbxr_none" } });
  assert.equal((await ask()).headers.get("x-ratelimit-limit"), "5");
  const statuses = [];
  for (let n = 0; n < 5; n++) statuses.push((await ask()).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 429]);
});
