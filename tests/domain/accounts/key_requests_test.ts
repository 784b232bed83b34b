import assert from "node:assert/strict";
import { account, data, mailbox, type TestService, testService } from "../../service.ts";

async function made(test: TestService, token: string, input: object) {
  return await data(test.request("/v1/api/keys", { token, json: { name: "agent", ...input } }));
}

/** How many of `count` requests pass, and the error of the first that does not. */
async function passedOf(test: TestService, token: string, count: number) {
  let passed = 0, error;
  for (let n = 0; n < count; n++) {
    const answer = await test.request("/v1/api/mailboxes", { token });
    const body = await answer.json();
    if (answer.status === 200) passed++;
    else error ??= body.error;
  }
  return { passed, error };
}

// SPEC: keys.requests
Deno.test("a key with a limit passes so many requests a minute, with the keys that it makes; the account goes on", async () => {
  await using test = await testService({
    plans: { pro: { requestsPerMinute: 100 } },
    instances: 1,
  });
  const owner = await account(test, "pro");
  const key = await made(test, owner.accessToken, { requestsPerMinute: 5 });
  assert.deepEqual([key.requestsPerMinute, key.rateLimit], [5, 5]);
  // Making it is one of the five.
  const child = await made(test, key.apiKey, {});
  assert.deepEqual([child.requestsPerMinute, child.rateLimit], [undefined, 5]);
  assert.equal((await passedOf(test, child.apiKey, 2)).passed, 2);
  const { passed, error } = await passedOf(test, key.apiKey, 4);
  assert.equal(passed, 2);
  assert.deepEqual([error.code, error.details], ["RATE_LIMIT_EXCEEDED", {
    limit: 5,
    window: "key",
    retry_after: 60,
  }]);
  assert.equal((await passedOf(test, child.apiKey, 1)).passed, 0);
  assert.equal((await passedOf(test, owner.key, 1)).passed, 1);
  await test.advance(60_000);
  assert.equal((await passedOf(test, child.apiKey, 9)).passed, 5);
  const listed = await data(test.request("/api/keys", { token: owner.accessToken }));
  assert.deepEqual(
    listed.map((each: Record<string, unknown>) => [each.requestsPerMinute, each.rateLimit]),
    [[undefined, 100], [5, 5], [undefined, 5]],
  );
});

// SPEC: keys.requests
Deno.test("a request that the key's window refuses costs the account nothing, and the other way round", async () => {
  await using test = await testService({ plans: { pro: { requestsPerMinute: 10 } }, instances: 1 });
  const owner = await account(test, "pro");
  const key = await made(test, owner.accessToken, { requestsPerMinute: 3 });
  assert.equal((await passedOf(test, key.apiKey, 8)).passed, 3);
  // One made the key, three passed.
  assert.equal((await passedOf(test, owner.key, 9)).passed, 6);
  await test.advance(60_000);
  assert.equal((await passedOf(test, owner.key, 9)).passed, 9);
  const { passed, error } = await passedOf(test, key.apiKey, 3);
  assert.deepEqual([passed, error.details.window], [1, "minute"]);
});

// SPEC: keys.requests
Deno.test("answers show the window of the key if it has the fewest requests left; tools count in it", async () => {
  await using test = await testService({
    plans: { pro: { requestsPerMinute: 100 } },
    instances: 1,
  });
  const owner = await account(test, "pro");
  await mailbox(test, owner);
  const { apiKey: token } = await made(test, owner.accessToken, { requestsPerMinute: 2 });
  const shown = async (answer: Promise<Response>) => {
    const { headers, body } = await answer;
    await body?.cancel();
    return [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
  };
  const call = () =>
    test.request("/v1/mcp", {
      token,
      headers: { accept: "application/json, text/event-stream" },
      json: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "list_mailboxes", arguments: {} },
      },
    });
  assert.deepEqual(await shown(test.request("/v1/api/mailboxes", { token })), ["2", "1"]);
  assert.deepEqual(await shown(call()), ["2", "0"]);
  assert.match(await (await call()).text(), /RATE_LIMIT_EXCEEDED/);
});

// SPEC: keys.requests
Deno.test("the limit of a key is from 1 to the requests a minute of the plan", async () => {
  await using test = await testService({ plans: { free: { requestsPerMinute: 20 } } });
  const { accessToken: token } = await account(test, "free");
  for (const requestsPerMinute of [0, -1, 1.5, 21, "5", null]) {
    const answer = await test.request("/v1/api/keys", {
      token,
      json: { name: "x", requestsPerMinute },
    });
    const { error } = await answer.json();
    assert.deepEqual([answer.status, Object.keys(error.details)], [400, ["requestsPerMinute"]]);
  }
  assert.equal((await made(test, token, { requestsPerMinute: 20 })).requestsPerMinute, 20);
});
