import assert from "node:assert/strict";
import type { SendingEffect as Effect } from "../../../../domain/mail/lifecycle/effects.ts";
import {
  queuedAddresses,
  sending,
  sendingExpiresAfterMs,
  sendStatus,
  statusCode,
} from "../../../../domain/mail/lifecycle/sending.ts";
import type { Outgoing } from "../../../../domain/mail/record/outgoing.ts";
import type { RecipientState } from "../../../../domain/webhooks/events.ts";
import type { RecipientResult, SendOutcome } from "../../../../domain/ports/mailer.ts";
import { root } from "../../../architecture/imports.ts";
import { drawnTable, tableOf } from "./tables.ts";

const t0 = 1_800_000_000_000;
const ann = "ann@one.example", bo = "bo@two.example";

const accepted = (addresses: string[], local: string[] = [], isOutbox = false) =>
  sending(null, {
    type: "accept",
    ...{ userId: "u", emailId: "e1", addresses, local: new Set(local), isOutbox },
    ...{ returnPath: undefined, now: t0 },
  });
const result = (recipient: string, outcome: SendOutcome, response = ""): RecipientResult => ({
  ...{ recipient, outcome, response },
});
const attempted = (before: Outgoing, results: RecipientResult[], now = t0) =>
  sending(before, { type: "attempt", results, now });
const reported = (
  before: Outgoing,
  addresses: string[],
  diagnostic: string | null = null,
  isDeleted = false,
) =>
  sending(before, {
    type: "report",
    isDeleted,
    failures: new Map(addresses.map((each) => [
      each,
      { addresses: [each], outcome: "permanent", status: "5.1.1", diagnostic },
    ])),
  });
const failuresOf = (effects: readonly Effect[]) =>
  effects.flatMap((each) =>
    "emailEvent" in each && each.emailEvent === "email.failed" ? [each.failure] : []
  );
const againOf = (effects: readonly Effect[]) =>
  effects.flatMap((each) => "again" in each ? [each.again] : []);

const { next: fresh } = accepted(["Ann@one.example", bo, ann]);

/** A send to one recipient in this state. */
function sendThatIs(state: RecipientState): Outgoing {
  const recipients = [{ address: ann, state, response: "" }];
  return { emailId: "e1", createdAt: t0, attempts: 1, recipients };
}

const late = t0 + sendingExpiresAfterMs;
/** Every variant of every event of one recipient. */
const events: Record<string, ((before: Outgoing | null) => Outgoing)[]> = {
  accept: [[], [ann]].flatMap((local) =>
    [false, true].map((isOutbox) => (before: Outgoing | null) =>
      sending(before, {
        type: "accept",
        ...{ userId: "u", emailId: "e1", addresses: [ann], local: new Set(local), isOutbox },
        ...{ returnPath: undefined, now: t0 },
      }).next
    )
  ),
  ...Object.fromEntries((["sent", "temporary", "permanent"] as const).map((outcome) => [
    outcome,
    [t0, late].map((now) => (before: Outgoing | null) =>
      attempted(before!, [result(ann, outcome)], now).next
    ),
  ])),
  bounced: [(before) => reported(before!, [ann]).next],
};

Deno.test("every event moves a recipient as the table on top of sending.ts says, or is an error that names both", async () => {
  const table = await tableOf("sending");
  const states = ["none", "queued", "sent", "failed", "stored"] as const;
  assert.deepEqual([...table.keys()], [...states]);
  for (const state of states) {
    const row = table.get(state)!;
    assert.deepEqual([...row.keys()], Object.keys(events));
    for (const [event, variants] of Object.entries(events)) {
      const before = state === "none" ? null : sendThatIs(state);
      const expected = row.get(event)!;
      const found = new Set<string>();
      for (const move of variants) {
        if (expected.length > 0) found.add(move(before).recipients[0].state);
        else {
          const named = /^Error: (accept|attempt|report) is impossible .* (none|begun)$/;
          assert.throws(() => move(before), named);
        }
      }
      assert.deepEqual([...found].toSorted(), expected.toSorted(), `${state}, ${event}`);
    }
  }
});

Deno.test("a new send has each recipient once, and one job; without a relay others than mailboxes of the service are stored", () => {
  assert.deepEqual(queuedAddresses(fresh), [ann, bo]);
  const payload = { userId: "u", emailId: "e1" };
  const jobs = (...given: Parameters<typeof accepted>) => accepted(...given).effects;
  assert.deepEqual(jobs([ann, bo], [ann]), [{ job: "send_email", payload }]);
  assert.deepEqual(jobs([ann, bo], [ann, bo]), [{ job: "send_within", payload }]);
  assert.deepEqual(jobs([ann, bo], [ann], true), [{ job: "send_within", payload }]);
  assert.deepEqual(jobs([ann, bo], [], true), []);
  assert.deepEqual(accepted([ann, bo], [ann], true).next.recipients, [
    { address: ann, state: "queued", response: "" },
    { address: bo, state: "stored", response: "kept in the outbox, no relay is set" },
  ]);
});

