import assert from "node:assert/strict";
import { torture } from "./torture.ts";

// SPEC: inbound.durable
Deno.test("killed again and again while mail comes in, the service loses, doubles and mixes up nothing", async () => {
  const { violations, ...report } = await torture({
    seed: 20261121,
    seconds: 5,
    senders: 4,
    lifeMs: [100, 800],
    fsyncShare: 0,
  });
  assert.deepEqual(violations, []);
  // A run that met no fault proves nothing.
  assert.ok(report.kills >= 2, `${report.kills} kills`);
  assert.ok(report.acked >= 10, `${report.acked} messages acknowledged`);
  assert.ok(report.unknown >= 1, "no connection was cut");
});
