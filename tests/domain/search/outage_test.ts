import assert from "node:assert/strict";
import { Outage } from "../../../domain/search/semantic.ts";

Deno.test("Outage tries again after 1, 2, 4, 8, then every 15 s, and at once after a success", () => {
  const outage = new Outage();
  assert.equal(outage.nextTry(5), 5);
  const waits = Array.from({ length: 6 }, () => outage.failed(0, 0, null));
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  assert.equal(outage.nextTry(3), 15_000);
  assert.equal(outage.succeeded(), true);
  assert.equal(outage.succeeded(), false);
  assert.equal(outage.nextTry(3), 3);
});

Deno.test("Outage counts the time that a try hung, and follows Retry-After for a minute at most", () => {
  const hung = new Outage();
  for (let n = 0; n < 5; n++) hung.failed(0, 0, null);
  assert.equal(hung.failed(15_000, 0, null), 16_000);
  const asked = new Outage();
  assert.equal(asked.failed(100, 0, 30_000), 30_100);
  assert.equal(asked.failed(100, 0, 1e12), 60_100);
});

Deno.test("Outage does not wait for a time that a clock ahead has set", () => {
  const outage = new Outage();
  const monthMs = 31 * 86_400_000;
  outage.failed(monthMs, monthMs, null);
  assert.equal(outage.nextTry(5), 5);
});
