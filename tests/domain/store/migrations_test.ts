import assert from "node:assert/strict";
import { createLog } from "../../../domain/core/log.ts";
import { StartError } from "../../../domain/core/settings.ts";
import { Database } from "../../../domain/store/database.ts";
import { bringForward, type Migration, storeMigrations } from "../../../domain/store/migrations.ts";

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
  await body(kv, async (migrations = steps) => {
    const database = new Database(kv, { log, exclusive: true });
    await bringForward(database, migrations, { path: "the.sqlite", log });
  });
}

/** A store of development: a domain with its rows, a job for it, and facts about the store. */
const development: [Deno.KvKey, unknown][] = [
  [["hosts", "u", "d"], { hostId: "d", userId: "u", name: "own.example" }],
  [["hosts_by_name", "u", "own.example"], "d"],
  [["hosts_verified", "own.example"], { userId: "u", hostId: "d" }],
  [["host_quota", "u"], 1],
  [["host_mailboxes", "u", "own.example"], 2],
  [["mailboxes_by_host", "u", "own.example", "m"], true],
  [["marks", "embedding_model"], { model: "small" }],
  [["jobs_due", 40, "j"], {
    ...{ jobId: "j", kind: "reverify_host", payload: { userId: "u", hostId: "d" } },
    ...{ runAt: 10, attempts: 0, createdAt: 0, dueAt: 40 },
  }],
  [["users", "u"], { userId: "u" }],
];

/** The steps of the store itself; those of a floor above have nothing to do here. */
const steps: readonly Migration[] = [
  ...storeMigrations,
  { from: 1, to: 2, run: () => Promise.resolve() },
  { from: 2, to: 3, run: () => Promise.resolve() },
];

const version3 = {
  "custom_domain_mailboxes u own.example": 2,
  "custom_domain_quota u": 1,
  "custom_domains u d": { domainId: "d", userId: "u", name: "own.example" },
  "custom_domains_by_name u own.example": "d",
  "custom_domains_verified own.example": { userId: "u", domainId: "d" },
  "jobs_due 40 j": {
    ...{ jobId: "j", kind: "reverify_domain", payload: { userId: "u", domainId: "d" } },
    ...{ runAt: 10, attempts: 0, createdAt: 0, dueAt: 40 },
  },
  "mailboxes_by_domain u own.example m": true,
  "meta embedding_model": { model: "small" },
  "meta schema_version": 3,
  "users u": { userId: "u" },
};

Deno.test("the first start on an empty store writes schema version 3 and runs no migration", () =>
  withStore([], async (kv, start) => {
    await start([{ from: 0, to: 1, run: () => Promise.reject(new Error("was run")) }]);
    assert.deepEqual(await rowsOf(kv), { "meta schema_version": 3 });
    await start([]);
    assert.deepEqual(events, []);
  }));

Deno.test("a store of development is brought forward to version 3, once", () =>
  withStore(development, async (kv, start) => {
    await start();
    assert.deepEqual(await rowsOf(kv), version3);
    await start();
    assert.deepEqual(await rowsOf(kv), version3);
    assert.deepEqual(events, Array(3).fill("store.brought_forward"));
  }));

Deno.test("a migration that is killed at any of its commits is completed at the next start, with the same rows", async () => {
  for (let commits = 0; commits < 9; commits++) {
    await withStore(development, async (kv, start) => {
      const atomic = kv.atomic.bind(kv);
      let left = commits;
      kv.atomic = () => {
        if (left-- === 0) throw new Error("killed");
        return atomic();
      };
      await assert.rejects(start(), /killed/, `${commits} commits`);
      kv.atomic = atomic;
      assert.equal((await kv.get(["meta", "schema_version"])).value, null);
      await start();
      assert.deepEqual(await rowsOf(kv), version3);
    });
  }
});

Deno.test("a table of any size is moved, in commits of a bounded size", () => {
  const rows = Array.from({ length: 1_000 }, (_, n): [Deno.KvKey, unknown] => {
    return [["mailboxes_by_host", "u", "own.example", n], true];
  });
  return withStore(rows, async (kv, start) => {
    await start();
    assert.equal(Object.keys(await rowsOf(kv)).length, 1_001);
    const moved = await Array.fromAsync(kv.list({ prefix: ["mailboxes_by_domain", "u"] }));
    assert.equal(moved.length, 1_000);
  });
});

Deno.test("a row that has its new name already is not overwritten by its old one", () =>
  withStore(
    [[["marks", "embedding_model"], "old"], [["meta", "embedding_model"], "new"]],
    async (kv, start) => {
      await start();
      assert.deepEqual(await rowsOf(kv), {
        "meta embedding_model": "new",
        "meta schema_version": 3,
      });
    },
  ));

Deno.test("all steps of a version run in their order, those of the store and of floors above", () =>
  withStore([[["users", "u"], 1]], async (_kv, start) => {
    const ran: string[] = [];
    const step = (name: string): Migration => ({
      ...{ from: 0, to: 1 },
      run: () => Promise.resolve(void ran.push(name)),
    });
    await start([...steps, step("mail"), step("more")]);
    assert.deepEqual(ran, ["mail", "more"]);
  }));

for (const version of [4, 1.5, "one"]) {
  Deno.test(`a store of schema version ${version} is refused in one sentence, and nothing is written`, () =>
    withStore([[["meta", "schema_version"], version]], async (kv, start) => {
      await assert.rejects(start(), (error) => {
        assert.ok(error instanceof StartError);
        assert.match(error.message, /^KV_PATH: the\.sqlite has schema version \S+, .*[^.]$/);
        return true;
      });
      assert.deepEqual(await rowsOf(kv), { "meta schema_version": version });
    }));
}
