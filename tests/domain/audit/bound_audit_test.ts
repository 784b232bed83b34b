import assert from "node:assert/strict";
import { boundAudit } from "../../../domain/audit/bound_audit.ts";
import { writeEntries } from "../../../domain/audit/entry.ts";
import * as keys from "../../../domain/store/keys.ts";
import { account, testService } from "../../service.ts";

Deno.test("the audit of a free account keeps its newest 500,000 entries; that of another goes on", async () => {
  await using test = await testService({ instances: 1 });
  const { database, ids, clock, audit } = test.service;
  const accounts = [await account(test, "free"), await account(test, "pro")];
  const oldest: string[] = [];
  for (const { userId } of accounts) {
    for (let n = 0; n < 5_100; n += 10) {
      await database.transact((tx) => {
        for (let i = 0; i < 10; i++) {
          const at = clock.now() + n + i, auditId = ids.timed(at);
          oldest.push(auditId);
          const entry = {
            ...{ auditId, at, actor: { keyId: "k" }, surface: "rest" as const },
            ...{ action: "list_emails", mailboxId: null, emailId: null, count: 1 },
          };
          const row = Array.from({ length: 100 }, () => entry);
          tx.set(keys.auditRow(userId, auditId), writeEntries(row));
        }
      });
    }
  }
  const count = async ({ userId }: { userId: string }) =>
    (await Array.fromAsync(test.kv.list({ prefix: keys.auditRows(userId) }))).length;
  assert.equal(await boundAudit(test.service, () => true), 0, "nothing is counted for a little");
  for (const { userId } of accounts) audit.appended.set(userId, 510_000);
  const before = await Promise.all(accounts.map(count));
  assert.equal(await boundAudit(test.service, () => true), before[0] - 5_000);
  assert.deepEqual(await Promise.all(accounts.map(count)), [5_000, before[1]]);
  const gone = await test.kv.get(keys.auditRow(accounts[0].userId, oldest[0]));
  assert.equal(gone.value, null);
});
