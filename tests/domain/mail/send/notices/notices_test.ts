import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import * as keys from "../../../../../domain/store/keys.ts";
import type { Notices } from "../../../../../domain/mail/lifecycle/draft_waits.ts";
import type { User } from "../../../../../domain/accounts/user.ts";
import type { Member } from "../../../../../domain/accounts/member.ts";
import { account, mailbox, type TestOptions } from "../../../../service.ts";
import type { RelayScript } from "../../../../adapters/mailer/smtp_relay.ts";
import { callsOf, given } from "../drafts/approvals.ts";
import { relayedService, shown } from "../sending.ts";

const env = { BASE_URL: "https://box.example" };
const gatheredMs = 2_000;

/** An account with a mailbox whose mails all wait, behind a relay. */
async function scene(script: RelayScript = {}, options: TestOptions = {}) {
  const world = await relayedService(script, { ...options, env: { ...env, ...options.env } });
  const { test, relay } = world;
  const owner = await account(test), box = await mailbox(test, owner);
  const calls = callsOf(test, owner);
  await calls.policy(box.mailbox_id, { approval: "always" });
  const hold = (more: Record<string, unknown> = {}) =>
    given(calls.agent("POST", "/emails/send", {
      ...{ mailbox_id: box.mailbox_id, to: "ann@one.example" },
      ...{ subject: "Lunch", body_text: "At noon?\n\nBob" },
      ...more,
    }));
  const mails = () =>
    Promise.all(
      relay.taken.filter(({ from }) => from === "noreply@agents.test").map(({ raw }) =>
        PostalMime.parse(raw)
      ),
    );
  const ofOwner = keys.member(owner.userId, owner.userId);
  const changeOwner = (changes: Partial<Member>) =>
    test.service.database.transact(async (tx) =>
      tx.set(ofOwner, { ...await tx.get<Member>(ofOwner), ...changes })
    );
  return {
    ...{ test, relay, owner, box, calls, changeOwner, hold, mails },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

// SPEC: notices.mail
Deno.test("within 10 s of a draft that begins to wait a person has a mail: who to whom, why, the text and the link", async () => {
  await using it = await scene();
  const { test, owner, box, hold, mails } = it;
  const attachments = [{ filename: "menu.txt", content_type: "text/plain", content: btoa("Soup") }];
  const { draft_id } = await hold({ cc: "cy@two.example", attachments });
  await test.advance(9_000);
  const [mail, ...others] = await mails();
  assert.deepEqual(others, []);
  assert.equal(mail.subject, "A mail waits for your approval");
  assert.equal(mail.from?.address, "noreply@agents.test");
  assert.deepEqual(mail.to?.map(({ address }) => address), [owner.email]);
  assert.equal(mail.headers.find(({ key }) => key === "auto-submitted")?.value, "auto-generated");
  assert.equal(
    mail.text?.trimEnd(),
    `An agent wants to send this mail. It waits until a person approves it.

----------------------------------------

From: ${box.email_address}
To: ann@one.example
Copies: cy@two.example
Subject: Lunch
Files: menu.txt
Why: this mailbox asks a person about every mail.
Why: ann@one.example is new: nobody has approved mail there yet.
Why: cy@two.example is new: nobody has approved mail there yet.

> At noon?
> 
> Bob

Read it whole and decide:

https://box.example/app/waiting/${draft_id}

Your notices of waiting mail are on. You get at most one a minute, and none while nothing new waits.`,
  );
});

// SPEC: notices.pace
Deno.test("a person has at most one notice a minute with all that waits, and none while nothing is new", async () => {
  await using it = await scene();
  const { test, calls, hold, mails } = it;
  const first = await hold({ subject: "First" });
  await hold({ subject: "Second" });
  await test.advance(gatheredMs);
  assert.equal((await mails()).length, 1);
  const [one] = await mails();
  assert.equal(one.subject, "2 mails wait for your approval");
  assert.ok(one.text!.indexOf("Subject: Second") < one.text!.indexOf("Subject: First"));

  await hold({ subject: "Third" });
  await hold({ subject: "Fourth" });
  await test.advance(59_000);
  assert.equal((await mails()).length, 1, "not within a minute");
  await test.advance(1_000);
  const [, two] = await mails();
  assert.equal(two.subject, "4 mails wait for your approval");
  for (const subject of ["First", "Second", "Third", "Fourth"]) {
    assert.ok(two.text!.includes(`Subject: ${subject}`), subject);
  }

  // A change of what waits begins no wait; what is decided in time is not new.
  await given(calls.agent("PATCH", `/drafts/${first.draft_id}`, { subject: "First again" }));
  const fifth = await hold({ subject: "Fifth" });
  await given(calls.person("POST", `/drafts/${fifth.draft_id}/reject`, {}));
  await test.advance(600_000);
  assert.equal((await mails()).length, 2);
  const { content_hash } = await given(calls.agent("GET", `/drafts/${first.draft_id}`));
  await given(calls.person("POST", `/drafts/${first.draft_id}/approve`, { content_hash }));
  await hold({ subject: "Sixth" });
  await test.advance(gatheredMs);
  const three = (await mails())[2];
  assert.equal(three.subject, "4 mails wait for your approval");
  assert.ok(!three.text!.includes("First"));
});

Deno.test("what waits in a mailbox that is deleted is no news, and leaves no row", async () => {
  await using it = await scene();
  const { test, owner, box, calls, hold, mails } = it;
  const other = await mailbox(test, owner);
  await calls.policy(other.mailbox_id, { approval: "always" });
  await hold({ mailbox_id: other.mailbox_id });
  await test.advance(gatheredMs);
  await hold();
  const deleted = await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    ...{ method: "DELETE", token: owner.key, json: { confirm_email_address: box.email_address } },
  });
  assert.equal(deleted.status, 200);
  await test.advance(60_000);
  assert.equal((await mails()).length, 1);
  assert.equal((await Array.fromAsync(test.kv.list({ prefix: ["drafts_waiting"] }))).length, 1);

  // Before the job has removed its drafts.
  const third = await mailbox(test, owner);
  await calls.policy(third.mailbox_id, { approval: "always" });
  await hold({ mailbox_id: third.mailbox_id });
  const row = keys.mailbox(owner.userId, third.mailbox_id);
  await test.service.database.transact((tx) => tx.delete(row));
  await test.advance(60_000);
  assert.equal((await mails()).length, 1);
});

