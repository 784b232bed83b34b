import assert from "node:assert/strict";
import { chunks } from "../../../domain/indexing/chunks.ts";
import type { SearchHit } from "../../../domain/ports/search_index.ts";
import { fuse } from "../../../domain/search/fuse.ts";

const question = "broken vehicle";
const trusted = { weight: 0.55, places: 3 };

function hit(emailId: string, score: number, more: Partial<SearchHit> = {}): SearchHit {
  return { emailId, score, value: score, ...more };
}

const near = (emailId: string, closeness: number, score = closeness) => ({
  emailId,
  closeness,
  score,
  passage: `of ${emailId}`,
});
const ids = (hits: { emailId: string }[]) => hits.map(({ emailId }) => emailId);
const many = (count: number, more: (n: number) => Partial<SearchHit> = () => ({})) =>
  Array.from({ length: count }, (_, n) => hit(`words-${n}`, 0.9 - n / 100, more(n)));

Deno.test("fuse() ranks an email that both searches find above one that only one finds, after exact terms", () => {
  const words = [
    hit("number", 0.9, { value: 1, literal: true }),
    hit("both", 0.8, { value: 0.9 }),
    hit("words", 0.8, { value: 0.9 }),
  ];
  const hits = fuse(question, words, {
    hits: [near("meaning", 0.8), near("both", 0.8)],
    ...trusted,
  });
  assert.deepEqual(ids(hits), ["number", "both", "meaning", "words"]);
  assert.deepEqual(hits.map(({ passage }) => passage), [
    undefined,
    undefined,
    "of meaning",
    undefined,
  ]);
  assert.deepEqual(hits.map(({ foundBy }) => foundBy), [
    ["identifier", "words"],
    ["words", "meaning"],
    ["meaning"],
    ["words"],
  ]);
});

Deno.test("fuse() puts the nearest in meaning before mail with few of the words, and after mail with all of them", () => {
  const order = (score: number, closeness: number) =>
    ids(fuse(question, [hit("words", score, { value: 1 })], {
      hits: [near("meaning", closeness)],
      ...trusted,
    }));
  assert.deepEqual(order(0.3, 0.6), ["meaning", "words"]);
  assert.deepEqual(order(0.95, 0.6), ["words", "meaning"]);
});

Deno.test("fuse() keeps order, scores and number of the lexical hits for a model without weight, and without one", () => {
  const words = many(20);
  const noise = { hits: [near("words-9", 1), near("x", 1)], weight: 0, places: 0 };
  for (const semantic of [noise, null]) {
    assert.deepEqual(
      fuse(question, words, semantic),
      words.map((each) => ({ ...each, foundBy: ["words"] })),
    );
  }
});

// SPEC: search.nearest_places
Deno.test("three of the first ten are the nearest in meaning, whatever words say", () => {
  const nearest = ["a", "b", "c", "d"].map((emailId, n) => near(emailId, 0.5 - n / 100));
  const hits = fuse(question, many(30), { hits: nearest, ...trusted });
  assert.deepEqual(ids(hits).slice(7, 10).toSorted(), ["a", "b", "c"]);
  assert.deepEqual(ids(hits).slice(0, 7), ids(many(7)));
});

// SPEC: search.places_left
Deno.test("identifiers come first and keep all places that they need, rare words get what is left", () => {
  const nearest = ["a", "b", "c"].map((emailId) => near(emailId, 0.5));
  const first = (words: SearchHit[]) =>
    new Set(ids(fuse(question, words, { hits: nearest, ...trusted })).slice(0, 10));
  const places = (words: SearchHit[], is: (emailId: string) => boolean) =>
    [...first(words)].filter(is).length;
  const isNear = (emailId: string) => emailId.length === 1;
  for (const [identifiers, left] of [[6, 3], [7, 3], [8, 2], [10, 0], [15, 0]]) {
    const words = many(30, (n) => n < identifiers ? { literal: true } : {});
    assert.equal(places(words, isNear), left);
    assert.equal(places(words, (id) => !isNear(id)), 10 - left);
  }
  const words = many(40, (n) => n >= 25 && n < 34 ? { rare: true } : n < 2 ? { named: true } : {});
  const rare = new Set(words.filter(({ rare }) => rare).map(({ emailId }) => emailId));
  assert.equal(places(words, isNear), 3);
  assert.equal(places(words, (id) => rare.has(id)), 5);
  assert.ok(first(words).has("words-0") && first(words).has("words-1"));
});

