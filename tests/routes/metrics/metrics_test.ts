import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { served } from "../../../routes/app.ts";
import {
  account,
  deliver,
  FakeClock,
  mailbox,
  message,
  operatorToken,
  type TestService,
  testService,
} from "../../service.ts";
import { createApp } from "../../../routes/app.ts";
import { ScriptedTarget } from "../../domain/webhooks/scripted_target.ts";
import { parseExposition, sampleOf } from "./exposition.ts";
import { nightly } from "../../nightly.ts";

const path = "/operator/metrics";

/** Only the kind of a dead job is read. */
const deadJob = (jobId: string) => ({ jobId, kind: "read_bounce", payload: {} });

async function scrape(test: TestService, token = operatorToken) {
  const answer = await test.request(path, { token });
  const page = await answer.text();
  assert.equal(answer.status, 200, page);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return { page, families: parseExposition(page) };
}

/** The counts of one metric, by its labels' values joined by blanks. */
async function counts(test: TestService, name: string): Promise<Record<string, number>> {
  const { families } = await scrape(test);
  const samples = families.get(name)?.samples ?? [];
  return Object.fromEntries(
    samples.map(({ labels, value }) => [Object.values(labels).join(" "), value]),
  );
}

const promised: Record<string, [type: string, labels: string[]]> = {
  letterbox_http_requests_total: ["counter", ["method", "route", "status"]],
  letterbox_http_request_duration_seconds: ["histogram", ["method", "route"]],
  letterbox_arrivals_total: ["counter", ["source", "disposition"]],
  letterbox_jobs: ["gauge", ["kind", "state"]],
  letterbox_job_oldest_age_seconds: ["gauge", ["kind"]],
  letterbox_commit_duration_seconds: ["histogram", []],
  letterbox_commit_size_bytes: ["histogram", []],
  letterbox_index_backlog_emails: ["gauge", []],
  letterbox_embedding_seconds_total: ["counter", []],
  letterbox_embedding_failures_total: ["counter", []],
  letterbox_webhook_attempts_total: ["counter", ["outcome"]],
  letterbox_provider_up: ["gauge", ["provider"]],
  letterbox_provider_outages_total: ["counter", ["provider"]],
  process_resident_memory_bytes: ["gauge", []],
  letterbox_build_info: ["gauge", ["version"]],
};

// SPEC: operator.metrics
Deno.test("metrics have exactly the documented names, types and labels", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  await deliver(test, (await mailbox(test, owner)).email_address, message());
  await test.settle();
  test.service.metrics.called("relay", true);
  const { families } = await scrape(test);
  assert.deepEqual([...families.keys()].sort(), Object.keys(promised).sort());
  for (const [name, [type, labels]] of Object.entries(promised)) {
    const family = families.get(name)!;
    assert.equal(family.type, type, name);
    assert.ok(family.samples.length > 0, `${name} has a sample`);
    for (const sample of family.samples) {
      const { le: _, ...own } = sample.labels;
      assert.deepEqual(Object.keys(own), labels, name);
    }
  }
  assert.equal(sampleOf(families, "letterbox_build_info", { version: "test" }), 1);
  assert.ok(sampleOf(families, "process_resident_memory_bytes")! > 10_000_000);
  assert.ok(sampleOf(families, "letterbox_commit_size_bytes_sum")! > 1_000);
  assert.ok(sampleOf(families, "letterbox_commit_duration_seconds_count")! > 0);
});

Deno.test("metrics accept METRICS_TOKEN and OPERATOR_TOKEN, and no other", async () => {
  const metricsToken = "metrics-token-of-the-tests";
  await using test = await testService({ env: { METRICS_TOKEN: metricsToken } });
  await scrape(test, metricsToken);
  await scrape(test);
  const owner = await account(test);
  for (const token of [undefined, "wrong", owner.key, owner.accessToken]) {
    const answer = await test.request(path, { token });
    assert.equal(answer.status, 401);
    assert.equal((await answer.json()).error.code, "UNAUTHORIZED");
  }
  const jobs = await test.request("/operator/jobs", { token: metricsToken });
  assert.equal(jobs.status, 401, "the token reads metrics alone");
});

