import assert from "node:assert/strict";
import { chunks } from "../../../domain/indexing/chunks.ts";
import { fuse } from "../../../domain/search/fuse.ts";

const words = [
  { emailId: "number", score: 0.9, value: 1, literal: true },
  { emailId: "both", score: 0.8, value: 0.9 },
  { emailId: "words", score: 0.8, value: 0.9 },
];
const near = [
  { emailId: "meaning", score: 0.8, passage: "m" },
  { emailId: "both", score: 0.8, passage: "not this one" },
];

Deno.test("fuse() ranks an email that both searches find above one that only one finds, after exact terms", () => {
  const hits = fuse(words, near, 0.5);
  assert.deepEqual(hits.map(({ emailId }) => emailId), ["number", "both", "words", "meaning"]);
  assert.deepEqual(hits.map(({ passage }) => passage), [undefined, undefined, undefined, "m"]);
  assert.deepEqual(hits.map(({ score }) => Math.round(score * 1000)), [900, 800, 680, 680]);
});

Deno.test("fuse() puts the nearest in meaning before mail with few of the words, and after mail with all of them", () => {
  const meaning = [{ emailId: "meaning", score: 0.9, passage: "m" }];
  const order = (score: number) =>
    fuse([{ emailId: "words", score, value: 1 }], meaning, 0.5).map(({ emailId }) => emailId);
  assert.deepEqual(order(0.3), ["meaning", "words"]);
  assert.deepEqual(order(0.95), ["words", "meaning"]);
});

Deno.test("fuse() keeps the lexical order among equal scores, and completely for a model without weight", () => {
  const words = ["newest", "newer", "older"].map((emailId) => ({
    emailId,
    score: 0.7,
  }));
  const order = (hits: { emailId: string }[]) => hits.map(({ emailId }) => emailId);
  assert.deepEqual(order(fuse(words, [], 0.5)), ["newest", "newer", "older"]);
  const noise = [{ emailId: "older", score: 1, passage: "" }, {
    emailId: "x",
    score: 1,
    passage: "",
  }];
  assert.deepEqual(fuse(words, noise, 0), words);
});

Deno.test("fuse() keeps mail with a rare word of the query among the first ten", () => {
  const many = Array.from({ length: 30 }, (_, n) => ({
    emailId: `email-${n}`,
    score: 0.9 - n / 100,
    value: 1 - n / 100,
    ...(n === 9 ? { named: true } : {}),
  }));
  const close = many.slice(10).map(({ emailId }) => ({ emailId, score: 0.95, passage: "" }));
  const place = fuse(many, close, 0.5).findIndex(({ emailId }) => emailId === "email-9");
  assert.ok(place >= 0 && place < 10, `${place}`);
});

Deno.test("chunks() cuts at paragraphs, loses no word before its limit, and returns at least one", () => {
  assert.deepEqual(chunks(""), [""]);
  assert.deepEqual(chunks("One.\n\nTwo."), ["One.\n\nTwo."]);
  const paragraphs = Array.from({ length: 20 }, (_, n) => `Paragraph ${n}. ${"word ".repeat(80)}`);
  const cut = chunks(paragraphs.join("\n\n"));
  assert.ok(cut.length > 1 && cut.every(({ length }) => length <= 1500));
  assert.deepEqual(cut.join(" ").split(/\s+/), paragraphs.join(" ").trim().split(/\s+/));
  const long = chunks("x".repeat(100_000));
  assert.equal(long.length, 32);
  assert.ok(long.every(({ length }) => length <= 1500));
  assert.ok(chunks(`.${"🙂".repeat(2_000)}`).every((passage) => passage.isWellFormed()));
});
