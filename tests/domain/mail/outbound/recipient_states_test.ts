import assert from "node:assert/strict";
import {
  newOutgoing,
  queuedAddresses,
  sendingExpiresAfterMs,
  settleAttempt,
  settleBounce,
  statusCode,
} from "../../../../domain/mail/outbound/recipient_states.ts";
import type { RecipientResult, SendOutcome } from "../../../../domain/ports/mailer.ts";

const t0 = 1_800_000_000_000;
const fresh = newOutgoing(
  "e1",
  ["Ann@one.example", "bo@two.example", "ann@one.example"],
  t0,
);
const result = (recipient: string, outcome: SendOutcome, response = ""): RecipientResult => ({
  recipient,
  outcome,
  response,
});
const [ann, bo] = queuedAddresses(fresh);

Deno.test("a new row has each recipient once, queued", () => {
  assert.deepEqual(queuedAddresses(fresh), ["ann@one.example", "bo@two.example"]);
});

Deno.test("temporary failures are tried again after 5 s, 30 s, 2 min, 10 min, then hourly for 24 h", () => {
  const delays: number[] = [];
  let now = t0, outgoing = fresh;
  for (;;) {
    const settled = settleAttempt(outgoing, [
      result(ann, "temporary", "451 later"),
      result(bo, "temporary"),
    ], now);
    if (settled.retryAt === null) {
      assert.equal(settled.status, "failed");
      assert.deepEqual(settled.givenUp.expired.map(({ address }) => address), [ann, bo]);
      assert.equal(settled.givenUp.expired[0].response, "451 later");
      break;
    }
    assert.equal(settled.status, "queued");
    delays.push((settled.retryAt - now) / 1_000);
    now = settled.retryAt;
    outgoing = settled.outgoing;
  }
  assert.deepEqual(delays, [5, 30, 120, 600, ...Array.from({ length: 23 }, () => 3_600)]);
  assert.ok(now <= t0 + sendingExpiresAfterMs);
});

Deno.test("each recipient has its own outcome, and only the queued ones are tried again", () => {
  const first = settleAttempt(fresh, [
    result(ann, "sent", "250 ok"),
    result(bo, "temporary", "450 4.2.1 busy"),
  ], t0);
  assert.equal(first.status, "queued");
  assert.deepEqual(queuedAddresses(first.outgoing), [bo]);
  const second = settleAttempt(first.outgoing, [result(bo, "permanent", "550 5.1.1 no")], t0 + 5);
  assert.deepEqual(second.outgoing.recipients, [
    { address: ann, state: "sent", response: "250 ok" },
    { address: bo, state: "failed", response: "550 5.1.1 no" },
  ]);
  assert.equal(second.status, "sent");
  assert.equal(second.retryAt, null);
  assert.deepEqual(second.givenUp.rejected.map(({ address }) => address), [bo]);
});

Deno.test("an email that reached nobody is failed", () => {
  const settled = settleAttempt(fresh, [result(ann, "permanent"), result(bo, "permanent")], t0);
  assert.equal(settled.status, "failed");
});

Deno.test("a bounce fails a sent recipient once, in any letter case, and no other", () => {
  const { outgoing } = settleAttempt(fresh, [result(ann, "sent"), result(bo, "sent")], t0);
  const bounced = new Map([[ann, "550 5.1.1 gone"], ["eve@evil.example", "550"]]);
  const first = settleBounce(outgoing, bounced);
  assert.deepEqual(first.failed, [{ address: ann, state: "failed", response: "550 5.1.1 gone" }]);
  assert.deepEqual(settleBounce(first.outgoing, bounced).failed, []);
});

Deno.test("statusCode() prefers the enhanced code", () => {
  assert.equal(statusCode("550 5.1.1 <a@b.example> unknown"), "5.1.1");
  assert.equal(statusCode("552 too large"), "552");
  assert.equal(statusCode("Connection closed"), null);
});
