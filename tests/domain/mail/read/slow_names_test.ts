import assert from "node:assert/strict";
import { createParsePool } from "../../../../domain/mail/read/parsing/parse_pool.ts";
import { systemClock } from "../../../../domain/core/clock.ts";
import { bounded } from "../../../eventually.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";

Deno.test("a list waits 2 s at most for names of attachments that do not fit into the row of an email", async () => {
  const pool = createParsePool(systemClock);
  let hangs = false;
  const asked = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const parsing = {
    ...pool,
    parse(job: Parameters<typeof pool.parse>[0]) {
      if (!hangs) return pool.parse(job);
      asked.resolve();
      return never;
    },
    close: () => pool.close(),
  };
  await using test = await testService({ parts: { parsing }, instances: 1 });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const parts = Array.from(
    { length: 400 },
    (_, n) =>
      `--b\nContent-Type: text/plain; name="${"n".repeat(200)}-${n}.txt"\n` +
      "Content-Disposition: attachment\n\nx\n",
  ).join("");
  const fields = { "Content-Type": 'multipart/mixed; boundary="b"', "MIME-Version": "1.0" };
  await deliver(test, email_address, message(fields, `${parts}--b--\n`));
  await test.settle();
  test.service.parsedBodies.clear();
  hangs = true;
  const listing = test.request("/v1/api/emails", { token: owner.key });
  await bounded("the parse", asked.promise);
  await test.advance(2_000);
  const answer = await bounded("the list", listing, [], 10_000);
  const { data: [email] } = await answer.json();
  assert.deepEqual([email.attachment_ids.length, email.attachments, email.processed], [
    400,
    [],
    true,
  ]);
});
