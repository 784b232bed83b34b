import assert from "node:assert/strict";
import { systemClock } from "../../../../domain/core/clock.ts";
import { systemIds } from "../../../../domain/core/ids.ts";
import { describeError } from "../../../../domain/core/log.ts";
import { faultsToUnavailable } from "../../../../domain/store/remote/faults.ts";

Deno.test("work that fails is tried again until its time is over, and no pause goes beyond that", async () => {
  const maxFaultMs = 3_000;
  for (let round = 0; round < 50; round++) {
    let now = 0, tries = 0;
    const clock = {
      elapsed: () => now,
      after(ms: number, run: () => void) {
        now += ms;
        queueMicrotask(run);
        return () => {};
      },
    };
    const work = () => {
      tries++;
      return Promise.reject(new Error("database is locked"));
    };
    await assert.rejects(faultsToUnavailable({ clock, ids: systemIds() }, work, maxFaultMs), {
      code: "SERVICE_UNAVAILABLE",
    });
    assert.ok(tries > 7, `${tries} tries`);
    assert.ok(Math.abs(now - maxFaultMs) < 1, `given up after ${now} ms`);
  }
});

Deno.test("the log says why the database is not available, and the answer to the caller does not", async () => {
  const full = () => Promise.reject(new Error("(code: 13) database or disk is full"));
  const parts = { clock: systemClock, ids: systemIds() };
  const error = await faultsToUnavailable(parts, full, 0).catch((error) => error);
  assert.equal(error.message, "The database is not available.");
  assert.equal(describeError(error), "Error: (code: 13) database or disk is full");
});
