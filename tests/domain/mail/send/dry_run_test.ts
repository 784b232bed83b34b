import assert from "node:assert/strict";
import * as keys from "../../../../domain/store/keys.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { tool } from "../../../contract/budgets.ts";
import { callsOf, given } from "./drafts/approvals.ts";

async function rows(kv: Deno.Kv): Promise<string[]> {
  const found = [];
  for await (const { key, versionstamp } of kv.list({ prefix: [] })) {
    // A request is counted.
    if (key[0] !== "rate_windows" && key[0] !== "usage_reserved") {
      found.push(`${key} ${versionstamp}`);
    }
  }
  return found;
}

// SPEC: dry_run.answers, dry_run.hash
Deno.test("a dry run answers what would be done and writes nothing; its hash sends only that content", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  const box = await mailbox(test, owner);
  const { agent, policy } = callsOf(test, owner);
  const mail = {
    mailbox_id: box.mailbox_id,
    to: ["Ann <ann@one.example>", box.email_address],
    subject: "Hi",
    body_text: "x",
    attachments: [{ filename: "a.txt", content: btoa("y".repeat(100_000)) }],
  };
  const before = await rows(test.kv);
  const tried = await agent("POST", "/emails/send", {
    ...mail,
    dry_run: true,
    idempotency_key: "k",
  });
  assert.equal(tried.status, 200);
  const { content_hash, size } = tried.body.data;
  assert.ok(size > 130_000 && size < 150_000);
  assert.deepEqual(tried.body.data, {
    dry_run: true,
    would: "send",
    content_hash,
    from: box.email_address,
    to: ["Ann <ann@one.example>", box.email_address],
    cc: [],
    bcc: [],
    subject: "Hi",
    size,
    recipients: [
      { address: "ann@one.example", provenance: "new" },
      { address: box.email_address, provenance: "own" },
    ],
    reasons: [],
  });
  assert.deepEqual(await rows(test.kv), before);
  const { from, cc, bcc } = tried.body.data;
  const back = await given(agent("POST", "/emails/send", {
    ...{ ...mail, mailbox_id: undefined, from, cc, bcc, reply_to: [], dry_run: true },
  }));
  assert.equal(back.content_hash, content_hash, "the lists of an answer can be sent as they are");
  const would = async (more: Record<string, unknown>) => {
    const answer = await given(agent("POST", "/emails/send", { ...mail, dry_run: true, ...more }));
    assert.equal(answer.content_hash, content_hash);
    return [answer.would, answer.reasons];
  };
  assert.deepEqual(await would({ send_at: "2026-11-20T11:00:00Z" }), ["schedule", []]);
  await policy(box.mailbox_id, { approval: "new_recipients" });
  const reason = { recipient: "ann@one.example", provenance: "new" };
  assert.deepEqual(await would({}), ["pending_approval", [reason]]);
  await policy(box.mailbox_id, { block_recipients: ["@one.example"] });
  assert.deepEqual(await would({}), ["refuse", [{ ...reason, code: "RECIPIENT_BLOCKED" }]]);
  const suppressed = { address: "ann@one.example", status: "5.1.1", emailId: "", mailboxId: "" };
  const row = keys.suppression(owner.userId, suppressed.address);
  await test.service.database.transact((tx) => tx.set(row, { ...suppressed, createdAt: 0 }));
  assert.deepEqual(await would({}), ["refuse", [
    { ...reason, code: "RECIPIENT_SUPPRESSED" },
    { ...reason, code: "RECIPIENT_BLOCKED" },
  ]]);
  const both = await agent("POST", "/emails/send", mail);
  assert.equal(both.body.error.code, "RECIPIENT_SUPPRESSED");
  await test.service.database.transact((tx) => tx.delete(row));
  await policy(box.mailbox_id, { block_recipients: [], approval: "never" });

  const other = await agent("POST", "/emails/send", { ...mail, subject: "Ho", content_hash });
  assert.deepEqual([other.status, other.body.error.code], [409, "CONFLICT"]);
  const draft = await given(agent("POST", "/drafts", mail));
  assert.equal(draft.content_hash, content_hash);
  assert.equal((await agent("POST", "/emails/send", { ...mail, content_hash })).status, 201);
  const wrong = await agent("POST", "/emails/send", { ...mail, dry_run: true, to: "nobody" });
  assert.equal(wrong.status, 400);
});

