import assert from "node:assert/strict";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";

Deno.test("other mail is processed while slow senders send their bodies", async () => {
  await using test = await testService({ instances: 1 });
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
  const begunAt = performance.now();
  await deliver(test, box.email_address, message({ Subject: "Quick" }));
  await test.settle();
  // Deferred work waits 5 s.
  assert.ok(performance.now() - begunAt < 4_000, "the quick mail waited for the slow ones");
  const found = await test.request("/v1/api/emails", { token: owner.key });
  const { data } = await found.json();
  assert.deepEqual(
    data.map((each: { subject: string; processed: boolean }) => [each.subject, each.processed]),
    [["Quick", true]],
  );
  sendRest();
  await Promise.all(slow);
});
