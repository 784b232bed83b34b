import assert from "node:assert/strict";
import { BlobWriter } from "../../domain/store/blobs.ts";
import { sweepRegularly } from "../../workers/sweep.ts";
import { eventually } from "../eventually.ts";
import { FakeClock, testService } from "../service.ts";
import { SetClock } from "../set_clock.ts";

const hour = 3_600_000;

Deno.test("a blob without an owner is removed without a restart, once it is an hour old", async () => {
  // A sweep of a shared store waits an hour at the start too.
  await using test = await testService({ instances: 1, parts: { clock: new FakeClock() } });
  const marks = async () =>
    (await Array.fromAsync(test.kv.list({ prefix: ["blobs_pending"] }))).length;
  const write = async () => {
    const writer = new BlobWriter(test.service);
    await writer.write(crypto.getRandomValues(new Uint8Array(65_536)));
    await writer.write(new Uint8Array(1_000_000));
    await writer.finish();
  };
  await write();
  test.clock.advance(1);
  const end = sweepRegularly(test.service);
  try {
    test.clock.advance(1);
    await eventually("that of an earlier process is removed", async () => await marks() === 0);
    await write();
    const writtenAt = test.clock.now();
    await eventually("it is removed", async () => {
      test.clock.advance(hour / 8);
      return await marks() === 0;
    });
    const age = test.clock.now() - writtenAt;
    assert.ok(age > hour, `${age} ms`);
  } finally {
    await end();
  }
});

Deno.test("a message that arrives slowly is not swept because the clock was ahead when the process started", async () => {
  const clock = new SetClock();
  clock.aheadMs = 24 * hour;
  await using test = await testService({ instances: 1, parts: { clock } });
  const end = sweepRegularly(test.service);
  try {
    await test.advance(1);
    clock.aheadMs = 0;
    await test.advance(hour - 60_000);
    const writer = new BlobWriter(test.service);
    await writer.write(new Uint8Array(1_000_000));
    await test.advance(120_000);
    const blob = await writer.finish();
    await test.service.database.transact((tx) => blob.attach(tx));
  } finally {
    await end();
  }
});