Deno.test("metrics need one of the two tokens to be set", async () => {
  const metricsToken = "metrics-token-of-the-tests";
  await using none = await testService({ env: { OPERATOR_TOKEN: "" } });
  assert.equal((await none.request(path, { token: operatorToken })).status, 404);
  await using own = await testService({ env: { OPERATOR_TOKEN: "", METRICS_TOKEN: metricsToken } });
  await scrape(own, metricsToken);
  assert.equal((await own.request(path, { token: operatorToken })).status, 401);
});

Deno.test("requests are counted by template; no label has an id, an address or a stranger's text", async () => {
  // The counts are of one process.
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  await test.settle();
  const { key: token } = owner;
  for (let n = 0; n < 3; n++) await test.request(`/v1/api/emails/${email_id}`, { token });
  await test.request("/v1/api/emails/none", { token });
  await test.request("/v1/api/emails", { token: "lbx_wrong" });
  await test.request(`/v1/api/secrets/${email_id}`, { token });
  await test.request(`/nowhere/${email_id}`);
  await test.request(`/v1/api/emails/${email_id}`, { token, method: "HEAD" });
  await test.request(`/v1/api/health`, { method: "DELETE" });
  await test.request(`/nowhere`, { method: "BREW" });
  await createApp(test.service).request(`/app/mail/${box.mailbox_id}`);
  const { page, families } = await scrape(test);
  const one = "/v1/api/emails/:messageId";
  const expected: [string, string, string, number][] = [
    ["GET", one, "200", 3],
    ["GET", one, "404", 1],
    ["HEAD", one, "200", 1],
    ["GET", "/v1/api/emails", "401", 1],
    ["GET", "other", "404", 2],
    ["DELETE", "/v1/api/health", "405", 1],
    ["other", "other", "404", 1],
    ["POST", "/inbound/raw", "200", 1],
    ["GET", "/app/*", "200", 1],
  ];
  for (const [method, route, status, count] of expected) {
    const labels = { method, route, status };
    assert.equal(sampleOf(families, "letterbox_http_requests_total", labels), count, `${labels}`);
  }
  const timed = { method: "GET", route: one };
  assert.equal(sampleOf(families, "letterbox_http_request_duration_seconds_count", timed), 4);
  for (
    const secret of [email_id, owner.userId, owner.email, box.email_address, box.mailbox_id, "BREW"]
  ) {
    assert.ok(!page.includes(secret), secret);
  }
});

Deno.test("every arrival is counted and has one log line", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { email_address: to } = await mailbox(test, owner);
  const { email_id } = await deliver(test, to, message());
  await deliver(test, to, message());
  await deliver(test, "nobody@agents.test", message({ Subject: "Two" }));
  await deliver(test, [to, "nobody@agents.test"], message({ Subject: "Three" }));
  assert.deepEqual(await counts(test, "letterbox_arrivals_total"), {
    "raw accepted": 2,
    "raw duplicate": 1,
    "raw rejected": 2,
  });
  const lines = test.log.filter(({ event }) => /^mail\.(accepted|duplicate|rejected)$/.test(event));
  const events = lines.map(({ event }) => event);
  assert.deepEqual(events.slice(0, 3), ["mail.accepted", "mail.duplicate", "mail.rejected"]);
  // The recipients of one message are served at the same time.
  assert.deepEqual(events.slice(3).sort(), ["mail.accepted", "mail.rejected"]);
  assert.deepEqual({ ...lines[0], time: "", size: 0 }, {
    ...{ time: "", level: "info", event: "mail.accepted", source: "raw", size: 0, email_id },
  });
  assert.equal(lines[1].email_id, email_id);
  assert.equal(lines[2].code, "UNKNOWN_RECIPIENT");
});

