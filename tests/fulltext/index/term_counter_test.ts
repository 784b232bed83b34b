import assert from "node:assert/strict";
import { hashOfPiece } from "../../../fulltext/analysis/pieces.ts";
import { hash48 } from "../../../fulltext/analysis/term_hash.ts";
import { tokenize } from "../../../fulltext/analysis/tokens.ts";
import { TermCounter } from "../../../fulltext/index/document.ts";
import { KeyHash } from "../../../fulltext/index/hashing/key_hash.ts";
import { PieceTerms } from "../../../fulltext/index/hashing/piece_terms.ts";
import { slowerThanLinear } from "../../growth.ts";
import { nightly } from "../../nightly.ts";

const hash = new KeyHash((numbers) => crypto.getRandomValues(numbers));

function termsOf(counter: TermCounter, text: string, subject = "") {
  const email = {
    userId: "user",
    emailId: "email",
    mailboxId: "mailbox",
    from: "",
    to: [],
    subject,
    dateMs: 0,
    arrivedMs: 0,
    text,
    attachmentNames: [],
  };
  return counter.terms(email);
}

/** The counts of a text by its tokens: by the key of the term, as a stem and as a word. */
function counted(text: string): [number, number, number][] {
  const counts = new Map<number, [number, number]>();
  for (const { word } of tokenize(text)) {
    for (const [place, key] of [word.stemKey, word.key].entries()) {
      if (!counts.has(key)) counts.set(key, [0, 0]);
      counts.get(key)![place]++;
    }
  }
  return Array.from(counts, ([key, [asStem, asWord]]) => [key, asStem, asWord]);
}

function assertCounts(counter: TermCounter, text: string) {
  const { keys, asStem, asWord, length } = termsOf(counter, text);
  assert.deepEqual(Array.from(keys, (key, n) => [key, asStem[n], asWord[n]]), counted(text));
  assert.equal(length, tokenize(text).length);
}

Deno.test("terms are those of tokenize(), the first and every later time", () => {
  const counter = new TermCounter(hash);
  const long = "x".repeat(300);
  const text =
    `Ships shipped ORD-2024-8817, AX4417 l’hôtel don't 東京都 订单号A12345 ${long} ${long} ` +
    `${long}-a ships 😀 Straße a.b.c.d.e.f.g ada@example.org`;
  for (let n = 0; n < 3; n++) assertCounts(counter, text);
});

Deno.test("counts are those of one email, at most 63", () => {
  const counter = new TermCounter(hash);
  termsOf(counter, "ship ".repeat(1_000));
  const { asWord, isTopic } = termsOf(counter, "ship ".repeat(70), "boat");
  assert.deepEqual([...asWord], [2, 63]);
  assert.deepEqual([...isTopic], [1, 1]);
});

Deno.test("an email that cannot be counted leaves no counts for the next one", () => {
  const counter = new TermCounter(hash);
  const broken = {
    get length(): number {
      throw new Error("broken");
    },
  };
  assert.throws(() => termsOf(counter, { slice: () => broken } as unknown as string, "ship boat"));
  assert.deepEqual(termsOf(counter, "boat"), termsOf(new TermCounter(hash), "boat"));
});

Deno.test("terms stay right when there are too many different words to keep", () => {
  const counter = new TermCounter(hash);
  for (let email = 0; email < 20; email++) {
    const words = Array.from({ length: 10_000 }, (_, n) => `w${email * 5_000 + n}x`);
    const { keys } = termsOf(counter, words.join(" "));
    assert.deepEqual([...keys], words.map(hash48));
  }
});

Deno.test("pieces and terms are forgotten once there are too many", () => {
  const pieces = new PieceTerms(hash);
  let most = 0;
  for (let email = 0; email < 40; email++) {
    pieces.makeRoom();
    const words = Array.from({ length: 10_000 }, (_, n) => `w${email * 10_000 + n}x`);
    pieces.eachWord(words.join(" "), () => {});
    most = Math.max(most, pieces.termCount);
  }
  assert.ok(most > 60_000 && most < 80_000, `${most}`);
});

Deno.test("pieces of one hash are told apart by their letters", () => {
  const byHash = new Map<number, string>();
  let pair: string[] | null = null;
  for (let n = 36 ** 5; pair === null; n++) {
    const word = Math.imul(n, 2_654_435_761).toString(36).replace("-", "x").padEnd(7, "0");
    const piece = hashOfPiece(word);
    const other = byHash.get(piece);
    if (other?.length === word.length && other !== word) pair = [other, word];
    byHash.set(piece, word);
  }
  const counter = new TermCounter(hash);
  for (let n = 0; n < 2; n++) assertCounts(counter, `${pair[0]} ${pair[1]} ${pair[0]}`);
});

nightly("an email of pieces chosen to collide is counted in linear time", () => {
  const longest = 24_000;
  const words: string[] = [];
  for (let n = 36 ** 4; words.length < longest; n++) {
    const word = `7${n.toString(36)}`;
    if ((hashOfPiece(word) & 0x1ffff) < 2_048) words.push(word);
  }
  assert.equal(
    slowerThanLinear(longest / 4, (length) => words.slice(0, length).join(" "), (text) => {
      termsOf(new TermCounter(hash), `${text} ${text}`);
    }),
    null,
  );
});
