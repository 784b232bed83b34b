import assert from "node:assert/strict";
import { systemClock } from "../../../../domain/core/clock.ts";
import { systemIds } from "../../../../domain/core/ids.ts";
import { WriterRow } from "../../../../domain/store/commits/writer_row.ts";
import type { Connection } from "../../../../domain/store/remote/connection.ts";

Deno.test("a look for an outcome that is answered late changes nothing after later commits", async () => {
  const kv = await Deno.openKv(":memory:");
  let reads = 0;
  const late = Promise.withResolvers<void>(), isLate = Promise.withResolvers<void>();
  const connection = {
    async read(work: (kv: Deno.Kv) => Promise<unknown>) {
      const found = await work(kv);
      // The read after the commit that makes the open one void.
      if (++reads === 2) {
        isLate.resolve();
        await late.promise;
      }
      return found;
    },
    commit: (work: (kv: Deno.Kv) => Promise<unknown>) => work(kv),
  } as unknown as Connection;
  const deadlines: (() => void)[] = [];
  const clock = { after: (_ms: number, run: () => void) => (deadlines.push(run), () => {}) };
  const writer = new WriterRow(connection, { clock, ids: systemIds() } as never);
  const commit = async () => {
    const result = await writer.mark(kv.atomic()).commit();
    if (result.ok) writer.landed(result.versionstamp);
    return result.ok;
  };
  assert.ok(await commit());
  // One that never arrives.
  writer.mark(kv.atomic());
  const first = writer.settle();
  await isLate.promise;
  deadlines[0]();
  await assert.rejects(first, { code: "SERVICE_UNAVAILABLE" });
  const second = writer.settle();
  // The next commit needs a few milliseconds, if it does not wait for the late answer.
  const answered = new Promise<void>((done) => setTimeout(done, 100)).then(() => late.resolve());
  assert.equal(await second, null);
  assert.ok(await commit());
  await answered;
  await new Promise((done) => setTimeout(done, 0));
  assert.ok(await commit());
  assert.equal((await writer.readOutcome([])).versionstamp, null);
  kv.close();
});

Deno.test("a commit that arrives between the look for it and the commit that voids it is durable", async () => {
  const kv = await Deno.openKv(":memory:");
  let open: Deno.AtomicOperation | null = null;
  let arrived: string | null = null;
  const connection = {
    read: (work: (kv: Deno.Kv) => Promise<unknown>) => work(kv),
    async commit(work: (kv: Deno.Kv) => Promise<unknown>) {
      const result = await open?.commit();
      open = null;
      if (result?.ok) arrived = result.versionstamp;
      return await work(kv);
    },
  } as unknown as Connection;
  const writer = new WriterRow(connection, { clock: systemClock, ids: systemIds() } as never);
  open = writer.mark(kv.atomic());
  assert.equal(await writer.settle(), arrived);
  assert.notEqual(arrived, null);
  assert.ok((await writer.mark(kv.atomic()).commit()).ok);
  kv.close();
});
