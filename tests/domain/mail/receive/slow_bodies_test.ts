import assert from "node:assert/strict";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { account, deliver, FakeClock, mailbox, message, testService } from "../../../service.ts";

/** Notes the pauses of work that waits while many messages arrive, 25 ms each. */
class NotingClock extends FakeClock {
  pauses = 0;

  override after(delayMs: number, run: () => void): () => void {
    if (delayMs === 25) this.pauses++;
    return super.after(delayMs, run);
  }
}

Deno.test("other mail is processed while slow senders send their bodies", async () => {
  const clock = new NotingClock();
  await using test = await testService({ instances: 1, parts: { clock } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
  async function* slowBody() {
    yield new TextEncoder().encode(message({ Subject: "Slow" }));
    await rest;
  }
  const slow = Array.from({ length: 8 }, (_, n) =>
    receive(test.service, {
      source: "raw",
      sender: "bob@example.net",
      recipients: [box.email_address],
      ingestId: `slow-${n}`,
      facts: {},
      body: slowBody(),
    }));
  await deliver(test, box.email_address, message({ Subject: "Quick" }));
  await test.settle();
  // Deferred work waits 5 s, 200 pauses.
  assert.ok(clock.pauses <= 10, `${clock.pauses} pauses: the quick mail waited for the slow ones`);
  const found = await test.request("/v1/api/emails", { token: owner.key });
  const { data } = await found.json();
  assert.deepEqual(
    data.map((each: { subject: string; processed: boolean }) => [each.subject, each.processed]),
    [["Quick", true]],
  );
  sendRest();
  await Promise.all(slow);
});
