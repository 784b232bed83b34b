import assert from "node:assert/strict";
import { createLog } from "../../../../../domain/core/log.ts";
import { sweepThreads } from "../../../../../domain/mail/record/threads/sweep_threads.ts";
import { joinThread } from "../../../../../domain/mail/record/threads/threads.ts";
import type { Service } from "../../../../../domain/core/service.ts";
import { Database } from "../../../../../domain/store/database.ts";
import * as keys from "../../../../../domain/store/keys.ts";

Deno.test("a sweep removes threads that another instance merged meanwhile, with all their references", async () => {
  using kv = await Deno.openKv(":memory:");
  const log = createLog({ level: "error", format: "json", write: () => {} });
  const open = () => new Database(kv, { log, exclusive: false });
  const [here, there] = [open(), open()];
  const join = (database: Database, messageId: string, references: string[], founded: string) =>
    database.transact((tx) =>
      joinThread(tx, {
        userId: "u",
        direction: "inbound",
        threadId: "",
        participants: new Map([["b0b", "bob@x.example"]]),
        messageId,
        references,
        inReplyTo: [],
      }, founded)
    );
  for (let n = 0; n < 120; n++) await join(here, `<${n}@x>`, [], `t${1000 + n}`);
  await here.prefetch(Array.from({ length: 120 }, (_, n) => keys.thread("u", `t${1000 + n}`)));
  for (let n = 1; n < 120; n++) await join(there, `<m${n}@x>`, ["<0@x>", `<${n}@x>`], "t9999");
  // No message of any of them is left.
  await sweepThreads({ database: here } as Service, "u");
  const left = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key[0]);
  // Each process has a row of its own.
  assert.deepEqual(left, ["commits", "commits"]);
});
