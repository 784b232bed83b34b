import assert from "node:assert/strict";
import { eachTopicStem, packTerms, TermCounter } from "../../../fulltext/index/document.ts";
import { KeyHash } from "../../../fulltext/index/hashing/key_hash.ts";
import { Places } from "../../../fulltext/index/hashing/places.ts";
import { smoothed } from "../../../fulltext/index/ranking/smoothing.ts";
import type { IndexedEmail } from "../../../fulltext/types.ts";

const hash = new KeyHash((numbers) => numbers.fill(0x9e3779b9));
const places = new Places(hash);

function packed(text: string): Uint8Array {
  const email: IndexedEmail = {
    userId: "user",
    emailId: "email",
    mailboxId: "mailbox",
    from: "sender@example.org",
    to: [],
    subject: "",
    dateMs: 0,
    arrivedMs: 0,
    text,
    attachmentNames: [],
  };
  return packTerms(new TermCounter(hash).terms(email));
}

/** The smoothed values of texts, by default of one date; every stem is in two documents. */
function valuesOf(texts: string[], values: number[], dates = texts.map(() => 0)): number[] {
  const account = {
    places,
    stemCount: () => 2,
    headTerms: (documents: number[]) =>
      new Map(documents.map((document) => [document, packed(texts[document]).slice(0, 1_024)])),
  };
  const documents = texts.map((_, n) => n);
  return [...smoothed(account, { documents, values, dates }, { idf: () => 1 })];
}

Deno.test("a document that is like the best rises above one that is like none", () => {
  const [best, like, alone] = valuesOf([
    "harbour crane inspection",
    "harbour crane repair",
    "garden party tonight",
  ], [1, 0.5, 0.55]);
  assert.equal(alone, 0.55);
  assert.ok(like > alone, `${like}`);
  assert.ok(best < 1 && best > like, `${best}`);
});

Deno.test("smoothed values stay between the least and the highest", () => {
  const texts = Array.from({ length: 30 }, (_, n) => `lorem ${"ipsum ".repeat(n % 4)} w${n % 7}`);
  const values = texts.map((_, n) => 1 - n / 40);
  const smoothed = valuesOf(texts, values);
  assert.equal(smoothed.length, texts.length);
  for (const value of smoothed) {
    assert.ok(value <= 1 + 1e-12 && value >= values[29] - 1e-12, `${value}`);
  }
});

Deno.test("documents with the same text and value stay equal; one without words keeps its value", () => {
  const [, first, second, empty] = valuesOf([
    "alpha beta",
    "alpha beta gamma",
    "alpha beta gamma",
    "",
  ], [
    1,
    0.5,
    0.5,
    0.2,
  ]);
  assert.equal(Math.fround(first), Math.fround(second));
  assert.equal(Math.fround(empty), Math.fround(0.2));
});

Deno.test("of terms that are cut off, the whole ones are read", () => {
  const all = packed("north south west dog");
  const read = (data: Uint8Array) => {
    const found: number[] = [];
    eachTopicStem(data, (key) => found.push(key));
    return found;
  };
  assert.equal(read(all).length, 4);
  assert.deepEqual(read(all.slice(0, 2 + 8 * 2 + 7)), read(all).slice(0, 2));
  assert.deepEqual(read(all.slice(0, 2)), []);
});

const dayMs = 86_400_000;
/** Two matters, and mail that is like neither of them. */
const matters = [
  "harbour crane inspection",
  "harbour crane repair",
  "harbour crane brake",
  "garden party tonight",
  "garden party cake",
  "quarterly invoice",
  "railway timetable",
];
const falling = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.5];

Deno.test("if like documents are near in time, one near the best rises above an equal one that is not", () => {
  const dates = [400, 401, 402, 100, 101, 1, 403].map((day) => day * dayMs);
  const [best, , , , , far, near] = valuesOf(matters, falling, dates);
  assert.ok(near > far, `${near} ${far}`);
  assert.ok(best <= 1, `${best}`);
});

Deno.test("dates that are all the same, or of which like documents are not nearer, change nothing", () => {
  const expected = valuesOf(matters, falling);
  assert.deepEqual(valuesOf(matters, falling, matters.map(() => 500 * dayMs)), expected);
  const apart = [1, 400, 800, 2, 401, 3, 4].map((day) => day * dayMs);
  assert.deepEqual(valuesOf(matters, falling, apart), expected);
});

Deno.test("dates of a few seconds, as of imported mail, keep the values", () => {
  const expected = valuesOf(matters, falling);
  const values = valuesOf(matters, falling, [6, 5, 4, 3, 2, 1, 0].map((second) => second * 1_000));
  values.forEach((value, n) => assert.ok(Math.abs(value - expected[n]) < 1e-4, `${value}`));
});

Deno.test("dates that no calendar has do no harm", () => {
  const wrong = [-8.64e15, 8.64e15, 0, -6.2e13, 1, 2.5e14, 0];
  for (const value of valuesOf(matters, falling, wrong)) {
    assert.ok(value >= 0 && value <= 1, `${value}`);
  }
  assert.deepEqual(valuesOf(["one word"], [1], [5]), [1]);
});
