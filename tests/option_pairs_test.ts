import assert from "node:assert/strict";
import { createParsePool } from "../domain/mail/read/parsing/parse_pool.ts";
import { systemClock } from "../domain/core/clock.ts";
import { sweepRegularly } from "../workers/sweep.ts";
import { callsOf, given } from "./domain/mail/send/drafts/approvals.ts";
import { relayedService } from "./domain/mail/send/sending.ts";
import { familiesOf } from "./domain/mailboxes/families.ts";
import { disagreements } from "./domain/mailboxes/store_scan.ts";
import { searchFor, semanticService } from "./domain/search/semantic_service.ts";
import { eventually } from "./eventually.ts";
import { account, data, deliver, mailbox, message, testService } from "./service.ts";

const dayMs = 86_400_000;

for (const fault of ["down", "slow", "429"] as const) {
  Deno.test(`waiting × embeddings: a wait answers while the model is ${fault}, and the mail is found by meaning afterwards`, async () => {
    await using service = await semanticService("embedded");
    const { test, embeddings } = service;
    const owner = await account(test);
    const box = await mailbox(test, owner);
    embeddings.fault = fault;
    const query = `mailbox_id=${box.mailbox_id}&require=code`;
    const waiting = data(test.request(`/v1/api/emails/wait?${query}`, { token: owner.key }));
    await test.waiting(1);
    const mail = message(
      { Subject: "Workshop" },
      "The automobile is faulty. Your verification code is 481516.\n",
    );
    const { email_id } = await deliver(test, box.email_address, mail);
    const { email } = await waiting;
    assert.equal(email.email_id, email_id);
    embeddings.fault = null;
    await eventually("it is found by meaning", async () => {
      await test.advance(60_000);
      const { results, pending } = await searchFor(test, owner, "broken vehicle");
      return pending === 0 && results.some((each) => each.email_id === email_id);
    }, test.log);
  });
}

Deno.test("claims × unreadable mail: mail that cannot be read is claimed with its problem, once, and is done when it is acked", async () => {
  const program = `self.onmessage = () => {
    self.postMessage("begun");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };`;
  const parsing = createParsePool(systemClock, {
    // Real time: the deadline of a thread that really hangs.
    deadlineMs: 200,
    startWorker: () =>
      new Worker(`data:text/javascript,${encodeURIComponent(program)}`, { type: "module" }),
  });
  await using test = await testService({ parts: { parsing } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = message({ Subject: "Stuck" }, "a line of text\n".repeat(3_000));
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const claims = async () =>
    await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/claims`, {
      token: owner.key,
      json: {},
    }));
  const [first, ...others] = await claims();
  assert.deepEqual([first.email.email_id, others], [email_id, []]);
  assert.match(first.email.problem, /could not be read/);
  assert.deepEqual(await claims(), []);
  // Its lease runs out: another worker gets it.
  await test.advance(dayMs);
  const [second] = await claims();
  assert.deepEqual([second.email.email_id, second.attempts], [email_id, 2]);
  await data(test.request(`/v1/api/claims/${second.claim_id}/ack`, { token: owner.key, json: {} }));
  await test.advance(dayMs);
  assert.deepEqual(await claims(), []);
});

for (const renamed of ["before it is approved", "after it is approved"] as const) {
  Deno.test(`approval × schedule × rename: a scheduled send of a mailbox that is renamed ${renamed} goes out once, from the address that a person approved`, async () => {
    await using it = await relayedService();
    const { test, relay } = it;
    const owner = await account(test);
    const box = await mailbox(test, owner, "old-name");
    const { agent, policy, sentMails } = callsOf(test, owner);
    await policy(box.mailbox_id, { approval: "always" });
    const send_at = new Date(test.clock.now() + 2 * 3_600_000).toISOString();
    const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x", send_at };
    const asked = await given(agent("POST", "/emails/send", { ...mail, idempotency_key: "k" }));
    assert.equal(asked.status, "pending_approval");
    const draft = async () => await given(agent("GET", `/drafts/${asked.draft_id}`));
    const approve = async () => {
      // A session ends after an hour.
      const { accessToken } = await data(test.request("/api/auth/login", {
        json: { email: owner.email, password: owner.password },
      }));
      const json = { content_hash: (await draft()).content_hash };
      const path = `/v1/api/drafts/${asked.draft_id}/approve`;
      return (await data(test.request(path, { token: accessToken, json }))).status;
    };
    const rename = async () => {
      const { call } = familiesOf(test, owner)[2];
      const json = { local_part: "new-name", domain: "agents.test" };
      assert.equal((await call("PATCH", `/mailboxes/${box.mailbox_id}`, json)).status, 200);
    };
    if (renamed === "before it is approved") await rename();
    assert.equal(await approve(), "scheduled");
    if (renamed === "after it is approved") await rename();
    await test.advance(2 * 3_600_000 - 1);
    assert.equal(await sentMails(), 0);
    await test.advance(1);
    if (renamed === "after it is approved") {
      // Nobody has approved the new sender.
      assert.deepEqual([(await draft()).status, await sentMails()], ["pending_approval", 0]);
      assert.equal(await approve(), "queued");
    }
    await test.advance(dayMs);
    assert.equal(await sentMails(), 1);
    assert.equal(relay.taken.length, 1);
    assert.match(new TextDecoder().decode(relay.taken[0].raw), /^From: .*new-name@agents\.test/m);
    assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
  });
}

/** What the relay answers, and the state of a send some days later: what is still on its way is not deleted. */
const sends = [
  { state: "sent", answer: "take" },
  { state: "failed", answer: 554 },
  { state: "failed", answer: 451 },
] as const;
for (const { state, answer } of sends) {
  Deno.test(`retention × states of a send: mail that the relay answers with ${answer} is deleted as ${state}, with nothing left to do`, async () => {
    await using it = await relayedService({ data: () => answer }, { instances: 1 });
    const { test, relay } = it;
    const owner = await account(test);
    const box = await mailbox(test, owner);
    const { agent, policy } = callsOf(test, owner);
    await policy(box.mailbox_id, { retention_days: 1 });
    const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x" };
    const end = sweepRegularly(test.service);
    try {
      const sent = await given(agent("POST", "/emails/send", mail));
      await given(agent("POST", "/drafts", mail));
      const later = new Date(test.clock.now() + 3 * dayMs).toISOString();
      const scheduled = await given(agent("POST", "/emails/send", { ...mail, send_at: later }));
      await test.settle();
      const status = async () =>
        (await given(agent("GET", `/emails/${sent.email_id}`))).status as string;
      assert.equal(await status(), answer === 451 ? "queued" : state);
      let last = "";
      await eventually("it is deleted", async () => {
        const read = await agent("GET", `/emails/${sent.email_id}`);
        if (read.status === 404) return true;
        last = read.body.data.status;
        await test.advance(3_600_000);
        return false;
      }, test.log);
      assert.equal(last, state);
      assert.equal(relay.taken.length, state === "sent" ? 1 : 0);
      // A draft is no mail, and what is to be sent later is sent.
      await test.advance(dayMs);
      const drafts = await given(agent("GET", "/drafts?status=draft"));
      assert.equal(drafts.length, 1);
      assert.equal(
        (await given(agent("GET", `/drafts/${scheduled.draft_id}`))).status,
        "scheduled",
      );
      await test.advance(dayMs);
      const ended = await given(agent("GET", `/drafts/${scheduled.draft_id}`));
      assert.equal(ended.status, "sent");
      assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
    } finally {
      await end();
    }
  });
}