Deno.test("webhook attempts are counted; a successful one is logged at debug", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({ instances: 1, parts: { clock, webhookTarget: target } });
  const owner = await account(test);
  const { email_address: to } = await mailbox(test, owner);
  const url = "https://hook.example.com/in";
  const json = { url, events: ["email.received"] };
  const made = await test.request("/v1/api/webhooks", { token: owner.key, json });
  assert.equal(made.status, 201, await made.text());
  target.reply = () => target.posts.length > 1 ? 200 : 500;
  await deliver(test, to, message());
  await test.settle();
  await test.advance(2_000);
  const attempts = await counts(test, "letterbox_webhook_attempts_total");
  assert.deepEqual(attempts, { success: 1, failure: 1 });
  const levels = test.log.filter(({ event }) => event === "webhook.attempted");
  assert.deepEqual(levels.map(({ level }) => level), ["info", "debug"]);
});

Deno.test("jobs are counted by kind and state, dead ones too, with the age of the oldest", async () => {
  await using test = await testService({ instances: 1 });
  const { database, jobs, clock, arrivalLoad } = test.service;
  const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
  arrivalLoad.idle = () => hanging;
  const later = clock.now() + 3_600_000;
  await database.transact((tx) => {
    jobs.add(tx, "purge_webhook", { webhookId: "w1" }, later);
    tx.set(keys.jobDead("j1"), deadJob("j1"));
    jobs.add(tx, "process_email", { userId: "u", emailId: "e" });
  });
  await using _ = { [Symbol.asyncDispose]: () => Promise.resolve(release()) };
  test.clock.advance(7_000);
  const states = await counts(test, "letterbox_jobs");
  assert.equal(states["purge_webhook waiting"], 1);
  assert.equal(states["process_email running"], 1);
  assert.equal(states["read_bounce dead"], 1);
  assert.equal(states["send_email dead"], 0, "a series that begins at 1 has never risen");
  const present = Object.entries(states).filter(([, count]) => count > 0);
  assert.equal(present.length, 3, JSON.stringify(present));
  const ages = await counts(test, "letterbox_job_oldest_age_seconds");
  assert.equal(ages.process_email, 7);
  assert.equal(ages.purge_webhook, 0, "it is not due");
  assert.deepEqual(await counts(test, "letterbox_index_backlog_emails"), { "": 1 });
  release();
  await test.settle();
  assert.deepEqual(await counts(test, "letterbox_index_backlog_emails"), { "": 0 });
});

Deno.test("a provider that fails is down until a call succeeds; only the start of an outage is counted", async () => {
  await using test = await testService({ instances: 1 });
  const { metrics } = test.service;
  metrics.expect("relay");
  assert.deepEqual(await counts(test, "letterbox_provider_up"), { relay: 1 });
  for (const success of [false, false, true, false]) metrics.called("relay", success);
  assert.deepEqual(await counts(test, "letterbox_provider_up"), { relay: 0 });
  assert.deepEqual(await counts(test, "letterbox_provider_outages_total"), { relay: 2 });
});

nightly("a scrape with thousands of jobs and dead jobs takes less than 20 ms", async () => {
  await using test = await testService({ instances: 1 });
  const { database, jobs, clock } = test.service;
  const later = clock.now() + 3_600_000;
  for (let n = 0; n < 45; n++) {
    await database.transact((tx) => {
      for (let i = 0; i < 100; i++) jobs.add(tx, "purge_webhook", { webhookId: `${i}` }, later);
      for (let i = 0; i < 30; i++) tx.set(keys.jobDead(`${n} ${i}`), deadJob(`${n} ${i}`));
    });
  }
  for (const { method, path } of Object.values(served).flat()) {
    for (const status of ["200", "401", "404"]) {
      test.service.metrics.requests.add([method, path, status]);
      test.service.metrics.requestDuration.observe(0.004, [method, path]);
    }
  }
  const states = await counts(test, "letterbox_jobs");
  assert.equal(states["read_bounce dead"], 1_000, "no more are counted");
  assert.equal(states["purge_webhook waiting"], 4_500);
  const times: number[] = [];
  for (let n = 0; n < 15; n++) {
    const begunAt = performance.now();
    await (await test.request(path, { token: operatorToken })).text();
    times.push(performance.now() - begunAt);
  }
  // The fastest one, because other programs on the machine make some slower.
  const quickest = Math.min(...times);
  assert.ok(quickest < 20, times.join(" ms, "));
});