// SPEC: dry_run.answers
Deno.test("a dry run of mail that would be kept looks at no quota and no pace of sends, as the real call", async () => {
  const plans = { enterprise: { sendsPerDay: 12 } };
  await using test = await testService({ plans });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, policy } = callsOf(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const reply = (more: Record<string, unknown>) =>
    agent("POST", `/emails/${email_id}/reply`, { body_text: "x", ...more });
  const send = (more: Record<string, unknown>) =>
    agent("POST", "/emails/send", {
      ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", body_text: "x", ...more },
    });
  for (let n = 0; n < 12; n++) await given(reply({}));
  const send_at = new Date(test.clock.now() + 2 * 86_400_000).toISOString();
  for (const call of [send, reply]) {
    const now = await given(call({ dry_run: true }));
    assert.deepEqual([now.would, (await call({})).status >= 400], ["refuse", true]);
    const later = await given(call({ send_at, dry_run: true }));
    assert.deepEqual([later.would, later.reasons], ["schedule", []]);
    assert.equal((await given(call({ send_at }))).status, "scheduled");
  }
  await policy(box.mailbox_id, { approval: "always" });
  for (const call of [send, reply]) {
    for (const more of [{}, { send_at }]) {
      const tried = await given(call({ ...more, dry_run: true }));
      assert.equal(tried.would, "pending_approval");
      assert.equal(tried.reasons[0].code, undefined);
      assert.equal((await given(call(more))).status, "pending_approval");
    }
  }
});

Deno.test("a dry run of mail that would be kept refuses if the drafts fill the plan's storage", async () => {
  const plans = { enterprise: { storageBytes: 10_000 } };
  await using test = await testService({ plans });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const send_at = new Date(test.clock.now() + 86_400_000).toISOString();
  const mail = { mailbox_id: box.mailbox_id, to: "ann@one.example", send_at };
  const body_text = "x".repeat(9_900);
  const tried = await given(agent("POST", "/emails/send", { ...mail, body_text, dry_run: true }));
  const real = await agent("POST", "/emails/send", { ...mail, body_text });
  assert.deepEqual([tried.would, tried.reasons[0].code], ["refuse", "FORBIDDEN"]);
  assert.deepEqual([real.status, real.body.error.code], [403, "FORBIDDEN"]);
});

// SPEC: budget.tools
Deno.test("what a send, reply, forward or draft answers over MCP keeps to max_chars of the URL; REST is whole", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, policy } = callsOf(test, owner);
  const people = (field: string) =>
    Array.from({ length: 15 }, (_, n) => `${field}-${n}-${"p".repeat(40)}@one.example`);
  const [to, cc, bcc] = ["to", "cc", "bcc"].map(people);
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({ From: to[0], To: [box.email_address, ...to].join(",\r\n "), Cc: cc.join(",\r\n ") }),
  );
  await test.settle();
  const { mailbox_id } = box;
  const mail = { mailbox_id, to, cc, bcc, subject: '"'.repeat(990), body_text: "x" };
  const reply = { email_id, reply_all: true, bcc, body_text: "x" };
  const forward = { email_id, to, cc, bcc };
  const url = "/v1/mcp?toolset=full&max_chars=2000";
  const ask = async (name: string, args: Record<string, unknown>, whole = false) => {
    const at = whole ? {} : { url, maxChars: 2_000 };
    const answer = await tool(test, owner, name, args, at);
    assert.equal(answer.truncated, whole ? undefined : true, JSON.stringify(answer));
    return answer;
  };
  const sends = { send_email: mail, reply_email: reply, forward_email: forward };
  for (const [name, args] of Object.entries(sends)) {
    const dry = { ...args, dry_run: true };
    const whole = await ask(name, dry, true);
    const short = await ask(name, dry);
    for (const field of ["would", "content_hash", "size"]) {
      assert.equal(short[field], whole[field], name);
    }
    assert.deepEqual([short.to, short.cc, short.bcc], [[], [], []]);
    assert.deepEqual(short.recipients, whole.recipients.slice(0, short.recipients.length));
    await ask(name, args);
  }
  const drafts = [
    await given(agent("POST", "/drafts", mail)),
    await given(agent("POST", "/drafts", mail)),
  ];
  assert.equal(
    (await ask("send_draft", { draft_id: drafts[0].draft_id })).draft_id,
    drafts[0].draft_id,
  );
  await policy(mailbox_id, { approval: "always" });
  const held = await ask("send_draft", { draft_id: drafts[1].draft_id });
  assert.deepEqual([held.status, held.draft_id], ["pending_approval", drafts[1].draft_id]);
  assert.equal((await ask("send_email", mail)).status, "pending_approval");
  const rest = await given(agent("POST", "/emails/send", { ...mail, dry_run: true }));
  assert.deepEqual([rest.to, rest.recipients.length, rest.truncated], [to, 45, undefined]);
});

