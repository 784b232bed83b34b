import assert from "node:assert/strict";
import { version } from "../../assemble.ts";
import { openEmbeddedIndex } from "../../adapters/search_index/embedded.ts";
import { eventually } from "../eventually.ts";
import { data, testService } from "../service.ts";

async function isOk(answer: Response | Promise<Response>): Promise<boolean> {
  return (await data(answer)).status === "ok";
}

// SPEC: health.open, health.body, general.timestamps
Deno.test("health needs no credential and has no limit, and shows version, time, uptime and checks", async () => {
  await using test = await testService({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: "2" } });
  await test.advance(90_500);
  // On a busy machine the thread of the index may not have started yet.
  await eventually("the index answers", () => isOk(test.request("/v1/api/health")));
  for (let n = 0; n < 5; n++) {
    const answer = await test.request("/v1/api/health");
    assert.equal(answer.headers.get("content-type"), "application/json");
    assert.equal(answer.headers.get("x-ratelimit-limit"), "2");
    assert.equal(answer.headers.get("x-ratelimit-remaining"), "2", "health costs nothing");
    assert.deepEqual([answer.status, await answer.json()], [200, {
      success: true,
      data: {
        status: "ok",
        version: "test",
        timestamp: "2026-11-20T10:01:30.500Z",
        uptime_seconds: 90,
        dead_jobs: 0,
        checks: { kv: "ok", queue: "ok", search: "ok" },
      },
    }]);
  }
  const probed = await test.request("/v1/api/health?probe=1&probe=2");
  assert.equal(probed.status, 200, "monitors add any query");
  const wrong = await test.request("/v1/api/health", { token: "lbx_nobody_nobody" });
  assert.equal(wrong.status, 200, "a credential makes no difference");
});

Deno.test("health from memory has the status, headers, body and metrics of an answer that was read", async () => {
  const env = { BASE_URL: "https://mail.example.test" };
  await using test = await testService({ env, instances: 1 });
  await eventually("the index answers", () => isOk(test.request("/v1/api/health")));
  const { storeChecks } = test.service;
  const asked = async (isKnown: boolean, method = "GET") => {
    storeChecks.known = isKnown ? () => states : () => null;
    storeChecks.run = isKnown ? () => Promise.reject(new Error("read")) : run;
    const answer = await test.request("/v1/api/health", { method });
    const headers = Object.fromEntries(answer.headers);
    assert.match(headers["x-request-id"], /^[0-9a-f-]{36}$/);
    delete headers["x-request-id"];
    return { status: answer.status, headers, body: await answer.text() };
  };
  const run = storeChecks.run.bind(storeChecks);
  const states = await run(test.service);
  const counted = () =>
    /route="\/v1\/api\/health",status="200"\} (\d+)/.exec(test.service.metrics.text)?.[1];
  const read = await asked(false);
  const before = Number(counted());
  assert.deepEqual(await asked(true), read);
  assert.equal(Number(counted()), before + 1);
  assert.deepEqual(await asked(true, "HEAD"), await asked(false, "HEAD"));
  await test.advance(1_000);
  assert.equal(JSON.parse((await asked(true)).body).data.uptime_seconds, 1);
});

// SPEC: health.down, error.unavailable, error.body
Deno.test("health is 503 with the checks while the database does not answer, and 200 once it does", async () => {
  await using test = await testService();
  const { getMany, list } = Deno.Kv.prototype;
  const away = () => Promise.reject(new Error("database is locked"));
  Object.assign(Deno.Kv.prototype, {
    getMany: away,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: away }) }),
  });
  const answer = await test.request("/v1/api/health");
  Object.assign(Deno.Kv.prototype, { getMany, list });
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  assert.ok(answer.headers.has("x-ratelimit-limit"));
  assert.deepEqual([answer.status, await answer.json()], [503, {
    success: false,
    error: {
      code: "SERVICE_UNAVAILABLE",
      message: "The database does not answer.",
      details: { checks: { kv: "down", queue: "down", search: "ok" } },
    },
  }]);
  assert.equal((await test.request("/v1/api/health")).status, 200);
});

Deno.test("health is 200 and degraded while search is down: mail is still accepted", async () => {
  const searchIndex = {
    ...openEmbeddedIndex({ path: null }),
    check: () => Promise.reject(new Error("gone")),
  };
  await using test = await testService({ parts: { searchIndex } });
  const answer = await test.request("/v1/api/health");
  assert.equal(answer.status, 200);
  const { status, checks } = (await answer.json()).data;
  assert.deepEqual([status, checks], ["degraded", { kv: "ok", queue: "ok", search: "down" }]);
});

// SPEC: version.release
Deno.test("the release is 1.0.0", () => {
  assert.equal(version, "1.0.0");
});