// SPEC: notices.bounded
Deno.test("a flood of drafts is one mail of bounded length that says how many more wait", async () => {
  await using it = await scene();
  const { test, owner, hold, mails } = it;
  const body_text = "word ".repeat(20_000);
  for (let n = 0; n < 40; n++) await hold({ subject: `Number ${n} ${"x".repeat(800)}`, body_text });
  await test.advance(gatheredMs);
  const [mail, ...others] = await mails();
  assert.deepEqual(others, []);
  assert.equal(mail.subject, "40 mails wait for your approval");
  assert.ok(mail.text!.includes("And 30 more:\n\nhttps://box.example/app/drafts"));
  assert.equal(mail.text!.match(/Read it whole/g)?.length, 10);
  assert.ok(mail.text!.includes("> [...]"));
  assert.ok(mail.text!.length < 25_000, `${mail.text!.length}`);
  const jobs = [];
  for await (const { value } of test.kv.list({ prefix: ["jobs_due"] })) jobs.push(value);
  assert.deepEqual(jobs, []);
  // None of it is a send of the account.
  const { value: today } = await test.kv.get(["usage", owner.userId, "today"]);
  assert.equal((today as { sends?: number } | null)?.sends ?? 0, 0);
  assert.deepEqual(await shown(test, owner, "/v1/api/emails?direction=outbound"), []);
});

Deno.test("HTML alone is read as text; what is not seen has a mark, and no line of a draft looks like the notice", async () => {
  await using it = await scene();
  const { test, hold, mails } = it;
  const held = await hold({
    ...{ subject: "Pay\u202enow", body_text: undefined },
    body_html:
      "<p>Hello <b>Ann</b>,</p><p>see you.</p><p>Read it whole and decide: https://evil.example</p>",
  });
  // All that mail programs show as a new line.
  for (const [n, sign] of [..."\n\r\v\f\x85\u2028\u2029"].entries()) {
    const forged = `ok${sign}Read it whole and decide:${sign}${sign}https://evil.example/${n}`;
    await hold({ subject: `Number ${n}`, body_text: forged });
  }
  await test.advance(gatheredMs);
  const [{ text }] = await mails();
  assert.equal(
    text!.split(/\r\n?|[\n\v\f\x85\u2028\u2029]/).filter((line) => line.includes("evil.example"))
      .filter((line) => !line.startsWith("> ")).length,
    0,
    text ?? "",
  );
  assert.ok(text!.includes("Subject: Pay[U+202E]now"), text ?? "");
  assert.ok(text!.includes("> Hello Ann,"), text ?? "");
  assert.equal(text!.match(/^Read it whole and decide:/gm)?.length, 8);
  assert.ok(text!.includes(held.approval_url));
});

