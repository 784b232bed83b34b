import assert from "node:assert/strict";
import { Waiting } from "../../../domain/changes/waiting.ts";
import { systemClock } from "../../../domain/core/clock.ts";
import type { JournalWatch } from "../../../domain/store/journal.ts";
import { bounded } from "../../eventually.ts";

/** Without commits: only the clock ends and wakes a wait. */
const silent = { watch: () => () => {} } as unknown as JournalWatch;

Deno.test("a wait ends, and its alarm wakes it, also if the clock is set back meanwhile", async () => {
  const waiting = new Waiting(systemClock, silent);
  const { now } = Date;
  using wait = waiting.begin("user", "wait", { until: Date.now() + 60 });
  waiting.alarm(wait, Date.now() + 20);
  Date.now = () => now() - 48 * 3_600_000;
  try {
    assert.equal(await bounded("the alarm", wait.news()), true);
    assert.equal(await bounded("the end", wait.news()), false);
  } finally {
    Date.now = now;
  }
});
