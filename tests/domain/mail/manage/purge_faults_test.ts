import assert from "node:assert/strict";
import { indexOfTest } from "../../../idle_index.ts";
import type { SearchIndex } from "../../../../domain/ports/search_index.ts";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import type { TestAccount, TestService } from "../../../service.ts";
import { mortalKv } from "../../mailboxes/mortal_kv.ts";
import { familiesOf } from "../../mailboxes/families.ts";
import { rowsThatMention } from "../../mailboxes/store_scan.ts";
import { eventually } from "../../../eventually.ts";

async function remove(test: TestService, owner: TestAccount, box: {
  mailbox_id: string;
  email_address: string;
}): Promise<void> {
  const answer = await familiesOf(test, owner)[0].call("DELETE", `/mailboxes/${box.mailbox_id}`, {
    confirm_email_address: box.email_address,
  });
  assert.equal(answer.status, 200);
}

/** Every hit of the account, including emails that the database no longer has. */
async function indexed(index: SearchIndex, owner: TestAccount): Promise<string[]> {
  const { hits } = await index.search({
    userId: owner.userId,
    text: "quixotry",
    filters: {},
    window: 100,
  });
  return hits.map((hit) => hit.emailId);
}

Deno.test("an email that is indexed while its mailbox is purged does not stay in the index", async () => {
  const inner = await indexOfTest();
  let whileAdding = () => Promise.resolve();
  const searchIndex: SearchIndex = {
    ...inner,
    async add(emails) {
      await whileAdding();
      await inner.add(emails);
    },
  };
  await using test = await testService({ parts: { searchIndex } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  let added = false;
  whileAdding = async () => {
    added = true;
    await remove(test, owner, box);
    const due = () => Array.fromAsync(test.kv.list({ prefix: ["jobs_due"] }));
    await eventually("the other jobs end", async () => (await due()).length <= 1, test.log);
  };
  const { email_id } = await deliver(test, box.email_address, message({}, "quixotry"));
  await test.settle();
  assert.ok(added);
  assert.deepEqual(await indexed(inner, owner), []);
  assert.deepEqual(await rowsThatMention(test.kv, new Set([email_id, box.mailbox_id])), []);
});

Deno.test("a purge waits while the index is down, and the mailbox is invisible meanwhile", async () => {
  const inner = await indexOfTest();
  let down = true;
  const searchIndex: SearchIndex = {
    ...inner,
    removeMailbox: (userId, mailboxId) =>
      down ? Promise.reject(new Error("down")) : inner.removeMailbox(userId, mailboxId),
  };
  await using test = await testService({ parts: { searchIndex } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({}, "quixotry"));
  await test.settle();
  await remove(test, owner, box);
  await test.advance(600_000);
  assert.equal((await indexed(inner, owner)).length, 1);
  const [{ call }] = familiesOf(test, owner);
  const found = (await call("POST", "/search", { query: "quixotry" })).body as { total: number };
  assert.equal(found.total, 0);
  down = false;
  await test.advance(60_000);
  assert.deepEqual(await indexed(inner, owner), []);
  assert.deepEqual(await rowsThatMention(test.kv, new Set([box.mailbox_id])), []);
});

Deno.test("a purge killed at any commit is finished by the next process, and storage comes back exactly", async () => {
  const kv = await Deno.openKv(":memory:");
  const searchIndex = { ...await indexOfTest(), close: () => Promise.resolve() };
  let owner: TestAccount;
  const ids = new Set<string>();
  {
    await using test = await testService({ kv, parts: { searchIndex } });
    owner = await account(test);
    const box = await mailbox(test, owner);
    ids.add(box.mailbox_id);
    await Promise.all(Array.from({ length: 90 }, async (_, n) => {
      const body = n % 30 === 0 ? "long ".repeat(30_000) : "quixotry";
      const raw = message({ "Message-ID": `<${n}@x.example>` }, `${body} ${n}`);
      ids.add((await deliver(test, box.email_address, raw)).email_id);
    }));
    await test.settle();
    await test.dispatcher.stop();
    await remove(test, owner, box);
  }
  let kills = 0;
  for (let left = 1; left > 0; kills++) {
    const mortal = mortalKv(kv, 1 + kills % 6);
    {
      await using test = await testService({ kv: mortal.kv, parts: { searchIndex } });
      await mortal.settleOrDie(test.settle());
    }
    left = (await rowsThatMention(kv, ids)).length;
  }
  assert.ok(kills > 2, `${kills} processes`);
  assert.equal((await kv.get<number>(["storage", owner.userId])).value, 0);
  const tables = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => String(key[0]));
  assert.deepEqual(
    tables.filter((table) => /^(emails|blob|threads|mailbox_stats|jobs)/.test(table)),
    [],
  );
  kv.close();
});