Deno.test("each identifier has an email among the first ten, though another has ten, and the nearest are three", () => {
  const words = many(30, (n) => n < 10 ? { literal: true } : n === 10 ? { named: true } : {});
  const first = ids(fuse(question, words, { hits: [near("a", 0.9)], ...trusted })).slice(0, 10);
  assert.deepEqual(first, [...ids(words).slice(0, 9), "words-10"]);
});

// SPEC: search.meaning_alone
Deno.test("where no mail holds a word of the question, small words aside, meaning alone orders", () => {
  const nearest = ["x", "words-3", "y"].map((emailId, n) => near(emailId, 0.4 - n / 100));
  assert.deepEqual(ids(fuse(question, [], { hits: nearest, ...trusted })), ["x", "words-3", "y"]);
  const hits = fuse("what is it about", many(20), { hits: nearest, ...trusted });
  assert.deepEqual(ids(hits).slice(0, 4), ["x", "words-3", "y", "words-0"]);
});

Deno.test("in a pasted text closeness counts less than in a question", () => {
  const nearest = { hits: [near("meaning", 0.7)], ...trusted };
  const order = (text: string) => ids(fuse(text, [hit("words", 0.5, { value: 1 })], nearest));
  assert.deepEqual(order(question), ["meaning", "words"]);
  const text = Array.from(
    { length: 60 },
    (_, n) => `word${"abcdefghij"[n % 10]}${"klmnop"[n % 6]}`,
  );
  assert.deepEqual(order(text.join(" ")), ["words", "meaning"]);
});

// SPEC: search.nearest_fifty
Deno.test("mail that only meaning finds is a hit only among the fifty nearest, and so is what it finds with words", () => {
  const hits = fuse(question, many(5), {
    hits: [
      ...Array.from({ length: 50 }, (_, n) => near(`near-${n}`, 0.8 - n / 1_000)),
      near("words-4", 0.7),
      near("near-50", 0.6),
    ],
    ...trusted,
  });
  assert.equal(hits.length, 55);
  assert.deepEqual(hits.find(({ emailId }) => emailId === "words-4")!.foundBy, ["words"]);
  assert.ok(hits.every(({ foundBy }) => foundBy.length > 0));
});

Deno.test("a score is at least that of either search, never ascends, and a hit of meaning alone can be highly relevant", () => {
  const scores = (words: number, closeness: number) =>
    fuse(question, [hit("words", words, { value: 1 })], {
      hits: [near("meaning", closeness)],
      ...trusted,
    })
      .map(({ score }) => score);
  assert.deepEqual(scores(0.3, 0.92), [0.92, 0.3]);
  assert.deepEqual(scores(0.95, 0.6), [0.95, 0.6]);
  const both = fuse(question, [hit("both", 0.6)], { hits: [near("both", 0.7)], ...trusted });
  assert.ok(both[0].score > 0.7 && both[0].score < 0.8);
  const identifier = fuse(question, [hit("order", 0.2, { literal: true })], {
    hits: [],
    ...trusted,
  });
  assert.equal(identifier[0].score, 0.9);
  const mixed = fuse(question, many(30), {
    hits: [near("x", 0.95), near("words-20", 0.99)],
    ...trusted,
  });
  const given = mixed.map(({ score }) => score);
  assert.deepEqual(given, given.toSorted((a, b) => b - a));
});

// SPEC: search.meaning_alone
Deno.test("the score of a hit of meaning is how relevant it is, its place how close", () => {
  const hits = fuse(question, [hit("words", 0.3, { value: 1 })], {
    hits: [near("first", 0.8, 0.92), near("second", 0.4, 0.41)],
    ...trusted,
  });
  assert.deepEqual(hits.map(({ emailId, score }) => [emailId, score]), [
    ["first", 0.92],
    ["second", 0.41],
    ["words", 0.3],
  ]);
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
