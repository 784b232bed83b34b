import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import type { Caller } from "../../../../domain/core/caller.ts";
import { ServiceError } from "../../../../domain/core/errors.ts";
import { type Call, perform } from "../../../../domain/core/operation.ts";
import { claimEmails } from "../../../../domain/mail/work/claim_emails.ts";
import { getExpectedCode } from "../../../../domain/mail/work/expect_code.ts";
import { waitForEmail } from "../../../../domain/mail/work/wait_for_email.ts";
import { tool } from "../../../contract/budgets.ts";
import { bounded } from "../../../eventually.ts";
import { ownMs } from "../../../own_time.ts";
import { post } from "../../../routes/mcp/post.ts";

type Query = Record<string, string | number>;

/** Begins a wait, whose answer is read later. */
function begin(test: TestService, owner: Pick<TestAccount, "key">, query: Query, init = {}) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  return test.request(`/v1/api/emails/wait?${search}`, { token: owner.key, ...init });
}

async function wait(test: TestService, owner: Pick<TestAccount, "key">, query: Query) {
  return await data(begin(test, owner, query));
}

const codeMail = (code: string, fields: Record<string, string> = {}) =>
  message({ Subject: "Your sign-in code", ...fields }, `Your verification code is ${code}.\n`);

Deno.test("a wait answers with the first email that comes in, in full; one that was there before is not taken", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Old" }));
  await test.advance(1_000);
  const waiting = wait(test, owner, { mailbox_id: box.mailbox_id });
  await test.waiting(1);
  const { email_id } = await deliver(test, box.email_address, message({ Subject: "New" }));
  const { email, timed_out, ...others } = await waiting;
  assert.deepEqual([email.email_id, timed_out, others], [email_id, false, {}]);
  const full = await data(test.request(`/v1/api/emails/${email_id}`, { token: owner.key }));
  assert.deepEqual(email, full);
});

Deno.test("a wait that finds nothing is over after timeout_seconds; 0 looks once", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const nothing = { email: null, timed_out: true };
  assert.deepEqual(await wait(test, owner, { mailbox_id, timeout_seconds: 0 }), nothing);
  const waiting = wait(test, owner, { mailbox_id, timeout_seconds: 10 });
  let over = false;
  waiting.then(() => over = true);
  await test.waiting(1);
  await test.advance(9_000);
  // An answer that comes too early is there after these 50 ms.
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(over, false);
  await test.advance(1_000);
  assert.deepEqual(await waiting, nothing);
});

Deno.test("a wait for a mailbox that is deleted meanwhile is 404 at once", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const waiting = test.request(`/v1/api/emails/wait?mailbox_id=${mailbox_id}`, {
    token: owner.key,
  });
  const claiming = test.request(`/v1/api/mailboxes/${mailbox_id}/claims`, {
    token: owner.key,
    json: { wait_seconds: 60 },
  });
  await test.waiting(2);
  const json = { confirm_email_address: email_address };
  const path = `/v1/api/mailboxes/${mailbox_id}`;
  await data(test.request(path, { method: "DELETE", token: owner.key, json }));
  // No time passes: the deletion ends them, even if another instance made it.
  for (const each of [waiting, claiming]) {
    const answer = await bounded("the wait ends", each, [], 10_000);
    assert.equal(answer.status, 404);
  }
});

Deno.test("since and after set from when on mail counts; the oldest match is answered", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const ids = [];
  for (const Subject of ["One", "Two", "Three"]) {
    ids.push((await deliver(test, email_address, message({ Subject }))).email_id);
    await test.advance(60_000);
  }
  const found = async (query: Query) =>
    (await wait(test, owner, { mailbox_id, timeout_seconds: 0, ...query })).email?.email_id ?? null;
  assert.equal(await found({ since: "2026-11-20T09:00:00Z" }), ids[0]);
  assert.equal(await found({ since: "2026-11-20T10:00:30Z" }), ids[1]);
  assert.equal(await found({ after: ids[0] }), ids[1]);
  assert.equal(await found({ after: ids[2] }), null);
  assert.equal(await found({ after: ids[0], since: "2026-11-20T10:01:30Z" }), ids[2]);
  assert.equal(await found({ since: "2026-11-20", subject: "thr" }), ids[2]);
  assert.equal(await found({}), null);
  const unknown = await begin(test, owner, { mailbox_id, after: "none" });
  assert.equal(unknown.status, 404);
});

Deno.test("only mail that matches its filters wakes a wait", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const other = await mailbox(test, owner);
  const waiting = wait(test, owner, { mailbox_id, from: "ada@example.net", subject: "engine" });
  await test.waiting(1);
  await deliver(test, other.email_address, message({ From: "ada@example.net", Subject: "Engine" }));
  await deliver(test, email_address, message({ From: "eve@example.net", Subject: "Engine" }));
  await deliver(test, email_address, message({ From: "ada@example.net", Subject: "Boiler" }));
  const mail = message({ From: "Ada <ada@example.net>", Subject: "The engine" });
  const { email_id } = await deliver(test, email_address, mail);
  assert.equal((await waiting).email.email_id, email_id);
});

