import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { forgotPassword } from "../../../../domain/accounts/new_password/forgot_password.ts";
import { sha256Hex } from "../../../../domain/accounts/secrets.ts";
import { perform } from "../../../../domain/core/operation.ts";
import { account, mailbox, type TestService, testService } from "../../../service.ts";
import { relayedService, shown } from "../../mail/send/sending.ts";
import { env, forgot, login, next, reset, texts, tokenIn } from "./resets.ts";

// SPEC: password.forgot
Deno.test("a link is mailed from noreply@ the first shared domain; it works once, and no row or log line has its token", async () => {
  await using world = await relayedService({}, { env });
  const { test, relay } = world;
  const me = await account(test);
  assert.equal((await forgot(test, me.email.toUpperCase())).status, 200);
  await test.settle();
  const [mail] = relay.taken;
  assert.deepEqual([mail.from, mail.to], ["noreply@agents.test", [me.email]]);
  const parsed = await PostalMime.parse(mail.raw);
  assert.equal(parsed.from?.address, "noreply@agents.test");
  assert.match(parsed.text ?? "", /https:\/\/box\.example\/app\/reset\?token=lbxo_\w{44}\n/);
  const token = tokenIn(parsed.text ?? "");
  const rows = [];
  for await (const { key, value } of test.kv.list({ prefix: [] })) {
    rows.push(`${key.join(" ")} ${JSON.stringify(value)}`);
  }
  assert.deepEqual(rows.filter((row) => row.includes(token)), []);
  assert.deepEqual(test.log.filter((line) => JSON.stringify(line).includes(token)), []);
  assert.equal((await reset(test, token)).status, 200);
  assert.equal((await reset(test, token, "yet another password")).status, 400);
  assert.equal((await login(test, me.email, next)).status, 200);
});

/** What asking for a link calls and writes before any job has run, without what differs by the email alone. */
async function traces(test: TestService, email: string) {
  const before = new Set<string>();
  for await (const { key } of test.kv.list({ prefix: [] })) before.add(JSON.stringify(key));
  const { database, loginGuard, passwords } = test.service;
  const calls: string[] = [];
  const restore = [
    spy(database, "get", calls),
    spy(database, "transact", calls),
    spy(loginGuard, "inTurn", calls),
    spy(passwords, "hash", calls),
    spy(passwords, "verify", calls),
  ];
  const answer = await perform(forgotPassword, test.service, { clientAddress: "" }, { email });
  restore.forEach((each) => each());
  const rows: string[] = [];
  for await (const { key, value } of test.kv.list({ prefix: [] })) {
    if (before.has(JSON.stringify(key))) continue;
    rows.push(
      `${String(key[0])} ${JSON.stringify(value)}`.replaceAll(email, "EMAIL")
        .replaceAll(sha256Hex(email), "HASH").replace(/"jobId":"[^"]*"/, "JOB"),
    );
  }
  return { answer, calls, rows };
}

function spy<K extends string>(on: { [name in K]: unknown }, name: K, calls: string[]) {
  const before = on[name] as (...given: unknown[]) => unknown;
  (on as Record<string, unknown>)[name] = (...given: unknown[]) => {
    calls.push(name);
    return before.apply(on, given);
  };
  return () => void delete (on as Record<string, unknown>)[name];
}

// SPEC: password.forgot
Deno.test("a known and an unknown email get the same answer after the same reads, commits and rows", async () => {
  await using world = await relayedService({}, { env, instances: 1 });
  const { test, relay } = world;
  const me = await account(test);
  const unknown = me.email.replace("user", "none");
  const answers = [await forgot(test, me.email), await forgot(test, unknown)];
  const parts = await Promise.all(answers.map(async (answer) => {
    const ofRequest = ["x-request-id", "x-ratelimit-remaining"];
    const headers = [...answer.headers].filter(([name]) => !ofRequest.includes(name));
    return { status: answer.status, headers, body: await answer.text() };
  }));
  assert.deepEqual(parts[0], parts[1]);
  await test.settle();
  assert.equal(relay.taken.length, 1);
  await test.dispatcher.stop();
  const [known, other] = [await traces(test, me.email), await traces(test, unknown)];
  assert.deepEqual(known, other);
  assert.deepEqual(known.calls, ["transact"]);
  assert.match(known.rows.join(), /jobs_due .*"send_reset"/);
});

// SPEC: password.forgot
Deno.test("at most 3 links are mailed to an address an hour, in any case and over two instances, with the same answer", async () => {
  await using world = await relayedService({}, { env, instances: 2 });
  const { test, relay } = world;
  const me = await account(test);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => forgot(test, n % 2 ? me.email : me.email.toUpperCase())),
  );
  const bodies = await Promise.all(answers.map((each) => each.text()));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(bodies).size, 1);
  await test.settle();
  assert.equal(relay.taken.length, 3);
  await test.advance(3_600_000 - 1);
  await forgot(test, me.email);
  await test.settle();
  assert.equal(relay.taken.length, 3);
  await test.advance(1);
  await forgot(test, me.email);
  await test.settle();
  assert.equal(relay.taken.length, 4);
});

// SPEC: password.forgot
Deno.test("an email that nobody logs in with gets no mail, and anything in place of an email is 200", async () => {
  await using world = await relayedService({}, { env });
  const { test, relay } = world;
  for (const email of ["nobody@example.org", "not an address", "", "ü@ü.example"]) {
    assert.equal((await forgot(test, email)).status, 200, email);
  }
  await test.settle();
  assert.equal(relay.taken.length, 0);
  assert.deepEqual(test.log.filter(({ event }) => event === "job.dead_lettered"), []);
  const without = await test.request("/api/auth/password/forgot", { json: {} });
  assert.equal(without.status, 400);
});

// SPEC: password.forgot
Deno.test("where no mail can leave, the answer is 200 and says whom to ask; nothing is written", async () => {
  await using test = await testService({ instances: 1 });
  const me = await account(test);
  const texts = new Set<string>();
  for (const email of [me.email, "nobody@example.org"]) {
    const answer = await forgot(test, email);
    assert.equal(answer.status, 200);
    texts.add(await answer.text());
  }
  assert.equal(texts.size, 1);
  assert.match([...texts][0], /sends no mail: ask its operator/);
  const rows = await Array.fromAsync(test.kv.list({ prefix: ["password_resets_asked"] }));
  assert.equal(rows.length, 0);
});

// SPEC: password.forgot
Deno.test("the mail is retried while the relay refuses temporarily, for half an hour; a mailbox of the service gets it directly", async () => {
  await using world = await relayedService({ rcptTo: () => 450 }, { env });
  const { test, relay } = world;
  const me = await account(test);
  await forgot(test, me.email);
  await test.settle();
  relay.script.rcptTo = () => "take";
  await test.advance(5_000);
  assert.equal(relay.taken.length, 1);
  relay.script.rcptTo = () => 450;
  await forgot(test, me.email);
  await test.settle();
  await test.advance(30 * 60_000);
  relay.script.rcptTo = () => "take";
  await test.advance(86_400_000);
  assert.equal(relay.taken.length, 1);

  const box = await mailbox(test, me);
  const registered = await test.request("/api/auth/register", {
    json: { email: box.email_address, name: "Agent", password: next },
  });
  assert.equal(registered.status, 201);
  await forgot(test, box.email_address);
  await test.settle();
  const [{ from, subject }] = await shown(test, me, "/v1/api/emails");
  assert.deepEqual([from, subject], ["noreply@agents.test", "A new password for box.example"]);
  assert.equal((await texts(relay)).length, 1);
});
