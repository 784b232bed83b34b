import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { callsOf, given } from "./drafts/approvals.ts";

const limit = 3_000_000;

/** A service that counts what it does with messages. */
async function counted() {
  // One instance: the counts are of its parts.
  const test = await testService({
    instances: 1,
    plans: { enterprise: { maxEmailBytes: limit } },
  });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const { parsing, largeMessageTurns } = test.service;
  const done = { parsed: 0, turns: 0 };
  const parse = parsing.parse.bind(parsing);
  parsing.parse = (...given) => (done.parsed++, parse(...given));
  const run = largeMessageTurns.run.bind(largeMessageTurns);
  largeMessageTurns.run = (...given) => (done.turns++, run(...given));
  return {
    ...{ test, owner, done, email_address, ...callsOf(test, owner) },
    mail: { mailbox_id, to: "ann@one.example", body_text: "x" },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a message that is surely too large is refused before it is composed: by send, dry run, reply and drafts", async () => {
  await using it = await counted();
  const { email_id } = await deliver(it.test, it.email_address, message());
  await it.test.settle();
  const draft = await given(it.agent("POST", "/drafts", it.mail));
  Object.assign(it.done, { parsed: 0, turns: 0 });
  const body_text = "x".repeat(limit + 1);
  const file = { filename: "a", content: new Uint8Array(limit).toBase64() };
  const larges = [{ body_text }, { body_html: body_text }, { attachments: [file] }];
  for (const large of larges) {
    const mail = { ...it.mail, ...large };
    for (
      const answer of [
        await it.agent("POST", "/emails/send", mail),
        await it.agent("POST", `/emails/${email_id}/reply`, { body_text: "x", ...large }),
        // The text of a draft has a limit of its own.
        ...(large === larges[2]
          ? [
            await it.agent("POST", "/drafts", mail),
            await it.agent("PATCH", `/drafts/${draft.draft_id}`, large),
          ]
          : []),
      ]
    ) {
      assert.deepEqual([answer.status, answer.body.error?.code], [413, "EMAIL_TOO_LARGE"]);
      assert.equal(answer.body.error.details.limit, limit);
    }
    for (const later of [{}, { send_at: new Date(it.test.clock.now() + 60_000).toISOString() }]) {
      const dry = await given(
        it.agent("POST", "/emails/send", { ...mail, ...later, dry_run: true }),
      );
      assert.equal(dry.would, "refuse");
      assert.deepEqual(dry.reasons, [
        { recipient: "ann@one.example", provenance: "new", code: "EMAIL_TOO_LARGE" },
      ]);
      assert.equal(dry.size > limit, true);
    }
  }
  assert.deepEqual(it.done, { parsed: 0, turns: 0 });
});

Deno.test("a large message is composed in turn, in a dry run too, and whether text or files make it large", async () => {
  await using it = await counted();
  const file = { filename: "a", content: new Uint8Array(1_100_000).toBase64() };
  const body_text = "x".repeat(1_100_000);
  const larges = [{ body_text }, { body_html: body_text }, { attachments: [file] }];
  for (const large of larges) {
    for (const dry_run of [true, false]) {
      it.done.turns = 0;
      const answer = await given(
        it.agent("POST", "/emails/send", { ...it.mail, ...large, dry_run }),
      );
      assert.equal(answer.would ?? answer.status, dry_run ? "send" : "stored");
      assert.equal(it.done.turns, 1, `${Object.keys(large)} ${dry_run}`);
    }
  }
});

Deno.test("the size of an email that is forwarded whole is asked before it is read", async () => {
  await using it = await counted();
  const { email_id } = await deliver(
    it.test,
    it.email_address,
    message({}, "x\n".repeat(500_000)),
  );
  await it.test.settle();
  it.test.service.plans.enterprise.maxEmailBytes = 500_000;
  const path = `/emails/${email_id}/forward`;
  const forward = { to: "ann@one.example", as: "attachment" };
  const dry = await given(it.agent("POST", path, { ...forward, dry_run: true }));
  assert.deepEqual([dry.would, dry.reasons[0].code], ["refuse", "EMAIL_TOO_LARGE"]);
  for await (const { key } of it.test.kv.list({ prefix: ["blob_chunks"] })) {
    await it.test.kv.delete(key);
  }
  const answer = await it.agent("POST", path, forward);
  assert.deepEqual([answer.status, answer.body.error?.code], [413, "EMAIL_TOO_LARGE"]);
});