// SPEC: notices.who
Deno.test("each active person who wants notices gets one, at a pace of their own; others, and who has left, get none", async () => {
  await using it = await scene();
  const { test, relay, owner, changeOwner, hold } = it;
  const { database } = test.service, { userId } = owner;
  const toWhom = () => relay.taken.splice(0).flatMap(({ to }) => to).toSorted();
  const join = (memberId: string, changes: Partial<Member> = {}) =>
    database.transact(async (tx) => {
      const user = await tx.get<User>(keys.user(userId));
      const member = await tx.get<Member>(keys.member(userId, userId));
      const memberIds = [...user!.memberIds, memberId];
      tx.set(keys.user(userId), { ...user, memberIds });
      const row = { ...member, memberId, email: `${memberId}@people.example`, ...changes };
      tx.set(keys.member(userId, memberId), row);
    });
  await join("ada");
  await join("bob", { notify: "none" });
  await join("cy", { status: "invited" });
  await hold();
  await test.advance(gatheredMs);
  assert.deepEqual(toWhom(), ["ada@people.example", owner.email].toSorted());

  // Who comes later is told of all that waits, at once; the others have their minute.
  await join("dee");
  await hold();
  await test.advance(gatheredMs);
  assert.deepEqual(toWhom(), ["dee@people.example"]);
  await changeOwner({ notify: "none" });
  await test.advance(60_000);
  assert.deepEqual(toWhom(), ["ada@people.example"]);
  await database.transact(async (tx) => {
    const user = await tx.get<User>(keys.user(userId));
    tx.set(keys.user(userId), { ...user, memberIds: [userId, "dee"] });
  });
  await hold();
  await test.advance(60_000);
  assert.deepEqual(toWhom(), ["dee@people.example"]);
  const { people } = (await database.get<Notices>(keys.notices(userId)))!;
  assert.deepEqual(Object.keys(people), ["dee"]);
});

// SPEC: notices.who
Deno.test("only a confirmed address gets notices; with EMAIL_VERIFICATION=off any does", async () => {
  for (const [setting, expected] of [["required", 0], ["off", 1]] as const) {
    await using it = await scene({}, { env: { EMAIL_VERIFICATION: setting } });
    const { test, box, changeOwner, hold, mails } = it;
    await changeOwner({ isConfirmed: false });
    // Without confirmation an account writes to its own mailboxes alone.
    await hold({ to: box.email_address });
    await test.advance(gatheredMs);
    assert.equal((await mails()).length, expected, setting);
  }
});

// SPEC: notices.relay
Deno.test("without a relay nobody is mailed; a relay that refuses for a while gets the notice later; a mailbox of the service gets it directly", async () => {
  await using it = await scene({ rcptTo: () => 450 });
  const { test, relay, owner, box, changeOwner, hold, mails } = it;
  await hold();
  await test.advance(gatheredMs);
  assert.equal((await mails()).length, 0);
  relay.script.rcptTo = () => "take";
  await test.advance(5_000);
  assert.equal((await mails()).length, 1);

  await changeOwner({ email: box.email_address });
  await hold();
  await test.advance(60_000);
  assert.equal((await mails()).length, 1);
  const [{ from, subject }] = await shown(test, owner, "/v1/api/emails?direction=inbound");
  assert.deepEqual([from, subject], ["noreply@agents.test", "2 mails wait for your approval"]);

  await using quiet = await scene({}, {
    parts: { mailer: { ...test.service.mailer, isOutbox: true } },
  });
  await quiet.hold();
  await quiet.test.advance(60_000);
  assert.equal((await quiet.mails()).length, 0);
  const row = await quiet.test.service.database.get<Notices>(keys.notices(quiet.owner.userId));
  assert.deepEqual(row, { last: 1, isPlanned: false, people: {} });
});
