import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import {
  BestDocuments,
  highest,
  ScoreCounts,
  topDocuments,
} from "../../../fulltext/index/ranking/top.ts";
import { openEmbeddedIndex } from "../../../adapters/search_index/embedded.ts";
import type { SearchFilters, SearchIndex } from "../../../domain/ports/search_index.ts";
import { isNight } from "../../nightly.ts";
import { indexedEmail, searchIndexSuite } from "./search_index_suite.ts";

searchIndexSuite("embedded", () => Promise.resolve(openEmbeddedIndex({ path: null })));

Deno.test("the embedded index still has all acknowledged emails when it is opened again", async () => {
  const path = await Deno.makeTempDir();
  try {
    const first = openEmbeddedIndex({ path: `${path}/index.sqlite` });
    await first.add([indexedEmail("kept", { text: "a periwinkle" })]);
    await first.close();
    const second = openEmbeddedIndex({ path: `${path}/index.sqlite` });
    const { hits } = await second.search({
      userId: "user-1",
      text: "periwinkle",
      filters: {},
      window: 10,
    });
    assert.deepEqual(hits.map(({ emailId }) => emailId), ["kept"]);
    await second.close();
  } finally {
    await Deno.remove(path, { recursive: true });
  }
});

Deno.test("embedded index answers the same when a large account is opened again, filters and removals included", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/index.sqlite`;
  const emails = Array.from({ length: 8_300 }, (_, n) =>
    indexedEmail(`e${n}`, {
      mailboxId: `mailbox-${n % 3}`,
      from: `Person ${n % 50} <p${n % 50}@example.org>`,
      subject: n === 8_250 ? "Ünique ЖУК" : `Matter ${n}`,
      text: n % 7 === 0 ? "A walrus." : "Plain.",
      dateMs: n,
      arrivedMs: n,
    }));
  const searches: [string, SearchFilters][] = [
    ["walrus", {}],
    ["walrus", { mailboxIds: ["mailbox-1"] }],
    ["walrus", { mailboxIds: ["mailbox-0", "mailbox-1", "mailbox-2"] }],
    ["walrus", { from: "P7@Example" }],
    ["plain", { subject: "ünique жук" }],
    ["plain", { subject: "matter 82" }],
    ["plain", { subject: "8249matter" }],
    ["plain", { dateFromMs: 8_190, dateToMs: 8_200 }],
  ];
  const answers = (index: SearchIndex) =>
    Promise.all(
      searches.map(([text, filters]) =>
        index.search({ userId: "user-1", text, filters, window: 1000 })
      ),
    );
  const first = openEmbeddedIndex({ path });
  for (let n = 0; n < emails.length; n += 100) await first.add(emails.slice(n, n + 100));
  await first.remove("user-1", ["e8295", "e7", "e8192"]);
  const before = await answers(first);
  await first.close();
  const second = openEmbeddedIndex({ path });
  assert.deepEqual(await answers(second), before);
  assert.deepEqual(before.map(({ total }) => total), [1000, 394, 1000, 23, 1, 95, 0, 8]);
  assert.deepEqual(before[4].hits.map(({ emailId }) => emailId), ["e8250"]);
  // Mail that is added after the first use of the filters is filtered too.
  await second.add([indexedEmail("late", { subject: "Matter 8250b", text: "Plain." })]);
  const late = { userId: "user-1", text: "plain", filters: { subject: "8250B" }, window: 10 };
  assert.deepEqual((await second.search(late)).hits.map(({ emailId }) => emailId), ["late"]);
  await second.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("highest() gives the places of the highest weights, of equal ones those of the lowest keys", () => {
  const weights = Float64Array.of(2, 5, 2, 0, 5, 7);
  const keys = Float64Array.of(40, 30, 10, 1, 20, 9);
  for (
    const [count, places] of [[2, [5, 4]], [4, [5, 4, 1, 2]], [9, [5, 4, 1, 2, 0, 3]]] as const
  ) {
    assert.deepEqual(highest(weights, keys, count), places);
  }
});

Deno.test("topDocuments() and BestDocuments give the same result as sorting all, with the newest first among equals", () => {
  fc.assert(fc.property(
    fc.array(fc.oneof(fc.constant(0), fc.constant(0.5), fc.float({ min: 0, max: 4, noNaN: true }))),
    fc.integer({ min: 1, max: 40 }),
    (values, count) => {
      const scores = Float32Array.from(values);
      const arrivedMs = Float64Array.from(values, (_, n) => n % 3);
      // Indexed in another order than they came in.
      const emailId = values.map((_, n) => `${n * 7919 % 10007}`.padStart(5, "0"));
      const sorted = [...scores.keys()].filter((n) => scores[n] > 0).sort((a, b) =>
        scores[b] - scores[a] || arrivedMs[b] - arrivedMs[a] ||
        emailId[b].localeCompare(emailId[a])
      );
      const ages = { arrivedMs, emailId };
      assert.deepEqual(topDocuments(scores, ages, count), sorted.slice(0, count));
      // The bound of the scores need not be the highest.
      const counts = new ScoreCounts(4);
      const best = new BestDocuments(scores, ages, count);
      for (const [n, score] of scores.entries()) {
        if (score === 0) continue;
        counts.add(score);
        best.offer(n);
      }
      assert.deepEqual(topDocuments(scores, ages, count, counts), sorted.slice(0, count));
      assert.deepEqual(best.documents, sorted.slice(0, count));
    },
  ));
});

Deno.test("embedded index says what is wrong when its file cannot be used", async () => {
  const index = openEmbeddedIndex({ path: "/dev/null/index.sqlite" });
  await assert.rejects(() => index.add([indexedEmail("e")]), /cannot be opened/);
  await assert.rejects(() => index.check(), /cannot be opened/);
  await index.close();
});

Deno.test("the embedded index opens its file as soon as it can, and calls whenEmptied if that is empty", async () => {
  const dir = await Deno.makeTempDir();
  const index = openEmbeddedIndex({ path: `${dir}/later/index.sqlite` });
  let emptied = 0;
  index.whenEmptied(() => emptied++);
  await assert.rejects(() => index.isEmpty(), /cannot be opened/);
  await Deno.mkdir(`${dir}/later`);
  await index.add([indexedEmail("e")]);
  assert.equal(emptied, 1);
  // A check reports what the one before it found.
  await index.check().catch(() => {});
  assert.equal(await index.isEmpty(), false);
  await index.check();
  await index.close();
  await Deno.remove(dir, { recursive: true });
});

/** Overwrites the first page of the texts; a start does not read it. */
async function damageTexts(path: string): Promise<void> {
  const db = new DatabaseSync(path);
  const { page } = db.prepare(
    "select rootpage as page from sqlite_schema where name = 'contents'",
  ).get() as { page: number };
  db.close();
  using file = await Deno.open(path, { write: true });
  const pageBytes = 4_096;
  await file.seek((page - 1) * pageBytes, Deno.SeekMode.Start);
  await file.write(new Uint8Array(pageBytes).fill(0xff));
}

Deno.test("the embedded index replaces a file whose damage shows only later, and calls whenEmptied", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/index.sqlite`;
  const before = openEmbeddedIndex({ path });
  await before.add([indexedEmail("e1")]);
  await before.close();
  await damageTexts(path);
  const index = openEmbeddedIndex({ path });
  let emptied = 0;
  index.whenEmptied(() => emptied++);
  assert.equal(await index.isEmpty(), false);
  await assert.rejects(() => index.add([indexedEmail("e2")]), /malformed/);
  await index.add([indexedEmail("e2")]);
  assert.equal(emptied, 1);
  await index.close();
  const after = openEmbeddedIndex({ path });
  assert.equal(await after.isEmpty(), false);
  await after.close();
  await Deno.remove(dir, { recursive: true });
});

