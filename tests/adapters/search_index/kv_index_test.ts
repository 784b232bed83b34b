import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { createKvIndex } from "../../../adapters/search_index/kv_postings.ts";
import type { SearchIndex } from "../../../domain/ports/search_index.ts";
import { createLog } from "../../../domain/core/log.ts";
import { Database } from "../../../domain/store/database.ts";
import { openDatabase } from "../../remote_kv/remote_database.ts";
import { RemoteKv } from "../../remote_kv/remote_kv.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { searchFor } from "../../domain/search/semantic_service.ts";
import { addNoise, indexedEmail, literalMails, longQuery } from "./search_index_suite.ts";

async function withIndex(run: (index: SearchIndex, kv: Deno.Kv) => Promise<void>) {
  const kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json", now: () => 0, write: () => {} });
  const database = new Database(kv, { log, exclusive: false });
  await run(createKvIndex(database, keys), kv);
  await database.settled();
  kv.close();
}

const found = async (index: SearchIndex, text: string, userId = "user-1") =>
  (await index.search({ userId, text, filters: {}, window: 100 })).hits.map((hit) => hit.emailId);

/** All rows but that of the writer. */
const rows = async (kv: Deno.Kv) =>
  (await Array.fromAsync(kv.list({ prefix: [] }))).filter(({ key }) => key[0] !== "commits").length;

Deno.test("kv index finds exact identifiers, and words of subject, people and text", async () => {
  await withIndex(async (index) => {
    await index.add([
      indexedEmail("a", { text: "Your order ORD-2024-8817 has been shipped." }),
      indexedEmail("b", { subject: "Compiler workshop", from: "grace@navy.example Grace Hopper" }),
      indexedEmail("c", { text: "Your order ORD-2024-8818 has been shipped." }),
    ]);
    assert.equal((await found(index, "where is my order ORD-2024-8817 please?"))[0], "a");
    assert.deepEqual(await found(index, "hopper"), ["b"]);
    assert.deepEqual(await found(index, "compilers"), ["b"]);
    assert.deepEqual(await found(index, "shipping"), ["c", "a"]);
    assert.deepEqual(await found(index, "zeppelin"), []);
    assert.deepEqual(await found(index, "hopper", "user-2"), []);
    const { hits } = await index.search({
      userId: "user-1",
      text: "order ORD-2024-8817",
      filters: {},
      window: 1,
    });
    assert.deepEqual(hits, [{ emailId: "a", score: 1, literal: true, named: true }]);
  });
});

Deno.test("kv index finds each identifier of a long query among the first ten, whatever else the query contains", async () => {
  await withIndex(async (index) => {
    await addNoise(index);
    await index.add(literalMails.filter(({ inKv }) => inKv).map(({ email }) => email));
    for (const { email, literal, inKv } of literalMails) {
      if (!inKv) continue;
      const ids = await found(index, longQuery(literal));
      assert.ok(ids.slice(0, 10).includes(email.emailId), `${literal}: ${ids.slice(0, 10)}`);
    }
  });
});

Deno.test("kv index finds the text of an email with many files, and their names", async () => {
  await withIndex(async (index) => {
    const attachmentNames = Array.from({ length: 100 }, (_, n) => `IMG_20261122_${n + 100}.jpg`);
    const text = "The photos of the damage, claim ZX-48213.";
    await index.add([indexedEmail("a", { text, attachmentNames }), indexedEmail("b")]);
    for (const query of ["ZX-48213", "damage", "IMG_20261122_101.jpg"]) {
      assert.deepEqual(await found(index, query), ["a"], query);
    }
  });
});

Deno.test("kv index replaces an email that is added again, and leaves no row of a removed one", async () => {
  await withIndex(async (index, kv) => {
    await index.add([
      indexedEmail("a", { text: "walruses" }),
      indexedEmail("b"),
      indexedEmail("c"),
    ]);
    await index.add([indexedEmail("a", { text: "narwhals", mailboxId: "mailbox-2" })]);
    assert.deepEqual(await found(index, "walruses"), []);
    assert.deepEqual(await found(index, "narwhals"), ["a"]);
    await index.removeMailbox("user-1", "mailbox-1");
    assert.deepEqual(await found(index, "weekly notes"), ["a"]);
    await index.remove("user-1", ["a", "never-was"]);
    assert.equal(await rows(kv), 0);
    await index.add([indexedEmail("a"), indexedEmail("a", { userId: "user-2" })]);
    await index.reset();
    assert.equal(await rows(kv), 0);
    await index.check();
  });
});

Deno.test("search without a disk checks filters against the database and makes its own snippets", async () => {
  await using test = await testService();
  const embedded = test.service.searchIndex;
  test.service.searchIndex = createKvIndex(test.service.database, keys);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  for (const from of ["ada", "bob"]) {
    await deliver(
      test,
      box.email_address,
      message({ From: `${from}@example.net` }, "Some words first.\n\nThe code is QX-771-R now."),
    );
  }
  await test.settle();
  const answer = await searchFor(test, owner, "code QX-771-R", { from: "bob" });
  assert.equal(answer.total, 1);
  assert.match(answer.results[0].snippet, /code is QX-771-R/);
  await embedded.close();
});

Deno.test("kv index: the postings of a batch of emails share commits", async () => {
  await using remote = new RemoteKv({ readMs: [5, 15], writeMs: [20, 40] });
  await using database = await openDatabase(remote);
  const index = createKvIndex(database, keys);
  const text = Array.from({ length: 90 }, (_, n) => `shipment${n}`).join(" ");
  await index.add(Array.from({ length: 32 }, (_, n) => indexedEmail(`m${n}`, { text })));
  const { writes, conflicts } = remote.costs;
  assert.ok(writes <= 8, `${writes} commits`);
  assert.equal(conflicts, 0);
  assert.equal((await found(index, "shipment89")).length, 32);
});
