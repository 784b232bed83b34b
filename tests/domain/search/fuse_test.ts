import assert from "node:assert/strict";
import { chunks } from "../../../domain/indexing/chunks.ts";
import { fuse } from "../../../domain/search/fuse.ts";

Deno.test("fuse() ranks an email that both searches find above one that one finds, exact terms first", () => {
  const words = [
    { emailId: "both", score: 0.8 },
    { emailId: "words", score: 0.8 },
    { emailId: "number", score: 0.5, literal: true },
  ];
  const meaning = [
    { emailId: "meaning", score: 0.95, passage: "m" },
    { emailId: "both", score: 0.8, passage: "not this one" },
  ];
  const hits = fuse(words, meaning);
  assert.deepEqual(hits.map(({ emailId }) => emailId), ["number", "meaning", "both", "words"]);
  assert.deepEqual(hits.map(({ passage }) => passage), [undefined, "m", undefined, undefined]);
  assert.deepEqual(hits.map(({ score }) => Math.round(score * 1000)), [900, 808, 800, 680]);
});

Deno.test("fuse() keeps the lexical order among equal scores", () => {
  const words = ["newest", "newer", "older"].map((emailId) => ({
    emailId,
    score: 0.7,
  }));
  assert.deepEqual(fuse(words, []).map(({ emailId }) => emailId), ["newest", "newer", "older"]);
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
});
