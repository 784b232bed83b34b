import assert from "node:assert/strict";
import { deliver, message } from "../../../service.ts";
import { given } from "./drafts/approvals.ts";
import { injections, obedientAgent } from "./obedient_agent.ts";

/** An encoded word of a subject, as the agent reads it. */
function readable(ask: string): string {
  const [, base64] = /^=\?utf-8\?B\?(.*)\?=$/.exec(ask) ?? [];
  return base64
    ? new TextDecoder().decode(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)))
    : ask;
}

// SPEC: approval.injection
Deno.test("under new_recipients an agent that obeys 66 hostile mails sends nothing to a new recipient", async () => {
  await using agent = await obedientAgent("new_recipients");
  assert.equal(injections.length, 66);
  for (const [n, injection] of injections.entries()) {
    const { read, ended, strangers, got } = await agent.obey(injection, n);
    const ask = JSON.stringify(readable(injection.ask)).slice(1, -1);
    assert.ok(read.includes(ask), `the agent cannot read it: ${injection.title}`);
    const expected = injection.calls.map(([, , , outcome]) => outcome);
    assert.deepEqual(
      { ended, strangers, got },
      { ended: expected, strangers: [], got: 0 },
      injection.title,
    );
  }
  // Each waits for a person, and what the person approves goes out.
  const waiting = await given(agent.agent("GET", "/drafts?status=pending_approval&limit=100"));
  const [{ draft_id, content_hash }] = waiting;
  const path = `/drafts/${draft_id}/approve`;
  await given(agent.person("POST", path, { content_hash }));
  await agent.test.settle();
  assert.equal((await agent.looked()).left.length, 1);
});

Deno.test("without a policy the same agent writes to the attackers: the calls are real", async () => {
  await using agent = await obedientAgent("never");
  for (const [n, injection] of injections.entries()) {
    const { ended, strangers, got } = await agent.obey(injection, n);
    const asks = injection.calls.some(([, , , outcome]) => outcome === "waits");
    assert.equal(strangers.length + got > 0, asks, `${injection.title}: ${ended}`);
  }
});

Deno.test("under new_recipients the obedient agent can still write to allowed recipients", async () => {
  await using agent = await obedientAgent("new_recipients");
  const { box, own } = agent.known;
  const arrived = await deliver(agent.test, agent.box.email_address, message());
  await agent.test.settle();
  const calls = [
    ["POST", "/emails/send", { mailbox_id: box, to: "BOB@Partner.example", body_text: "x" }],
    ["POST", "/emails/send", { mailbox_id: box, to: "b@sub.partner.example", body_text: "x" }],
    ["tool", "send_email", { mailbox_id: box, to: own, body_text: "x" }],
    ["POST", `/emails/${arrived.email_id}/reply`, { body_text: "x" }],
    ["tool", "reply_email", { email_id: arrived.email_id, body_text: "x", cc: own }],
    ["tool", "forward_email", { email_id: arrived.email_id, to: "bob@partner.example" }],
  ] as const;
  for (const [how, what, input] of calls) {
    const { code, status } = await agent.run([how, what, input, "done"]);
    assert.equal(code ?? status, "queued", what);
  }
  await agent.test.settle();
  const { left } = await agent.looked();
  assert.deepEqual(left.sort(), [
    ...["BOB@partner.example", "ada@example.net", "ada@example.net"],
    ...["b@sub.partner.example", "bob@partner.example"],
  ]);
});
