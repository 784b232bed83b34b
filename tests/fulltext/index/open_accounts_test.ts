import assert from "node:assert/strict";
import { openDatabase } from "../../../fulltext/index/database.ts";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { OpenAccounts } from "../../../fulltext/index/open_accounts.ts";

Deno.test("the largest account stays in memory, and of the others those that were used last", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  const fillRandom = (numbers: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(numbers);
  const engine = new IndexEngine(path, () => 0, fillRandom);
  const sizes = { large: 30, first: 8, second: 8, third: 8 };
  for (const [userId, size] of Object.entries(sizes)) {
    engine.add(Array.from({ length: size }, (_, n) => ({
      userId,
      emailId: `${userId}-${n}`,
      mailboxId: "mailbox",
      from: "",
      to: [],
      subject: "",
      dateMs: n,
      arrivedMs: n,
      text: "word",
      attachmentNames: [],
    })));
  }
  engine.close();
  const db = openDatabase(path);
  const accounts = new OpenAccounts(db, fillRandom, () => 0, () => false, 20);
  for (const userId of Object.keys(sizes)) {
    assert.equal(accounts.get(userId)!.columns.live, sizes[userId as keyof typeof sizes]);
  }
  const isOpen = Object.keys(sizes).map((userId) => accounts.has(userId));
  assert.deepEqual(isOpen, [true, false, true, true]);
  accounts.get("first");
  assert.deepEqual([accounts.has("large"), accounts.has("second")], [true, false]);
  assert.equal(accounts.get("unknown"), null);
  db.close();
  await Deno.remove(path);
});
