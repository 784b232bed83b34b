import assert from "node:assert/strict";
import type { Mailer } from "../../../../../domain/ports/mailer.ts";
import { account, FakeClock, mailbox, testService } from "../../../../service.ts";
import { callsOf, given } from "../drafts/approvals.ts";
import { type Death, Life } from "../drafts/mortal.ts";

/** A relay that keeps the text of each mail. */
function relayOf(life: Life, taken: string[]): Mailer {
  return {
    isOutbox: false,
    send: ({ envelopes, raw }) =>
      life.change(() => {
        taken.push(new TextDecoder().decode(raw));
        return Promise.resolve({
          recipients: envelopes.map(({ to }) => ({
            ...{ recipient: to, outcome: "sent" as const, response: "250 taken" },
          })),
        });
      }),
    check: () => Promise.resolve(true),
    close: () => {},
  };
}

/** Two drafts begin to wait on an instance that dies at its n-th commit or mail; another one continues. */
async function told(at: number, death: Death): Promise<{ calls: number; taken: string[] }> {
  using kv = await Deno.openKv(":memory:");
  const life = new Life(), taken: string[] = [];
  const test = await testService({
    ...{ kv: life.store(kv), exclusive: true, instances: 1 },
    parts: { mailer: relayOf(life, taken) },
  });
  const owner = await account(test), box = await mailbox(test, owner);
  const { agent, policy } = callsOf(test, owner);
  await policy(box.mailbox_id, { approval: "always" });
  const hold = (subject: string, idempotency_key: string) =>
    agent("POST", "/emails/send", {
      ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", subject, body_text: "b" },
      idempotency_key,
    });
  await given(hold("First", "one"));
  await test.settle();
  life.endAt(at, death);
  const all = async () => {
    test.clock.advance(2_000);
    for (let round = 0; round < 3; round++) {
      await test.service.database.settled();
      await test.dispatcher.settled();
      await new Promise((done) => setTimeout(done, 0));
    }
    await hold("Second", "two");
  };
  await Promise.race([all(), life.over]);
  const { calls } = life;
  life.endAt(1, "before");
  void life.change(() => Promise.resolve());
  test.service.waiting.stop();
  test.service.attachmentTexts.close();
  await test.service.passwords.close();
  // The next instance takes its thread.
  await test.service.searchIndex.close();

  const heir = new Life();
  await using next = await testService({
    ...{ kv, exclusive: true, instances: 1 },
    parts: { clock: new FakeClock(test.clock.now()), mailer: relayOf(heir, taken) },
  });
  // Whether the second one was accepted or not before the death: the same call again.
  const again = callsOf(next, owner);
  await given(again.agent("POST", "/emails/send", {
    ...{ mailbox_id: box.mailbox_id, to: "ann@one.example", subject: "Second", body_text: "b" },
    idempotency_key: "two",
  }));
  await next.advance(62_000);
  await next.advance(3_600_000);
  return { calls, taken };
}

// SPEC: notices.kill
Deno.test("killed at any commit or mail, every wait is told of, and at most one notice comes twice", async () => {
  let at = 1;
  for (let isDead = true; isDead; at++) {
    for (const death of ["before", "after"] as const) {
      const { calls, taken } = await told(at, death);
      isDead = calls >= at;
      const what = `dies ${death} call ${at}: ${
        taken.map((each) => /^Subject.*/m.exec(each)?.[0])
      }`;
      for (const subject of ["First", "Second"]) {
        assert.ok(taken.some((each) => each.includes(`Subject: ${subject}`)), what);
      }
      assert.ok(taken.length <= 3, what);
    }
  }
  assert.ok(at > 5, `it died at ${at} calls only`);
});
