import assert from "node:assert/strict";
import { Pulse } from "../../../adapters/search_index/pulse.ts";

Deno.test("a thread that has nothing to do is not silent, however long", () => {
  const pulse = new Pulse();
  assert.equal(pulse.silentMs(1_000_000), 0);
  pulse.asked(1, 0);
  pulse.answered(1, 10);
  assert.equal(pulse.silentMs(1_000_000), 0);
});

Deno.test("a long queue is no silence while answers come; otherwise silence counts from the last answer, or from the oldest waiting call", () => {
  const pulse = new Pulse();
  for (let call = 1; call <= 100; call++) pulse.asked(call, 0);
  for (let call = 1; call <= 50; call++) pulse.answered(call, call * 1_000);
  assert.equal(pulse.silentMs(50_200), 200);
  assert.equal(pulse.silentMs(60_000), 10_000);
  for (let call = 51; call <= 100; call++) pulse.answered(call, 60_000);
  pulse.asked(101, 90_000);
  pulse.asked(102, 99_000);
  assert.equal(pulse.silentMs(99_500), 9_500);
  pulse.stopped();
  assert.equal(pulse.silentMs(200_000), 0);
});