for (
  const [column, use] of [
    ["blocks.data", "search"],
    ["segments.stems", "search"],
    ["contents.text", "passages"],
    ["vectors.vectors", "vectors"],
  ] as const
) {
  Deno.test(`the embedded index replaces a file in which bytes of ${column} have changed`, async () => {
    const dir = await Deno.makeTempDir();
    const path = `${dir}/index.sqlite`;
    const before = openEmbeddedIndex({ path });
    // From 256 documents on there is a segment.
    await before.add(Array.from({ length: 300 }, (_, n) => indexedEmail(`e${n}`)));
    const { userId, text } = indexedEmail("e1");
    const vector = Float32Array.of(1, 2, 3);
    const model = "m";
    const embedded = { ...indexedEmail("e1"), model, passages: [{ text, vector }] };
    await before.vectors.add([embedded]);
    await before.close();
    const [table, name] = column.split(".");
    const db = new DatabaseSync(path);
    db.exec(`update ${table} set ${name} = cast(x'ff' || substr(${name}, 2) as blob)`);
    db.close();
    const index = openEmbeddedIndex({ path });
    let emptied = 0;
    index.whenEmptied(() => emptied++);
    const more = { filters: {}, window: 10, timeoutMs: 1_000 };
    const read = {
      search: () => index.search({ ...more, userId, text, wanted: 10 }),
      passages: () => index.passages({ userId, text, emailIds: ["e1"] }),
      vectors: () => index.vectors.search({ ...more, userId, model, vector }),
    }[use];
    await assert.rejects(read, /a value of the search index is malformed/);
    await read();
    assert.equal(emptied, 1);
    assert.equal(await index.isEmpty(), true);
    await index.close();
    await Deno.remove(dir, { recursive: true });
  });
}

