import assert from "node:assert/strict";
import { cutAudit } from "../../../domain/audit/bound_audit.ts";
import { type AuditEntry, rowsOf, writeEntries } from "../../../domain/audit/entry.ts";
import { timeOfId } from "../../../domain/core/ids.ts";
import { readAudit } from "../../../domain/audit/read_audit.ts";
import { systemIds } from "../../../domain/core/ids.ts";
import * as keys from "../../../domain/store/keys.ts";
import { seeded } from "../../torture/seeded.ts";
import { testService } from "../../service.ts";

const dayMs = 86_400_000;

function entryAt(at: number, ids = systemIds()): AuditEntry {
  const auditId = ids.timed(at);
  const ofNothing = { mailboxId: null, emailId: null, count: null };
  const actor = { keyId: "k" };
  return { auditId, at, actor, surface: "rest", action: "get_email", ...ofNothing };
}

Deno.test("rows that overlap are read in the order of the calls, page by page", async () => {
  await using test = await testService({ instances: 1 });
  const { database, clock } = test.service;
  const random = seeded(1);
  const ids = systemIds();
  const start = clock.now() - 120_000;
  const entries = Array.from({ length: 1_200 }, (_, n) => entryAt(start + n * 97, ids));
  // Written in random groups, like those of several processes and of calls that wait a minute.
  const groups = Object.values(Object.groupBy(entries, () => Math.floor(random() * 9)));
  const rows = groups.flatMap((group) => rowsOf(group!));
  assert.ok(rows.length > 40 && rows.length < 600);
  for (const row of rows) {
    assert.ok(
      timeOfId(row.at(-1)!.auditId) - timeOfId(row[0].auditId) <= 5_000 && row.length <= 100,
    );
    await database.transact((tx) =>
      tx.set(keys.auditRow("u", row.at(-1)!.auditId), writeEntries(row))
    );
  }
  const read: AuditEntry[] = [];
  const passes = ({ at }: AuditEntry) => at % 3 !== 0;
  for (let before: string | null = null, more = true; more;) {
    const page = await readAudit(database, "u", { before, limit: 41, now: clock.now(), passes });
    read.push(...page.entries);
    ({ hasMore: more, last: before } = page);
  }
  assert.deepEqual(read, entries.filter(passes).reverse());
});

Deno.test("a page looks at 20,000 entries, and says that there are more", async () => {
  await using test = await testService({ instances: 1 });
  const { database, clock } = test.service;
  const ids = systemIds();
  const entries = Array.from({ length: 30_000 }, () => entryAt(clock.now() - 1_000, ids));
  for (const row of rowsOf(entries)) {
    await database.transact((tx) =>
      tx.set(keys.auditRow("u", row.at(-1)!.auditId), writeEntries(row))
    );
  }
  const none = { limit: 10, now: clock.now(), passes: () => false };
  const first = await readAudit(database, "u", { ...none, before: null });
  assert.deepEqual(first, { entries: [], last: entries[10_000].auditId, hasMore: true });
  const second = await readAudit(database, "u", { ...none, before: first.last });
  assert.deepEqual(second, { entries: [], last: entries[0].auditId, hasMore: false });
});

Deno.test("rows of more than 90 days are removed, of every account", async () => {
  await using test = await testService({ instances: 1 });
  const { database, clock } = test.service;
  const now = clock.now();
  const ids = systemIds();
  for (const userId of ["a", "b", "c"]) {
    await database.transact((tx) => {
      for (let n = 0; n < 450; n++) {
        const { auditId } = entryAt(now - 91 * dayMs, ids);
        if (userId !== "b") tx.set(keys.auditRow(userId, auditId), "[]");
      }
    });
  }
  const kept = systemIds().timed(now - 89 * dayMs);
  await database.transact((tx) => {
    for (const userId of ["b", "c"]) tx.set(keys.auditRow(userId, kept), "[]");
  });
  assert.equal(await cutAudit(database, now, () => false), 0);
  assert.equal(await cutAudit(database, now, () => true), 900);
  const left = await Array.fromAsync(test.kv.list({ prefix: ["audit"] }));
  assert.deepEqual(left.map(({ key }) => key.slice(1)), [["b", kept], ["c", kept]]);
});