Deno.test("temporary failures are tried again after 5 s, 30 s, 2 min, 10 min, then hourly for 24 h", () => {
  const delays: number[] = [];
  let now = t0, outgoing = fresh;
  for (;;) {
    const { next, effects } = attempted(outgoing, [
      result(ann, "temporary", "451 later"),
      result(bo, "temporary"),
    ], now);
    const [again] = againOf(effects);
    if (again === null) {
      assert.equal(sendStatus(next), "failed");
      const [failure] = failuresOf(effects);
      assert.deepEqual(failure, {
        ...{ reason: "expired", recipients: [ann, bo], smtp_status: "451", message: "451 later" },
      });
      break;
    }
    assert.equal(sendStatus(next), "queued");
    assert.deepEqual(failuresOf(effects), []);
    delays.push((again - now) / 1_000);
    [now, outgoing] = [again, next];
  }
  assert.deepEqual(delays, [5, 30, 120, 600, ...Array.from({ length: 23 }, () => 3_600)]);
  assert.ok(now <= t0 + sendingExpiresAfterMs);
});

Deno.test("each recipient has its own outcome, and only the queued ones are tried again", () => {
  const first = attempted(fresh, [
    result(ann, "sent", "250 ok"),
    result(bo, "temporary", "450 4.2.1 busy"),
  ]);
  assert.equal(sendStatus(first.next), "queued");
  assert.deepEqual(first.effects, [{ again: t0 + 5_000 }]);
  assert.deepEqual(queuedAddresses(first.next), [bo]);
  const second = attempted(first.next, [result(bo, "permanent", "550 5.1.1 no")], t0 + 5);
  assert.deepEqual(second.next.recipients, [
    { address: ann, state: "sent", response: "250 ok" },
    { address: bo, state: "failed", response: "550 5.1.1 no" },
  ]);
  assert.equal(sendStatus(second.next), "partial");
  const failure = {
    ...{ reason: "rejected", recipients: [bo], smtp_status: "5.1.1", message: "550 5.1.1 no" },
  } as const;
  assert.deepEqual(second.effects, [
    {
      emailEvent: "email.failed",
      failure,
      recipients: [{ address: ann, status: "sent" }, { address: bo, status: "failed" }],
      occasion: "rejected 2",
    },
    { again: null },
  ]);
});

Deno.test("an email that reached nobody is failed, and was not sent", () => {
  const { next, effects } = attempted(fresh, [result(ann, "permanent"), result(bo, "permanent")]);
  assert.equal(sendStatus(next), "failed");
  assert.ok(!effects.some((each) => "emailEvent" in each && each.emailEvent === "email.sent"));
});

Deno.test("a bounce fails a recipient once, and no other; its event has no text of the report", () => {
  const { next } = attempted(fresh, [result(ann, "sent"), result(bo, "sent")]);
  const first = reported(next, [ann, "eve@evil.example"], "550 5.1.1 gone");
  assert.deepEqual(first.next.recipients[0], {
    ...{ address: ann, state: "failed", response: "550 5.1.1 gone" },
  });
  assert.equal(first.next.recipients[1].state, "sent");
  const [failure] = failuresOf(first.effects);
  assert.deepEqual([failure.reason, failure.recipients, failure.smtp_status], [
    ...["bounced", [ann], "5.1.1"],
  ]);
  assert.ok(!failure.message.includes("gone"));
  assert.equal(sendStatus(first.next), "partial", "a later bounce counts");
  assert.deepEqual(first.effects[0], {
    ...first.effects[0],
    recipients: [{ address: ann, status: "failed" }, { address: bo, status: "sent" }],
  });
  const second = reported(first.next, [ann]);
  assert.deepEqual([failuresOf(second.effects), second.next], [[], first.next]);
});

Deno.test("a hard bounce puts a recipient on the list, also once the email is deleted: then nothing else changes", () => {
  const { next } = attempted(fresh, [result(ann, "sent"), result(bo, "sent")]);
  const hard = { suppress: ann, status: "5.1.1" };
  assert.deepEqual(reported(next, [ann]).effects.at(-1), hard);
  const gone = reported(next, [ann], null, true);
  assert.deepEqual(gone, { next, effects: [hard] });
  const soft = new Map([[
    bo,
    { addresses: [bo], outcome: "permanent" as const, status: null, diagnostic: "452 4.2.2 full" },
  ]]);
  const { effects } = sending(next, { type: "report", failures: soft, isDeleted: false });
  assert.deepEqual(effects.map((each) => Object.keys(each)[0]), ["emailEvent"]);
});

Deno.test("statusCode() prefers the enhanced code", () => {
  assert.equal(statusCode("550 5.1.1 <a@b.example> unknown"), "5.1.1");
  assert.equal(statusCode("552 too large"), "552");
  assert.equal(statusCode("Connection closed"), null);
});

Deno.test("docs/specification.md has the table of a recipient's states", async () => {
  const text = await Deno.readTextFile(`${root}docs/specification.md`);
  assert.ok(text.includes((await drawnTable("sending")).join("\n")));
});
