import assert from "node:assert/strict";
import { createParsePool } from "../../../../domain/mail/read/parsing/parse_pool.ts";
import { systemClock } from "../../../../domain/core/clock.ts";
import { deleteChunks } from "../../../../domain/store/blobs.ts";
import { storedEmail } from "../../../../domain/mail/record/read_email.ts";
import { bounded } from "../../../eventually.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";

/** The path of a request, and the status of its answer if the email goes while its bytes are awaited. */
const requests: [method: string, path: (emailId: string, mailboxId: string) => string, number][] = [
  ["GET", () => "/v1/api/emails", 200],
  ["GET", (_id, mailboxId) => `/v1/api/emails?mailbox_id=${mailboxId}&has_attachments=true`, 200],
  ["GET", (id) => `/v1/api/emails/${id}`, 404],
  ["GET", (id) => `/v1/api/emails/${id}/links`, 404],
  ["GET", (id) => `/v1/api/emails/${id}/attachments/att_1`, 404],
  ["POST", (_id, mailboxId) => `/v1/api/mailboxes/${mailboxId}/claims`, 200],
];

for (const [method, path, status] of requests) {
  // One instance: the bytes are awaited in this process.
  Deno.test(`${method} ${path("ID", "ID")} is ${status} if a job removes the bytes of a deleted email meanwhile`, async () => {
    const pool = createParsePool(systemClock);
    const asked = Promise.withResolvers<void>(), gone = Promise.withResolvers<void>();
    const late =
      <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
      async (...args: Args) => {
        asked.resolve();
        await gone.promise;
        return await ask(...args);
      };
    const parsing = {
      ...pool,
      parse: late(pool.parse),
      links: late(pool.links),
      close: () => pool.close(),
    };
    await using test = await testService({ parts: { parsing }, instances: 1 });
    const owner = await account(test);
    const { mailbox_id, email_address } = await mailbox(test, owner);
    // Large mail is not parsed at its arrival.
    const large = message({ Subject: "Large" }, "a line of a large mail\n".repeat(4_000));
    const { email_id } = await deliver(test, email_address, large);
    const email = await storedEmail(test.service.database, owner.userId, email_id);
    const answering = test.request(path(email_id, mailbox_id), {
      token: owner.key,
      method,
    });
    await bounded("the parse", asked.promise);
    // What is read beside the parse is read before the deletion.
    await new Promise((done) => setTimeout(done, 50));
    const deleted = await test.request(`/v1/api/emails/${email_id}`, {
      token: owner.key,
      method: "DELETE",
    });
    assert.equal(deleted.status, 200);
    await deleteChunks(test.service.database, email!.raw.blobId);
    gone.resolve();
    const answer = await bounded("the answer", answering);
    assert.equal(answer.status, status, await answer.text());
    await test.settle();
    assert.deepEqual(test.log.filter(({ event }) => event === "mail.process_failed"), []);
  });
}
