import assert from "node:assert/strict";
import { retryDelayMs, type RetrySchedule } from "../../../domain/webhooks/retry.ts";

const minute = 60_000, hour = 60 * minute;
const filled = (byte: number) => ({ bytes: (length: number) => new Uint8Array(length).fill(byte) });

/** All waits of a schedule, until it gives up. */
function waits(schedule: RetrySchedule, ids: { bytes(length: number): Uint8Array }): number[] {
  const all: number[] = [];
  for (let failures = 1;; failures++) {
    const wait = retryDelayMs(schedule, failures, ids);
    if (wait === null) return all;
    all.push(wait);
  }
}

Deno.test("the standard schedule waits 500 and 1,000 ms, whatever the random numbers", () => {
  for (const byte of [0, 255]) assert.deepEqual(waits("standard", filled(byte)), [500, 1_000]);
});

Deno.test("the extended schedule has seven more waits, a random tenth more or less", () => {
  const later = [5_000, 30_000, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 24 * hour];
  const least = later.map((wait) => wait / 10 * 9), most = later.map((wait) => wait / 10 * 11);
  assert.deepEqual(waits("extended", filled(0)), [500, 1_000, ...least]);
  assert.deepEqual(waits("extended", filled(255)), [500, 1_000, ...most]);
  assert.deepEqual(
    waits("extended", { bytes: (n) => Uint8Array.of(128, ...Array(n - 1).fill(0)) }),
    [
      500,
      1_000,
      ...later,
    ],
  );
});
