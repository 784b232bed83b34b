import assert from "node:assert/strict";
import { sweepRegularly } from "../workers/sweep.ts";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "./service.ts";
import type { TestAccount, TestService } from "./service.ts";
import { ScriptedTarget } from "./domain/webhooks/scripted_target.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The tables that keep rows longer, and why; their bounds have tests of their own. */
const kept = {
  activity: "an hour or a day each, for months",
  audit: "90 days",
  draft_totals: "a counter",
  emails_by_delivery: "mail that comes again is a duplicate, also of deleted mail",
  expectations_open: "200 of a mailbox at most",
  expiring: "the times of the others",
  journal: "the newest change",
  journal_cut: "how much was cut",
  login_addresses: "90 days: who logs in from there is no stranger",
  mailbox_stats: "a counter",
  storage: "a counter",
  threads_by_reference: "a later reply joins its conversation",
  threads_by_subject: "the same",
  usage: "a counter a month",
};

/** The first part of every key with the number of its rows. */
async function rows(test: TestService): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { key } of test.kv.list({ prefix: [] }, { batchSize: 500 })) {
    counts[String(key[0])] = (counts[String(key[0])] ?? 0) + 1;
  }
  return counts;
}

/** Some of everything that an account does in a day; what it made is deleted again, or expires. */
async function busyDay(test: TestService, owner: TestAccount, address: string, id: string) {
  const ask = (path: string, json?: unknown, method?: string) =>
    test.request(`/v1/api${path}`, { token: owner.key, json, method });
  for (let n = 0; n < 3; n++) {
    const mail = message(
      { Subject: `Order ${test.clock.now()}-${n}` },
      `Your verification code is 48151${n}.\n`,
    );
    await deliver(test, address, mail, { "x-ingest-id": `${test.clock.now()}-${n}` });
  }
  await test.settle();
  const [claim] = await data(ask(`/mailboxes/${id}/claims`, {}));
  await data(ask(`/claims/${claim.claim_id}/ack`, {}));
  await data(ask(`/mailboxes/${id}/claims`, {})); // its lease runs out
  await data(ask("/expectations", { mailbox_id: id, from_domain: "example.net" }));
  const mail = { mailbox_id: id, to: "ann@one.example", subject: "Hello", body_text: "x" };
  await data(ask("/emails/send", { ...mail, idempotency_key: `key-${test.clock.now()}` }));
  const draft = await data(ask("/drafts", mail));
  await data(ask(`/drafts/${draft.draft_id}`, undefined, "DELETE"));
  const send_at = new Date(test.clock.now() + hourMs).toISOString();
  await data(ask("/emails/send", { ...mail, send_at }));
  const answer = await ask("/search", { query: "order" });
  assert.equal((await answer.json()).results.length > 0, true);
  await data(test.request("/api/auth/login", {
    json: { email: owner.email, password: owner.password },
  }));
}

Deno.test("after 31 days without a restart nothing is left of what was deleted or expired", async () => {
  // A shared store removes expired rows by itself, which no clock of a test moves.
  const clock = new FakeClock();
  const webhookTarget = new ScriptedTarget(clock);
  await using test = await testService({ instances: 1, parts: { clock, webhookTarget } });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  await data(test.request("/v1/api/webhooks", {
    token: owner.key,
    json: { url: "https://hook.example/", events: ["email.received"] },
  }));
  await data(test.request(`/v1/api/mailboxes/${mailbox_id}/policy`, {
    method: "PUT",
    token: owner.accessToken,
    json: { retention_days: 1 },
  }));
  await test.settle();
  const before = await rows(test);
  const end = sweepRegularly(test.service);
  try {
    const pass = async (days: number) => {
      for (let ms = 0; ms < days * dayMs; ms += hourMs) await test.advance(hourMs);
    };
    for (let day = 0; day < 3; day++) {
      await busyDay(test, owner, email_address, mailbox_id);
      await pass(1);
    }
    await pass(31);
    // It removes the claim of mail that is gone.
    const claims = `/v1/api/mailboxes/${mailbox_id}/claims`;
    assert.deepEqual(await data(test.request(claims, { token: owner.key, json: {} })), []);
    await pass(1);
    const after = await rows(test);
    const left = Object.keys(after).filter((table) => !(table in before) && !(table in kept));
    assert.deepEqual(left, []);
    for (const table of Object.keys(before)) {
      if (!(table in kept) && !table.startsWith("session")) {
        assert.equal(after[table], before[table], table);
      }
    }
  } finally {
    await end();
  }
});
