import assert from "node:assert/strict";
import { measureRoundTrips, mostInTurn } from "../../../remote_kv/round_trips.ts";

Deno.test("no operation waits for more requests in turn than the table of round trips says", async () => {
  const measured = await measureRoundTrips({ rounds: 3 });
  assert.deepEqual(Object.keys(measured).sort(), Object.keys(mostInTurn).sort());
  for (const [name, { inTurn }] of Object.entries(measured)) {
    const most = mostInTurn[name as keyof typeof mostInTurn];
    assert.ok(inTurn <= most, `${name}: ${inTurn} in turn, at most ${most}`);
  }
});
