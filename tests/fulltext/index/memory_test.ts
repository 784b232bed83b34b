import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { KeyHash } from "../../../fulltext/index/hashing/key_hash.ts";
import { dropAll } from "../../../fulltext/index/database.ts";
import { Phrases } from "../../../fulltext/index/phrases.ts";
import { hash48 } from "../../../fulltext/analysis/term_hash.ts";
import type { IndexedEmail } from "../../../fulltext/types.ts";

const fillRandom = (numbers: Uint32Array) =>
  numbers.forEach((_, n) => numbers[n] = Math.imul(n + 1, 2654435761));

function email(n: number, text: string): IndexedEmail {
  return {
    userId: "user",
    emailId: `email-${n}`,
    mailboxId: "mailbox",
    from: "ada@example.com",
    to: ["grace@example.com"],
    subject: `Report ${n}`,
    dateMs: n,
    arrivedMs: n,
    text,
    attachmentNames: [],
  };
}

/** Words that no other email has, each its own stem. */
function ownWords(n: number, count: number): string {
  return Array.from({ length: count }, (_, k) => `q${(n * count + k).toString(36)}z`).join(" ");
}

Deno.test("mail of many words becomes a segment before it fills the memory, and is found as before", () => {
  const path = Deno.makeTempFileSync();
  const index = new IndexEngine(path, () => performance.now(), fillRandom);
  for (let n = 0; n < 10; n++) index.add([email(n, `${ownWords(n, 30_000)} common`)]);
  while (index.work());
  const found = (text: string) =>
    index.search({ userId: "user", text, filters: {}, window: 100 }).hits.map(({ emailId }) =>
      emailId
    );
  for (const n of [0, 7, 9]) {
    assert.deepEqual(found(ownWords(n, 30_000).split(" ")[12_345]), [`email-${n}`]);
  }
  assert.equal(found("common").length, 10);
  index.close();
  const db = new DatabaseSync(path);
  const { segments } = db.prepare("select count(*) as segments from segments").get() as {
    segments: number;
  };
  db.close();
  Deno.removeSync(path);
  assert.equal(segments, 1);
});

Deno.test("segments that were to be merged when the process ended are merged after the next search", () => {
  const path = Deno.makeTempFileSync();
  const open = () => new IndexEngine(path, () => performance.now(), fillRandom);
  const segments = () => {
    using db = new DatabaseSync(path);
    return (db.prepare("select count(*) as n from segments").get() as { n: number }).n;
  };
  const before = open();
  before.add(Array.from({ length: 8 * 256 }, (_, n) => email(n, "A dinghy for sale.")));
  before.close();
  assert.equal(segments(), 8);
  const index = open();
  assert.equal(index.work(), false);
  index.search({ userId: "user", text: "report", filters: {}, window: 10 });
  while (index.work());
  index.close();
  assert.equal(segments(), 1);
  Deno.removeSync(path);
});

Deno.test("phrases that do not fit into memory are read from the database, with the same answers", () => {
  const db = new DatabaseSync(":memory:");
  dropAll(db);
  const insert = db.prepare("insert into phrases values (1, ?, ?, 1)");
  const texts = Array.from(
    { length: 3_000 },
    (_, n) => `subject ${n} of ${n % 7 === 0 ? "may" : "june"}`,
  );
  for (const text of texts) insert.run(hash48(text), text);
  const hash = new KeyHash(fillRandom);
  const large = new Phrases(db, 1, hash);
  const small = new Phrases(db, 1, hash, 10_000);
  assert.ok(large.bytes > 10_000);
  assert.equal(small.bytes, 0);
  for (const phrases of [large, small]) {
    const added = `${texts[0]} again`;
    if (phrases === large) insert.run(hash48(added), added);
    phrases.add(hash48(added), added);
    const found = phrases.with("of may");
    for (const text of [...texts, added]) {
      assert.equal(found.get(hash48(text)) > 0, text.includes("of may"), text);
    }
  }
  db.close();
});
