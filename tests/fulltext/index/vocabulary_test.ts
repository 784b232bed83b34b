import assert from "node:assert/strict";
import { KeyHash } from "../../../fulltext/index/hashing/key_hash.ts";
import {
  readVocabulary,
  Vocabulary,
  VocabularyWriter,
} from "../../../fulltext/index/vocabulary.ts";

const hash = new KeyHash((numbers) =>
  numbers.forEach((_, n) => numbers[n] = Math.imul(n, 2654435761))
);

Deno.test("a vocabulary of a million stems that occur once keeps its size, and keeps the counts of stems that occur again", () => {
  const vocabulary = new Vocabulary(hash, 2 ** 16);
  for (let n = 0; n < 1_000_000; n++) {
    vocabulary.add(1_000 + n, 1);
    // Ten stems are in every hundredth document.
    if (n % 100 < 10) vocabulary.add(n % 100, 1);
  }
  assert.equal(vocabulary.bytes, 12 * 2 ** 16);
  for (let key = 0; key < 10; key++) assert.equal(vocabulary.get(key), 10_000);
  assert.equal(vocabulary.get(1_000), 0, "the first is forgotten");
  assert.equal(vocabulary.get(1_000_999), 1);
});

Deno.test("a vocabulary below its limit forgets nothing", () => {
  const vocabulary = new Vocabulary(hash, 2 ** 16);
  for (let key = 0; key < 40_000; key++) vocabulary.add(key, key % 3 + 1);
  for (let key = 0; key < 40_000; key++) assert.equal(vocabulary.get(key), key % 3 + 1);
});

Deno.test("a vocabulary counts a removed document no more, and finds all other stems", () => {
  const vocabulary = new Vocabulary(hash, 2 ** 16);
  for (let key = 0; key < 40_000; key++) vocabulary.add(key, key % 3 + 1);
  for (let key = 0; key < 40_000; key += 2) vocabulary.remove(key);
  vocabulary.remove(99_999);
  for (let key = 0; key < 40_000; key++) {
    assert.equal(vocabulary.get(key), key % 3 + (key % 2 === 0 ? 0 : 1));
  }
  // The places of stems that are gone are free again.
  for (let key = 50_000; key < 53_000; key++) vocabulary.add(key, 1);
  assert.equal(vocabulary.bytes, 12 * 2 ** 16);
  assert.equal(vocabulary.hasForgotten, false);
});

Deno.test("a segment stores its most common stems if it has too many", () => {
  const writer = new VocabularyWriter(2_048);
  for (let key = 0; key < 100_000; key++) writer.add(key, key % 1_000 === 0 ? 7 : 1);
  const bytes = writer.bytes();
  assert.ok(bytes.length <= 12 * 2_048 + 4);
  const read = new Vocabulary(hash);
  readVocabulary(bytes, read);
  for (let key = 0; key < 100_000; key += 1_000) assert.equal(read.get(key), 7);
});

Deno.test("a segment with few stems stores all of them", () => {
  const writer = new VocabularyWriter(2_048);
  for (let key = 1; key <= 2_000; key++) writer.add(key, key);
  const read = new Vocabulary(hash);
  readVocabulary(writer.bytes(), read);
  for (let key = 1; key <= 2_000; key++) assert.equal(read.get(key), key);
});