for (
  const [column, values] of Object.entries({
    "accounts.next_document": ["-1", "0", "2147483648", "'x'", "4611686018427387904"],
    "accounts.flushed": ["-1", "299", "2147483648"],
    "segments.first_document": ["1", "1099511627776"],
    "segments.span": ["-1", "0", "257", "'x'", "1099511627776"],
    "documents.document": ["100000"],
  })
) {
  Deno.test(`the embedded index replaces a file in which the number ${column} has changed`, async () => {
    const dir = await Deno.makeTempDir();
    const path = `${dir}/index.sqlite`;
    const { userId, text } = indexedEmail("e1");
    const [table, name] = column.split(".");
    const before = openEmbeddedIndex({ path });
    await before.add(Array.from({ length: 300 }, (_, n) => indexedEmail(`e${n}`)));
    await before.close();
    const intact = await Deno.readFile(path);
    // By day the lowest and the highest.
    for (const value of isNight ? values : new Set([values[0], values.at(-1)!])) {
      await Deno.writeFile(path, intact);
      const db = new DatabaseSync(path);
      db.exec(
        `update ${table} set ${name} = ${value} where ${name} = (select max(${name}) from ${table})`,
      );
      db.close();
      const index = openEmbeddedIndex({ path });
      let emptied = 0;
      index.whenEmptied(() => emptied++);
      const search = () => index.search({ userId, text, filters: {}, window: 10, wanted: 10 });
      await assert.rejects(search, /malformed|too large/, value);
      assert.deepEqual((await search()).hits, []);
      assert.equal(emptied, 1);
      await index.close();
    }
    await Deno.remove(dir, { recursive: true });
  });
}

Deno.test("the embedded index reports its health at once, even if other calls wait", async () => {
  const index = openEmbeddedIndex({ path: null });
  const text = Array.from({ length: 2_000 }, (_, n) => `word${n}`).join(" ");
  let ended = 0;
  const work = Array.from(
    { length: 50 },
    (_, n) => index.add([indexedEmail(`e${n}`, { text })]).then(() => ended++),
  );
  for (let n = 0; n < 100; n++) await index.check();
  assert.equal(ended, 0, "no check waited for the thread");
  await Promise.all(work);
  await index.check();
  await index.close();
  await assert.rejects(() => index.check(), /is closed/);
});
