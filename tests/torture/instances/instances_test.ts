import assert from "node:assert/strict";
import { isNight } from "../../nightly.ts";
import { tortureInstances } from "./instances.ts";

// SPEC: inbound.durable
Deno.test("three processes on a remote database with faults, one of them killed, lose, double and mix up nothing", async () => {
  const { violations, ...report } = await tortureInstances({
    seed: 20261122,
    seconds: isNight ? 3 : 2,
    senders: 3,
    isComplete: false,
    // A busy machine is slow; `deno task torture --instances` is stricter.
    hangsMs: 30_000,
    lateMs: [500, 1_000],
    least: { acked: 10, mailboxes: 2 },
  });
  assert.deepEqual(violations, []);
  // A run without a fault proves nothing.
  assert.ok(report.faults >= 1, `${report.faults} faults`);
  assert.ok(report.acked >= 10, `${report.acked} messages acknowledged`);
  assert.ok(report.mailboxesCreated >= 2, `${report.mailboxesCreated} mailboxes created`);
  assert.ok(report.reconnections >= 5, `${report.reconnections} reconnections`);
});