Deno.test("with require only mail with a code or a link is answered, and verification holds it", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const code = wait(test, owner, { mailbox_id, require: "code" });
  const link = wait(test, owner, { mailbox_id, require: "link" });
  await test.waiting(2);
  await deliver(test, email_address, message({ Subject: "Hello" }, "Order 482913 has shipped.\n"));
  await deliver(test, email_address, codeMail("482 913"));
  const found = await code;
  assert.equal(found.verification.best_code, "482913");
  assert.equal(found.verification.email_id, found.email.email_id);
  const text = "Please confirm your email address:\nhttps://app.example.net/verify?token=a1b2c3\n";
  await deliver(test, email_address, message({ Subject: "Confirm your email" }, text));
  assert.equal((await link).verification.best_link, "https://app.example.net/verify?token=a1b2c3");
});

Deno.test("a wait answers within 100 ms of the acknowledgement in one process, and within 2 s over two", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const waiting = begin(test, owner, { mailbox_id, require: "code", subject: `No. ${round}` })
      .then(async (answer) => ({ body: await answer.json(), at: ownMs() }));
    await test.waiting(1);
    const Subject = `Your code, No. ${round}`;
    await deliver(test, email_address, codeMail(`48291${round}`, { Subject }));
    const acknowledged = ownMs();
    const { body, at } = await waiting;
    assert.equal(body.data.verification.best_code, `48291${round}`);
    times.push(at - acknowledged);
  }
  times.sort((a, b) => a - b);
  assert.ok(times[2] < (test.instances === 1 ? 100 : 2_000), String(times));
});

Deno.test("50 requests of an account wait at once, the next is 429; one whose client leaves frees its place", async () => {
  await using test = await testService({
    instances: 1,
    plans: { free: { requestsPerMinute: 500, requestsPerHour: null, requestsPerDay: null } },
  });
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const leaving = new AbortController();
  const waits = Array.from(
    { length: 50 },
    (_, n) =>
      begin(
        test,
        owner,
        { mailbox_id, timeout_seconds: 60 },
        n === 0 ? { signal: leaving.signal } : {},
      ),
  );
  await test.waiting(50);
  // A wait with timeout 0 takes no place.
  const looks = async (): Promise<number> => {
    const answer = await begin(test, owner, { mailbox_id, timeout_seconds: 0 });
    await answer.body?.cancel();
    assert.equal(answer.status, 200);
    return Number(answer.headers.get("X-RateLimit-Remaining"));
  };
  const left = await looks();
  const refused = await begin(test, owner, { mailbox_id });
  assert.equal(refused.status, 429);
  assert.equal((await refused.json()).error.details.window, "concurrent");
  assert.equal(Number(refused.headers.get("X-RateLimit-Remaining")), left);
  const { body: { result } } = await post(test, owner.key, {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "wait_for_email", arguments: { mailbox_id } },
  }, { path: "/v1/mcp?toolset=full" });
  assert.equal(JSON.parse(result.content[0].text).error.details.window, "concurrent");
  assert.equal(await looks(), left - 1, "neither of the two counts");
  const other = await account(test);
  const theirs = await mailbox(test, other);
  const free = begin(test, other, { mailbox_id: theirs.mailbox_id, timeout_seconds: 60 });
  leaving.abort();
  await waits[0];
  waits.push(begin(test, owner, { mailbox_id, timeout_seconds: 60 }), free);
  await test.waiting(51);
  await test.advance(60_000);
  for (const each of waits) assert.equal((await each).status, 200);
});

Deno.test("a service that stops answers those who wait", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const waiting = wait(test, owner, { mailbox_id });
  await test.waiting(1);
  test.service.waiting.stop();
  assert.deepEqual(await waiting, { email: null, timed_out: true });
});

Deno.test("a wait requires emails:read, a mailbox that the key may see, and known parameters", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id } = await mailbox(test, owner);
  const other = await account(test);
  const theirs = await mailbox(test, other);
  assert.equal((await begin(test, owner, { mailbox_id: theirs.mailbox_id })).status, 404);
  const bad: Query[] = [{ mailbox_id, unread: "true" }, { mailbox_id, timeout_seconds: 61 }];
  bad.push({ mailbox_id, thread_id: "", timeout_seconds: 0 });
  for (const query of bad) assert.equal((await begin(test, owner, query)).status, 400);
  const json = { name: "x", scopes: ["search"] };
  const { apiKey } = await data(test.request("/v1/api/keys", { token: owner.key, json }));
  assert.equal((await begin(test, { key: apiKey }, { mailbox_id })).status, 403);
});

