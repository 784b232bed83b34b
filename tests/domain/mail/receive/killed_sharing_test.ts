import assert from "node:assert/strict";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { BlobWriter, readWholeBlob, sweepOrphans } from "../../../../domain/store/blobs.ts";
import { releaseBlob } from "../../../../domain/store/blobs/blob_release.ts";
import * as keys from "../../../../domain/store/keys.ts";
import { openEmbeddedIndex } from "../../../../adapters/search_index/embedded.ts";
import { account, mailbox, type TestAccount, testService } from "../../../service.ts";
import { mailDisagreements } from "../../../torture/mail_scan.ts";
import { mortalKv } from "../../mailboxes/mortal_kv.ts";

const message = (n: number) =>
  new TextEncoder().encode(`Subject: ${n}\r\n\r\n${"words ".repeat(30_000)}`);

Deno.test("a message to three accounts, and the end of its emails, survive a kill at any commit: every byte is referred to", async () => {
  const kv = await Deno.openKv(":memory:");
  const searchIndex = { ...openEmbeddedIndex({ path: null }), close: () => Promise.resolve() };
  const owners: TestAccount[] = [];
  const recipients: string[] = [];
  const boxes: string[] = [];
  {
    await using test = await testService({ kv, instances: 1, parts: { searchIndex } });
    for (let n = 0; n < 3; n++) {
      owners.push(await account(test));
      const box = await mailbox(test, owners[n]);
      recipients.push(box.email_address);
      boxes.push(box.mailbox_id);
    }
  }
  /** A process that dies at its commit `commits`, and one after it that starts as the service does and ends all work. */
  const killed = async (
    commits: number,
    work: (test: Awaited<ReturnType<typeof testService>>) => Promise<unknown>,
  ) => {
    {
      const mortal = mortalKv(kv, commits);
      await using test = await testService({
        kv: mortal.kv,
        instances: 1,
        parts: { searchIndex },
      });
      await mortal.settleOrDie(work(test).then(() => test.settle(), () => {}));
    }
    await using test = await testService({ kv, instances: 1, parts: { searchIndex } });
    await test.advance(1_000);
    await sweepOrphans(test.service.database, test.clock.now());
    return await mailDisagreements(kv);
  };
  const deliver = (n: number) => (test: Awaited<ReturnType<typeof testService>>) =>
    receive(test.service, {
      ...{ source: "smtp", sender: "a@example.net", recipients, facts: {}, ingestId: null },
      body: ReadableStream.from([message(n)]),
    });
  for (let commits = 0; commits < 9; commits++) {
    assert.deepEqual(await killed(commits, deliver(commits)), [], `delivery, commit ${commits}`);
  }
  for (const [n, owner] of owners.entries()) {
    for (let commits = 0; commits < 5; commits++) {
      const wrong = await killed(commits, async (test) => {
        const path = `/v1/api/mailboxes/${boxes[n]}`;
        const json = { confirm_email_address: recipients[n] };
        await test.request(path, { method: "DELETE", token: owner.key, json });
      });
      assert.deepEqual(
        wrong.filter((each) => !each.startsWith("usage of")),
        [],
        `mailbox ${n}, commit ${commits}`,
      );
    }
  }
  const blobs = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => String(key[0]));
  assert.deepEqual(blobs.filter((table) => table.startsWith("blob")), []);
  kv.close();
});

Deno.test("a kill between the end of the last reference and its job, or at any commit of that job, leaves no byte and takes none from another owner", async () => {
  /** The job removes 200 in a commit. */
  const chunks = 450;
  /** How many rows of the one were there after each kill. */
  const atKill = new Set<number>();
  for (let commits = 0; commits < 6; commits++) {
    using kv = await Deno.openKv(":memory:");
    const one = { blobId: "one", size: chunks, chunks, sha256: "" };
    const rowsOfOne = async () =>
      (await Array.fromAsync(kv.list({ prefix: keys.blobChunks(one.blobId) }))).length;
    const rows = Array.from({ length: chunks }, (_, n) => keys.blobChunk(one.blobId, n));
    await Promise.all(rows.map((key) => kv.set(key, new Uint8Array([0, 1]))));
    let shared = one;
    {
      await using test = await testService({ kv });
      const { database } = test.service;
      const writer = new BlobWriter(test.service);
      await writer.write(message(1));
      const blob = (await writer.finish()).shared();
      for (let owner = 0; owner < 2; owner++) await database.transact((tx) => blob.attach(tx));
      await blob.discard();
      shared = blob.ref;
    }
    {
      const mortal = mortalKv(kv, commits);
      await using test = await testService({ kv: mortal.kv });
      const released = test.service.database.transact(async (tx) => {
        for (const ref of [one, shared]) await releaseBlob(tx, test.service, "u", ref);
      });
      await mortal.settleOrDie(released.then(() => test.settle(), () => {}));
    }
    atKill.add(await rowsOfOne());
    const isReleased = (await kv.get(keys.blobOwners(shared.blobId))).value === 1;
    assert.equal(isReleased, commits > 0);
    await using test = await testService({ kv });
    const { database, clock } = test.service;
    await test.settle();
    assert.equal(await rowsOfOne(), isReleased ? 0 : chunks, `after ${commits} commits`);
    await sweepOrphans(database, clock.now() + 1);
    assert.deepEqual(await readWholeBlob(database, shared), message(1));
    await database.transact(async (tx) => {
      if (!isReleased) await releaseBlob(tx, test.service, "u", one);
      for (let owner = isReleased ? 1 : 0; owner < 2; owner++) {
        await releaseBlob(tx, test.service, "u", shared);
      }
    });
    await test.settle();
    const tables = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => String(key[0]));
    assert.deepEqual(tables.filter((table) => /^(blob|jobs)/.test(table)), []);
  }
  assert.deepEqual([...atKill].sort((a, b) => b - a), [450, 250, 50, 0]);
});
