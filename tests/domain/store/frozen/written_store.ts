import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { migrations } from "../../../../assemble.ts";
import { createLog } from "../../../../domain/core/log.ts";
import { Database } from "../../../../domain/store/database.ts";
import { bringForward } from "../../../../domain/store/migrations.ts";
import { FakeClock, testService } from "../../../service.ts";
import { everythingParts } from "../one_of_everything.ts";

/** The file of answers of a store in tests/fixtures/stores: its credentials, and what its build answered. */
export interface Written {
  /** The time of its last write, in ms since 1970. */
  now: number;
  key: string;
  session: string;
  /** By credential and path: `key /v1/api/mailboxes`. */
  answers: Record<string, unknown>;
}

const fixture = async (name: string) =>
  gunzipSync(
    await Deno.readFile(new URL(`../../../fixtures/stores/${name}.gz`, import.meta.url)),
  );

/** A copy of the store that a build wrote, and the file of its answers. */
export async function writtenStore<Beside extends Written = Written>(
  build: string,
): Promise<{ kv: Deno.Kv; written: Beside } & AsyncDisposable> {
  const written = JSON.parse((await fixture(`${build}.answers.json`)).toString());
  return { written, ...await storeOf(await fixture(`${build}.sqlite`)) };
}

/** A copy of the file of a store, opened. */
export async function storeOf(
  file: Uint8Array<ArrayBuffer>,
): Promise<{ kv: Deno.Kv } & AsyncDisposable> {
  const dir = await Deno.makeTempDir();
  await Deno.writeFile(`${dir}/kv.sqlite`, file);
  const kv = await Deno.openKv(`${dir}/kv.sqlite`);
  return {
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Brings a store forward as a start does. Returns the events of the log. */
export async function start(kv: Deno.Kv, now: number): Promise<string[]> {
  const events: string[] = [];
  const log = createLog({
    ...{ level: "info", format: "json" },
    write: (line) => events.push(JSON.parse(line).event),
  });
  const database = new Database(kv, { log, exclusive: true });
  await bringForward(database, migrations, { path: "the.sqlite", now, log });
  await database.settled();
  return events;
}

/** The service of such a store, at the time of its last write. */
export async function serviceOf(kv: Deno.Kv, { now }: Pick<Written, "now">) {
  const { options } = everythingParts();
  const clock = new FakeClock(now);
  const { plans: _, parts, ...rest } = options;
  return await testService({ ...rest, parts: { ...parts, clock }, kv, exclusive: true });
}

/** Throws unless `now` has everything that `before` had; it may have further fields. */
export function assertKept(now: unknown, before: unknown, path: string): void {
  if (before === null || typeof before !== "object") return assert.equal(now, before, path);
  assert.ok(now !== null && typeof now === "object", path);
  if (Array.isArray(before)) assert.equal((now as unknown[]).length, before.length, path);
  for (const [name, value] of Object.entries(before)) {
    assertKept((now as Record<string, unknown>)[name], value, `${path} ${name}`);
  }
}
