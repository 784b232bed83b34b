import assert from "node:assert/strict";
import { isNight } from "../nightly.ts";
import { torture } from "./torture.ts";

// SPEC: inbound.durable
Deno.test("a service that is killed many times while mail arrives loses, doubles and mixes up nothing", async () => {
  const { violations, ...report } = await torture({
    seed: 20261121,
    seconds: isNight ? 5 : 3,
    least: { kills: 2, acked: 10, unknown: 1 },
    senders: 4,
    lifeMs: [100, 800],
    fsyncShare: 0,
  });
  assert.deepEqual(violations, []);
  // A run without a fault proves nothing.
  assert.ok(report.kills >= 2, `${report.kills} kills`);
  assert.ok(report.acked >= 10, `${report.acked} messages acknowledged`);
  assert.ok(report.unknown >= 1, "no connection was cut");
});