Deno.test("without mailbox_id a wait is on all mailboxes that the caller sees, also on one made meanwhile", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [seen, hidden] = [await mailbox(test, owner), await mailbox(test, owner)];
  const json = { name: "x", scopes: ["emails:read"], mailboxIds: [seen.mailbox_id] };
  const { apiKey } = await data(test.request("/v1/api/keys", { token: owner.accessToken, json }));
  const limited = { key: apiKey };
  const [ofAll, ofOne] = [wait(test, owner, {}), wait(test, limited, {})];
  await test.waiting(2);
  const made = await mailbox(test, owner);
  const first = await deliver(test, made.email_address, codeMail("111111"));
  assert.equal((await ofAll).email.email_id, first.email_id);
  await deliver(test, hidden.email_address, codeMail("222222"));
  const { email_id } = await deliver(test, seen.email_address, codeMail("333333"));
  assert.equal((await ofOne).email.email_id, email_id);
  const since = { since: "2020-01-01", require: "code", timeout_seconds: 0 };
  assert.equal((await wait(test, limited, since)).verification.best_code, "333333");
  assert.equal((await wait(test, owner, since)).verification.best_code, "111111");
  const tooled = await tool(test, owner, "wait_for_email", { timeout_seconds: 0 });
  assert.equal((tooled.email as { email_id: string }).email_id, first.email_id);
});

Deno.test("if its key is revoked or its session ends, a wait is 401 at once and never returns later mail", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const json = { mailbox_id, from_domain: "example.net" };
  const { expectation_id } = await data(
    test.request("/v1/api/expectations", { token: owner.key, json }),
  );
  const make = (): Promise<{ keyId: string; apiKey: string }> =>
    data(test.request("/v1/api/keys", { token: owner.accessToken, json: { name: "x" } }));
  const wait = `/v1/api/emails/wait?mailbox_id=${mailbox_id}`;
  const waits: Record<string, (token: string) => Promise<Response>> = {
    "a wait": (token) => test.request(wait, { token }),
    "a claim": (token) =>
      test.request(`/v1/api/mailboxes/${mailbox_id}/claims`, {
        token,
        json: { wait_seconds: 30 },
      }),
    "an expectation": (token) =>
      test.request(`/v1/api/expectations/${expectation_id}?timeout_seconds=30`, { token }),
  };
  const keys = await Promise.all(Object.keys(waits).map(make));
  const tool = await make();
  const answers = Object.values(waits).map((each, n) => each(keys[n].apiKey));
  const byTool = post(test, tool.apiKey, {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "wait_for_email", arguments: { mailbox_id } },
  }, { path: "/v1/mcp?toolset=full" });
  const byToken = test.request(wait, { token: owner.accessToken });
  await test.waiting(5);
  for (const { keyId } of [...keys, tool]) {
    const path = `/v1/api/keys/${keyId}`;
    await data(test.request(path, { method: "DELETE", token: owner.key }));
  }
  const logout = { method: "POST", token: owner.accessToken };
  await (await test.request("/api/auth/logout", logout)).body?.cancel();
  await deliver(test, email_address, message());
  await test.settle();
  for (const [n, name] of Object.keys(waits).entries()) {
    const answer = await answers[n];
    assert.deepEqual(
      [answer.status, (await answer.json()).error?.code],
      [401, "UNAUTHORIZED"],
      name,
    );
  }
  const { result } = (await byTool).body;
  assert.deepEqual([result.isError, JSON.parse(result.content[0].text).error.code], [
    true,
    "UNAUTHORIZED",
  ]);
  const ended = await byToken;
  assert.equal(ended.status, 401);
  await ended.body?.cancel();
});

Deno.test("if its key was revoked before it began, a wait is 401 at once, also with mail that is there", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const caller: Caller = { userId: owner.userId, plan: "enterprise" };
  const call: Call = {
    surface: "rest",
    confirm: () => Promise.reject(new ServiceError("UNAUTHORIZED")),
  };
  const refused = (answer: Promise<unknown>) =>
    assert.rejects(bounded("the answer", answer), { code: "UNAUTHORIZED" });
  const { service } = test;
  const { expectation_id } = await data(
    test.request("/v1/api/expectations", {
      token: owner.key,
      json: { mailbox_id, from_domain: "example.net" },
    }),
  );
  const wanted = { expectation_id, timeout_seconds: 60 };
  await refused(perform(claimEmails, service, caller, { mailbox_id, wait_seconds: 60 }, call));
  await refused(perform(getExpectedCode, service, caller, wanted, call));
  await refused(perform(waitForEmail, service, caller, { mailbox_id }, call));
  const since = new Date(test.clock.now()).toISOString();
  await deliver(test, email_address, message());
  await refused(perform(waitForEmail, service, caller, { mailbox_id, since }, call));
  await test.waiting(0);
});
