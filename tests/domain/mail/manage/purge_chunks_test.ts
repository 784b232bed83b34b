import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";

Deno.test("no byte of a mail of one, two or three rows stays, however it is deleted, and its storage is given back", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const rowsOf = async (table: string) =>
    (await Array.fromAsync(test.kv.list({ prefix: [table] }))).map(({ key }) => key);
  const remove = (path: string, json?: object) =>
    data(test.request(`/v1/api${path}`, { token: owner.key, method: "DELETE", json }));
  const all = async () => {
    const ids = [];
    for (const size of [1_000, 60_000, 110_000, 170_000]) {
      // Hexadecimal digits of random bytes: half of them remain when they are compressed.
      const bytes = Uint8Array.from({ length: size / 2 }, () => Math.floor(256 * Math.random()));
      const lines = bytes.toHex().replace(/.{70}/g, "$&\r\n");
      ids.push((await deliver(test, box.email_address, message({}, lines))).email_id);
    }
    await test.settle();
    return ids;
  };
  const ids = await all();
  const chunks = Map.groupBy(await rowsOf("blob_chunks"), (key) => key[1]);
  const counts = new Set([...chunks.values()].map(({ length }) => length));
  assert.ok([1, 2, 3].every((count) => counts.has(count)), [...counts].join());
  for (const id of ids) await remove(`/emails/${id}`);
  await test.settle();
  assert.deepEqual(await rowsOf("blob_chunks"), []);
  await all();
  await remove(`/mailboxes/${box.mailbox_id}`, { confirm_email_address: box.email_address });
  await test.settle();
  assert.deepEqual(await rowsOf("blob_chunks"), []);
  const usage = await data(test.request("/api/billing/usage", { token: owner.accessToken }));
  assert.equal(usage.storageUsed, 0);
});
