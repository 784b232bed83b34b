import assert from "node:assert/strict";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, data, deliver, mailbox, message, testService } from "../../../../service.ts";

Deno.test("messages that a merge has not moved yet are read, listed, and make their authors known", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const get = (path: string) => data(test.request(path, { token: owner.key }));
  const take = async (fields: Record<string, string>) => {
    const { email_id } = await deliver(test, email_address, message(fields));
    const { thread_id } = await get(`/v1/api/emails/${email_id}`);
    return { email_id, thread_id: thread_id as string };
  };
  const first = await take({
    From: "ada@example.net",
    "Reply-To": "bob@example.net",
    Subject: "a",
  });
  const other = await take({
    From: "bob@example.net",
    Subject: "b",
    "Message-ID": "<b@example.net>",
  });
  const reply = await take({ From: "bob@example.net", "In-Reply-To": "<b@example.net>" });
  assert.equal(reply.thread_id, other.thread_id);
  await test.settle();
  await data(test.request(`/v1/api/mailboxes/${mailbox_id}/policy`, {
    method: "PUT",
    token: owner.accessToken,
    json: { approval: "new_recipients" },
  }));
  const provenance = async () => {
    const json = { body_text: "Hello", dry_run: true };
    const path = `/v1/api/emails/${first.email_id}/reply`;
    const { recipients } = await data(test.request(path, { token: owner.key, json }));
    return recipients;
  };
  assert.deepEqual(await provenance(), [{ address: "bob@example.net", provenance: "new" }]);

  // As the commit of a merge leaves it: the job that moves the messages comes later.
  await test.service.database.transact((tx) => {
    const [into, from] = [first.thread_id, other.thread_id];
    tx.set(keys.thread(owner.userId, into), { threadId: into, absorbing: [from] });
    tx.set(keys.thread(owner.userId, from), { threadId: from, alias: into });
  });
  const { thread } = await get(`/v1/api/threads/${other.thread_id}`);
  const ids = thread.map(({ email_id }: { email_id: string }) => email_id);
  assert.deepEqual(ids, [first, other, reply].map(({ email_id }) => email_id));
  const threads = await data(test.request("/api/threads", { token: owner.accessToken }));
  const counts = threads.map((
    { thread_id, email_count }: Record<string, unknown>,
  ) => [thread_id, email_count]);
  assert.deepEqual(counts, [[first.thread_id, 3]]);
  assert.deepEqual(await provenance(), [{ address: "bob@example.net", provenance: "known" }]);
});