// SPEC: loops.thread
Deno.test("the 13th send in ten minutes to one recipient of a thread is refused, whatever the way", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, person, policy, sentMails } = callsOf(test, owner);
  const { email_id } = await deliver(test, box.email_address, message({ "Message-ID": "<1@x>" }));
  await test.settle();
  const reply = (more: Record<string, unknown> = {}) =>
    agent("POST", `/emails/${email_id}/reply`, { body_text: "x", ...more });
  const at = test.clock.now();
  for (let n = 0; n < 12; n++) {
    test.clock.advance(1_000);
    if (n % 2) await given(reply());
    else {
      const draft = await given(
        agent("POST", "/drafts", { reply_to_email_id: email_id, body_text: "x" }),
      );
      await given(agent("POST", `/drafts/${draft.draft_id}/send`, {}));
    }
  }
  const refused = await reply({ bcc: "other@one.example" });
  assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.details], [
    429,
    "RATE_LIMIT_EXCEEDED",
    { limit: 12, window: "thread", retry_after: 589 },
  ]);
  const tried = await given(reply({ dry_run: true }));
  assert.deepEqual([tried.would, tried.reasons[0].code], ["refuse", "RATE_LIMIT_EXCEEDED"]);
  // The whole mail is refused: the other recipient got nothing.
  assert.equal(await sentMails(), 12);
  // Mail that a person approves is neither counted nor stopped.
  await policy(box.mailbox_id, { approval: "always" });
  const held = await given(reply());
  const { content_hash } = held;
  await given(person("POST", `/drafts/${held.draft_id}/approve`, { content_hash }));
  await policy(box.mailbox_id, { approval: "never" });
  // A scheduled send waits until the thread is free again.
  const send_at = new Date(test.clock.now() + 1_000).toISOString();
  const later = await given(reply({ send_at }));
  await test.advance(1_000);
  assert.equal((await given(agent("GET", `/drafts/${later.draft_id}`))).status, "scheduled");
  await test.advance(at + 601_000 - test.clock.now());
  assert.equal((await given(agent("GET", `/drafts/${later.draft_id}`))).status, "sent");
  assert.equal((await reply()).status, 429, "the scheduled one counts now");
  await test.advance(1_000);
  assert.equal((await reply()).status, 201);
});

Deno.test("the addresses of one mailbox with other tags and letters are one recipient of a thread", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const arrive = async (fields: Record<string, string>) =>
    (await deliver(test, box.email_address, message(fields))).email_id;
  const first = await arrive({ "Message-ID": "<1@x>", From: "ada@x.example", Cc: "bob@x.example" });
  const second = await arrive({ ...answerTo("<1@x>"), From: "bob@x.example", Cc: "ada@x.example" });
  const reply = (id: string, more: object = {}) =>
    agent("POST", `/emails/${id}/reply`, { body_text: "x", ...more });
  for (let n = 0; n < 12; n++) await given(reply(first, { cc: `BOB+${n}@x.example` }));
  assert.equal((await reply(second)).status, 429);
});

const answerTo = (id: string) => ({ "Message-ID": "<2@x>", "In-Reply-To": id, References: id });

Deno.test("two agents that answer each other stop after twelve mails each", async () => {
  await using test = await testService();
  const one = await account(test), two = await account(test);
  const boxes = [await mailbox(test, one), await mailbox(test, two)];
  const agents = [one, two].map((owner) => callsOf(test, owner).agent);
  await given(agents[0]("POST", "/emails/send", {
    ...{ mailbox_id: boxes[0].mailbox_id, to: boxes[1].email_address, body_text: "Hello" },
  }));
  let last = "";
  for (let turn = 1; turn < 60; turn++) {
    await test.settle();
    const agent = agents[turn % 2];
    const [newest] = (await agent("GET", "/emails?direction=inbound&limit=1")).body.data;
    const answer = await agent("POST", `/emails/${newest.email_id}/reply`, {
      body_text: "And you?",
    });
    if (answer.status === 201) continue;
    last = answer.body.error.details.window;
    break;
  }
  assert.equal(last, "thread");
  const counts = await Promise.all([one, two].map((owner) => callsOf(test, owner).sentMails()));
  assert.deepEqual(counts, [12, 12]);
});

// SPEC: loops.automatic
Deno.test("automatic: true marks the message, and its answer is slowed down", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner), second = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const sent = await given(agent("POST", "/emails/send", {
    ...{ mailbox_id: box.mailbox_id, to: second.email_address, body_text: "x", automatic: true },
  }));
  await test.settle();
  const raw = await test.request(`/v1/api/emails/${sent.email_id}/raw`, { token: owner.key });
  assert.match(await raw.text(), /^Auto-Submitted: auto-replied\r$/m);
  const received = (await agent("GET", `/emails?mailbox_id=${second.mailbox_id}`)).body.data[0];
  assert.equal(received.automated, true);
  const reply = () => agent("POST", `/emails/${received.email_id}/reply`, { body_text: "x" });
  assert.equal((await reply()).status, 201);
  assert.equal((await reply()).status, 429);
});
