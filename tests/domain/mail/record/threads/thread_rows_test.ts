import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../../service.ts";

Deno.test("of a long conversation 50 rows are read at a time, and a list of it reads no more than its page needs", async () => {
  // The reads of one process are counted.
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const { email_address } = await mailbox(test, owner);
  const taken: string[] = [];
  for (let n = 0; n < 120; n++) {
    const of: Record<string, string> = n === 0 ? { "Message-ID": "<p@x>" } : {
      References: "<p@x>",
    };
    taken.push((await deliver(test, email_address, message(of, `${n}\n`))).email_id);
  }
  await test.settle();
  const token = owner.key;
  const { thread_id } = await data(test.request(`/v1/api/emails/${taken[0]}`, { token }));
  const { database } = test.service;
  const { getMany } = database;
  const reads: number[] = [];
  database.getMany = ((keys: Deno.KvKey[]) => {
    const rows = keys.filter(([table]) => table === "emails").length;
    if (rows > 0) reads.push(rows);
    return getMany.call(database, keys);
  }) as typeof getMany;
  const list = async (query: string) => {
    reads.length = 0;
    const emails = await data(
      test.request(`/v1/api/emails?thread_id=${thread_id}&${query}`, { token }),
    );
    return emails.map((each: { email_id: string }) => each.email_id);
  };
  const newest = taken.toReversed();
  assert.deepEqual(await list("limit=20"), newest.slice(0, 20));
  assert.deepEqual(reads, [50]);
  assert.deepEqual(await list(`limit=20&order=asc`), taken.slice(0, 20));
  assert.deepEqual(reads, [50]);
  assert.deepEqual(await list("limit=20&offset=95"), newest.slice(95, 115));
  assert.deepEqual(reads, [50, 50, 20]);
  reads.length = 0;
  const { thread } = await data(test.request(`/v1/api/threads/${thread_id}`, { token }));
  assert.equal(thread.length, 120);
  // The last are for `waiting_for`: the newest tell it.
  assert.deepEqual(reads.sort((a, b) => b - a), [50, 50, 20]);
});
