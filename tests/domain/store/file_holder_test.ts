import assert from "node:assert/strict";
import { systemClock } from "../../../domain/core/clock.ts";
import { holdFile } from "../../../domain/store/file_holder.ts";
import { freePort, startProcess } from "../../service_process.ts";

Deno.test("a file has one holder at a time, and the next one as soon as it is released", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const letGo = await holdFile(systemClock, `${dir}/kv.sqlite`, 0);
    assert.ok(letGo);
    assert.equal(await holdFile(systemClock, `${dir}/kv.sqlite`, 0), null);
    const next = holdFile(systemClock, `${dir}/kv.sqlite`, 10_000);
    letGo();
    const nextLetsGo = await next;
    assert.ok(nextLetsGo);
    nextLetsGo();
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a service does not start on a database file that another process has", async () => {
  const dir = await Deno.makeTempDir();
  const held = await holdFile(systemClock, `${dir}/kv.sqlite`, 0);
  const second = startProcess({ dir, port: freePort() });
  try {
    assert.equal(await second.up, false);
    assert.equal((await second.exited).code, 1);
  } finally {
    await second.kill();
    held?.();
    await Deno.remove(dir, { recursive: true });
  }
});
