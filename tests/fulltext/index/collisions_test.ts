import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { hash48 } from "../../../fulltext/analysis/term_hash.ts";
import { IndexEngine } from "../../../fulltext/index/engine.ts";
import { KeyHash } from "../../../fulltext/index/hashing/key_hash.ts";
import { Places } from "../../../fulltext/index/hashing/places.ts";
import { RecentPostings } from "../../../fulltext/index/recent_postings.ts";
import { Vocabulary } from "../../../fulltext/index/vocabulary.ts";
import type { IndexedEmail } from "../../../fulltext/types.ts";
import { slowerThanLinear } from "../../growth.ts";
import { nightly } from "../../nightly.ts";

const longest = 24_000;

/**
 * Words whose hashes all end in 17 bits below 2,048. A table with the hash as the slot would have to pass nearly all
 * the others for each of them. Each is its own stem.
 */
function collidingWords(count: number): string[] {
  const words: string[] = [];
  for (let n = 36 ** 4; words.length < count; n++) {
    const word = `7${n.toString(36)}`;
    if ((hash48(word) & 0x1ffff) < 2_048) words.push(word);
  }
  return words;
}

const words = collidingWords(longest);
const keys = Float64Array.from(words, hash48);

/** Numbers of a fixed seed (mulberry32). */
const seeded = (seed: number) => (numbers: Uint32Array) => {
  let state = seed;
  for (let n = 0; n < numbers.length; n++) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    numbers[n] = mixed ^ (mixed >>> 14);
  }
};
const hash = new KeyHash(seeded(1));

function email(n: number, text: string): IndexedEmail {
  return {
    userId: "user",
    emailId: `email-${String(n).padStart(4, "0")}`,
    mailboxId: "mailbox",
    subject: `Report ${n}`,
    from: "ada@example.com",
    to: ["grace@example.com"],
    attachmentNames: [],
    text,
    dateMs: n,
    arrivedMs: n,
  };
}

function assertLinear(work: (length: number) => unknown) {
  assert.equal(slowerThanLinear(longest / 4, (length) => length, work), null);
}

nightly("an email of words chosen to collide is indexed and found in linear time", () => {
  assertLinear((length) => {
    const index = new IndexEngine(null, () => performance.now(), seeded(2));
    const text = words.slice(0, length).join(" ");
    index.add([email(1, text), email(2, text), email(3, "nothing else")]);
    const { hits } = index.search({ userId: "user", text: words[0], filters: {}, window: 10 });
    assert.deepEqual(hits.map(({ emailId }) => emailId), ["email-0002", "email-0001"]);
    index.close();
  });
});

nightly("terms chosen to collide are numbered in linear time", () => {
  const places = new Places(hash);
  assertLinear((length) => {
    places.reset(length);
    for (let n = 0; n < length; n++) assert.equal(places.of(keys[n]), n);
    for (let n = 0; n < length; n++) assert.equal(places.of(keys[n]), n);
  });
});

nightly("stems chosen to collide are counted in linear time", () => {
  assertLinear((length) => {
    const vocabulary = new Vocabulary(hash);
    for (let n = 0; n < length; n++) vocabulary.add(keys[n], n + 1);
    for (let n = 0; n < length; n++) assert.equal(vocabulary.get(keys[n]), n + 1);
    assert.equal(vocabulary.get(hash48("absent")), 0);
  });
});

nightly("the newest postings of terms chosen to collide are kept in linear time", () => {
  assertLinear((length) => {
    const counts = new Uint8Array(length).fill(1);
    const recent = new RecentPostings(hash);
    const terms = { length, asStem: counts, asWord: counts, isTopic: counts };
    recent.add(0, { ...terms, keys: keys.subarray(0, length) });
    assert.deepEqual(recent.terms(), keys.slice(0, length).sort());
  });
});

Deno.test("each byte of a key counts in its hash", () => {
  const of = (key: number) => hash.of(key);
  const hashes = [0, ...[0, 1, 2, 3, 4, 5].flatMap((n) => [2 ** (8 * n), 255 * 2 ** (8 * n)])];
  assert.equal(new Set(hashes.map(of)).size, hashes.length);
  assert.notEqual(of(0x123456789abc), new KeyHash(seeded(9)).of(0x123456789abc));
});

Deno.test("what is on disk does not depend on the random numbers of a process", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const files = [3, 4].map((seed) => `${folder}/${seed}.sqlite`);
    for (const [n, path] of files.entries()) {
      const index = new IndexEngine(path, () => performance.now(), seeded(3 + n));
      // The 256th email makes a segment.
      for (let n = 0; n < 300; n++) {
        index.add([email(n, words.slice(n * 10, n * 10 + 20).join(" "))]);
      }
      index.close();
    }
    const [one, other] = files.map(rowsOf);
    assert.deepEqual(one, other);
    assert.ok(one.blocks.length > 0);

    const again = new IndexEngine(files[0], () => performance.now(), seeded(5));
    for (const [word, found] of [[words[15], 2], [words[2_995], 2], [words[3_005], 1]] as const) {
      const query = { userId: "user", text: word, filters: {}, window: 10 };
      assert.equal(again.search(query).total, found, word);
    }
    again.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function rowsOf(path: string): Record<string, unknown[]> {
  const db = new DatabaseSync(path);
  const tables = ["accounts", "documents", "contents", "phrases", "segments", "blocks", "vectors"];
  const rows = tables.map((table) => [table, db.prepare(`select * from ${table}`).all()]);
  db.close();
  return Object.fromEntries(rows);
}
