import assert from "node:assert/strict";
import { freePort } from "../../service_process.ts";
import type { Lag } from "./lag_meter.ts";

Deno.test("the lag meter sees a freeze of the process that it is loaded into, once", async () => {
  const port = freePort();
  const here = new URL("./", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-check", `--preload=${new URL("./lag_meter.ts", here).href}`],
      ...[new URL("./planted_freeze.ts", here).href, "300"],
    ],
    env: { LAG_METER_PORT: String(port) },
    stdout: "piped",
  }).spawn();
  try {
    const reader = child.stdout.getReader();
    await reader.read();
    reader.releaseLock();
    const ask = async (): Promise<Lag> => await (await fetch(`http://127.0.0.1:${port}`)).json();
    const { gapMs, freezeMs } = await ask();
    assert.ok(gapMs > 250, `a gap of ${gapMs} ms`);
    // The wait for a processor is subtracted; on any machine at least half of the freeze remains.
    assert.ok(freezeMs > 100 && freezeMs <= gapMs, `a freeze of ${freezeMs} ms`);
    const after = await ask();
    assert.ok(after.freezeMs < freezeMs, `${after.freezeMs} ms afterwards`);
  } finally {
    child.kill();
    await child.status;
    await child.stdout.cancel();
  }
});
