import assert from "node:assert/strict";
import * as keys from "../../../domain/store/keys.ts";
import { createHash } from "node:crypto";
import { ServiceError } from "../../../domain/core/errors.ts";
import {
  BlobWriter,
  chunkBytes,
  readBlob,
  readWholeBlob,
  sweepOrphans,
} from "../../../domain/store/blobs.ts";
import { type TestService, testService } from "../../service.ts";

function bytes(size: number): Uint8Array {
  const made = new Uint8Array(size);
  for (let i = 0, n = 1; i < size; i++) made[i] = (n = (n * 16807) % 2147483647) & 0xff;
  return made;
}

async function write(test: TestService, data: Uint8Array, pieceBytes = 50_000) {
  const writer = new BlobWriter(test.service);
  for (let i = 0; i < data.length; i += pieceBytes) {
    await writer.write(data.subarray(i, i + pieceBytes));
  }
  return await writer.finish();
}

async function keyCount(test: TestService, prefix: string): Promise<number> {
  return (await test.service.database.collect({ prefix: [prefix] })).length;
}

for (const size of [1, chunkBytes, chunkBytes + 1, 13 * chunkBytes, 3_000_001]) {
  Deno.test(`a blob of ${size} bytes comes back as it was`, async () => {
    await using test = await testService();
    const data = bytes(size);
    const blob = await write(test, data);
    await test.service.database.transact((tx) => blob.attach(tx));
    assert.equal(blob.ref.size, size);
    assert.equal(blob.ref.sha256, createHash("sha256").update(data).digest("hex"));
    assert.equal(blob.ref.chunks, Math.ceil(size / chunkBytes));
    assert.deepEqual(await readWholeBlob(test.service.database, blob.ref), data);
    const streamed = await new Blob(
      await Array.fromAsync(readBlob(test.service.database, blob.ref)) as Uint8Array<ArrayBuffer>[],
    ).bytes();
    assert.deepEqual(streamed, data);
    assert.equal(await keyCount(test, "blobs_pending"), 0);
  });
}

Deno.test("a blob of which any commit failed is never finished: its owner would be acknowledged without bytes", async () => {
  await using test = await testService();
  const { database: whole } = test.service;
  // The mark, and the chunks in three commits.
  for (let failing = 1; failing <= 4; failing++) {
    let writes = 0;
    const count = () => {
      if (++writes === failing) throw new ServiceError("SERVICE_UNAVAILABLE");
    };
    const database = Object.assign(Object.create(whole), {
      write: async (rows: Parameters<typeof whole.write>[0]) => (count(), await whole.write(rows)),
      transact: async (body: Parameters<typeof whole.transact>[0]) => (
        count(), await whole.transact(body)
      ),
    });
    const made = write({ ...test, service: { ...test.service, database } }, bytes(2_000_000));
    await assert.rejects(made, { code: "SERVICE_UNAVAILABLE" }, `commit ${failing}`);
    assert.equal(writes, failing);
  }
});

Deno.test("a blob that was attached is not discarded", async () => {
  await using test = await testService();
  const data = bytes(200_000);
  const blob = await write(test, data);
  await test.service.database.transact((tx) => blob.attach(tx));
  await blob.discard();
  assert.deepEqual(await readWholeBlob(test.service.database, blob.ref), data);
});

Deno.test("a blob that is written for hours stays marked as young, and one that the sweep took is refused", async () => {
  await using test = await testService({ instances: 1 });
  const { database, clock } = test.service;
  const hourMs = 3_600_000;
  const writer = new BlobWriter(test.service);
  for (let tenMinutes = 0; tenMinutes < 15; tenMinutes++) {
    await writer.write(bytes(900_000));
    await test.advance(hourMs / 6);
    assert.equal(await sweepOrphans(database, clock.now() - hourMs), 0);
  }
  const blob = await writer.finish();
  assert.equal((await readWholeBlob(database, blob.ref)).length, 13_500_000);
  assert.equal(await sweepOrphans(database, clock.now() + 1), 1);
  const late = database.transact((tx) => blob.attach(tx));
  await assert.rejects(late, { code: "SERVICE_UNAVAILABLE" });
  const slow = new BlobWriter(test.service);
  await slow.write(bytes(900_000));
  await test.advance(hourMs);
  await sweepOrphans(database, clock.now());
  const going = async () => {
    await slow.write(bytes(900_000));
    await slow.finish();
  };
  await assert.rejects(going, { code: "SERVICE_UNAVAILABLE" });
});

Deno.test("blobs that were never attached are swept, attached ones stay", async () => {
  await using test = await testService();
  await write(test, bytes(1_000_000));
  const kept = await write(test, bytes(1_000_000));
  await test.service.database.transact((tx) => kept.attach(tx));
  assert.equal(await sweepOrphans(test.service.database, test.clock.now() + 1), 1);
  assert.equal(await keyCount(test, "blobs_pending"), 0);
  assert.equal(await keyCount(test, "blob_chunks"), kept.ref.chunks);
});

Deno.test("the sweep removes every orphan, also behind a thousand blobs that are being written", async () => {
  await using test = await testService();
  const { database, clock } = test.service;
  const now = clock.now();
  const mark = (id: string, at: number) => ({ key: keys.blobPending(id), value: at });
  for (let n = 0; n < 1_200; n += 100) {
    const some = Array.from({ length: 100 }, (_, i) => String(n + i).padStart(4, "0"));
    await database.write(some.map((id) => mark(`a${id}`, now)));
    await database.write(some.map((id) => mark(`b${id}`, now - 1)));
  }
  let left = 1_000;
  assert.equal(await sweepOrphans(database, now, () => left-- > 0), 0, "the step ends");
  assert.equal(await sweepOrphans(database, now), 1_200);
  assert.equal(await keyCount(test, "blobs_pending"), 1_200);
});

Deno.test("readBlob() throws where a chunk is missing: never a partial message", async () => {
  await using test = await testService();
  const blob = await write(test, bytes(200_000));
  await test.kv.delete(["blob_chunks", blob.ref.blobId, 1]);
  await assert.rejects(readWholeBlob(test.service.database, blob.ref), /1 of 4 chunks/);
});
