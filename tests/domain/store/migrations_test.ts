import assert from "node:assert/strict";
import { createLog } from "../../../domain/core/log.ts";
import { StartError } from "../../../domain/core/settings/start_error.ts";
import { Database } from "../../../domain/store/database.ts";
import { bringForward, type Migration, schemaVersion } from "../../../domain/store/migrations.ts";

const events: string[] = [];
const log = createLog({
  ...{ level: "info", format: "json" },
  write: (line) => events.push(JSON.parse(line).event),
});

async function rowsOf(kv: Deno.Kv): Promise<Record<string, unknown>> {
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  return Object.fromEntries(rows.map(({ key, value }) => [key.join(" "), value]));
}

async function withStore(
  rows: [Deno.KvKey, unknown][],
  body: (kv: Deno.Kv, start: (migrations?: readonly Migration[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  for (const [key, value] of rows) await kv.set(key, value);
  events.length = 0;
  await body(kv, async (migrations = [step(schemaVersion - 1, () => Promise.resolve())]) => {
    const database = new Database(kv, { log, exclusive: true });
    await bringForward(database, migrations, { path: "the.sqlite", now: 0, log });
  });
}

const step = (from: number, run: Migration["run"]): Migration => ({ from, to: from + 1, run });

const versioned = (version: unknown): [Deno.KvKey, unknown] => [
  ["meta", "schema_version"],
  version,
];

Deno.test("the first start on an empty store writes the schema version and runs no migration", () =>
  withStore([], async (kv, start) => {
    await start([step(0, () => Promise.reject(new Error("was run")))]);
    assert.deepEqual(await rowsOf(kv), { "meta schema_version": schemaVersion });
    await start([]);
    assert.deepEqual(events, []);
  }));

Deno.test("of two processes that start on an empty store, the later one sees the version that the first wrote", () =>
  withStore([], async (kv) => {
    const database = new Database(kv, { log, exclusive: false });
    const collect = database.collect.bind(database);
    // The other process begins the store after this one has looked for a version.
    database.collect = async (...args) => {
      await kv.set(...versioned(schemaVersion));
      await kv.set(["users", "u1"], {});
      return await collect(...args) as never;
    };
    await bringForward(database, [], { path: "the.sqlite", now: 0, log });
    assert.deepEqual(await rowsOf(kv), { "meta schema_version": schemaVersion, "users u1": {} });
  }));

Deno.test("all steps of all versions run in their order, once", () =>
  withStore([versioned(schemaVersion - 2)], async (kv, start) => {
    const ran: string[] = [];
    const named = (from: number, name: string) =>
      step(from, () => Promise.resolve(void ran.push(name)));
    const steps = [
      named(schemaVersion - 1, "third"),
      named(schemaVersion - 2, "first"),
      named(schemaVersion - 2, "second"),
    ];
    await start(steps);
    await start(steps);
    assert.deepEqual(ran, ["first", "second", "third"]);
    assert.deepEqual(events, ["store.brought_forward", "store.brought_forward"]);
    assert.deepEqual(await rowsOf(kv), { "meta schema_version": schemaVersion });
  }));

Deno.test("a step that fails leaves the version, and runs again at the next start", () =>
  withStore([versioned(schemaVersion - 1)], async (kv, start) => {
    await assert.rejects(
      start([step(schemaVersion - 1, () => Promise.reject(new Error("killed")))]),
      /killed/,
    );
    assert.deepEqual(await rowsOf(kv), { "meta schema_version": schemaVersion - 1 });
    await start();
    assert.deepEqual(await rowsOf(kv), { "meta schema_version": schemaVersion });
  }));

for (const version of [schemaVersion + 1, 1, 1.5, "one"]) {
  Deno.test(`a store of schema version ${version} is refused in one sentence, and nothing is written`, () =>
    withStore([versioned(version)], async (kv, start) => {
      await assert.rejects(start(), (error) => {
        assert.ok(error instanceof StartError);
        assert.match(error.message, /^KV_PATH: the\.sqlite has schema version \S+, .*[^.]$/);
        return true;
      });
      assert.deepEqual(await rowsOf(kv), { "meta schema_version": version });
    }));
}

Deno.test("a store that has rows but no version is refused", () =>
  withStore([[["users", "u"], { userId: "u" }]], async (kv, start) => {
    await assert.rejects(start(), /has schema version 0/);
    assert.deepEqual(await rowsOf(kv), { "users u": { userId: "u" } });
  }));
