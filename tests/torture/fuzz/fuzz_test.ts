import assert from "node:assert/strict";
import { fuzzOnce } from "./fuzz.ts";
import { fuzzTargets } from "./targets.ts";
import { expand, growingText } from "./grammar.ts";
import { type Growing, slowness } from "../../growth.ts";
import { ownMs } from "../../own_time.ts";
import { seeded } from "../seeded.ts";
import { nightly } from "../../nightly.ts";

const blanks: Growing = { before: "a", piece: " ", after: "b" };

/** On a busy machine one measurement may miss it; the fuzzer measures a slow function many times. */
async function foundIn(work: (text: string) => unknown): Promise<string | undefined> {
  let found = await slowness(work, blanks);
  for (let look = 1; look < 4 && found?.what !== "super-linear"; look++) {
    found = await slowness(work, blanks);
  }
  return found?.what;
}

nightly("a function that is quadratic in blanks is found by the growth of its time", async () => {
  const work = (text: string) => text.replace(/[ \t]+$/gm, "");
  assert.equal(await foundIn(work), "super-linear");
  // The same function is linear in letters.
  const letters = { ...blanks, piece: "x" };
  assert.equal(await slowness(work, letters), null);
});

nightly("a function that is quadratic only from some size on is found", async () => {
  const work = (text: string) => {
    let sum = 0;
    if (text.length < 10_000) return sum;
    for (let n = 0; n < text.length; n += 64) {
      for (let m = 0; m < text.length; m += 8) sum += text.charCodeAt(m);
    }
    return sum;
  };
  assert.equal(await foundIn(work), "super-linear");
});

nightly("a function that takes linear time, but far too much of it, is found", async () => {
  const work = (text: string) => {
    for (const end = ownMs() + text.length / 100; ownMs() < end;);
  };
  assert.equal((await slowness(work, blanks))?.what, "dear");
});

nightly(
  "a function that is quadratic up to a limit, or whose time jumps once, is not super-linear",
  async () => {
    const square = (text: string) => {
      let sum = 0;
      const most = Math.min(text.length, 12_000);
      for (let n = 0; n < most; n += 8) for (let m = 0; m < most; m += 8) sum += m;
      return sum;
    };
    assert.equal(await slowness(square, blanks), null);
  },
);

nightly(
  "linear functions, and functions that are slow once by chance, are no finding",
  async () => {
    let calls = 0;
    const noisy = (text: string) => {
      // Every second measurement of the first round has a pause.
      const pause = calls++ < 4 && calls % 2 === 0 ? 200 : 0;
      for (const end = performance.now() + pause; performance.now() < end;);
      return text.split(" ").length;
    };
    assert.equal(await slowness(noisy, blanks), null);
  },
);

Deno.test("an exception is found with the input that caused it, the same for the same seed", async () => {
  const grammar = { frame: [""], word: ["a", "b", "(", "("] };
  const run = (text: string) => {
    if (text.includes("((((")) throw new Error("too deep");
  };
  const targets = [{ name: "planted", grammar, run }];
  const all = async () => {
    const found = [];
    for (let trial = 0; trial < 30; trial++) found.push(await fuzzOnce(targets, 1, trial));
    return found.filter((each) => each !== null);
  };
  const found = await all();
  assert.ok(found.length > 0);
  assert.ok(found.every(({ what }) => what === "threw too deep"));
  assert.deepEqual(await all(), found);
});

Deno.test("a grammar's text has no rule left unexpanded", () => {
  for (const { name, grammar } of fuzzTargets) {
    const random = seeded(1);
    const rules = new RegExp(`\\{(?:${Object.keys(grammar).join("|")})\\}`);
    for (const [rule, alternatives] of Object.entries(grammar)) {
      for (const alternative of alternatives) {
        for (const [, used] of alternative.matchAll(/\{(\w+)\}/g)) {
          assert.ok(Object.hasOwn(grammar, used), `${name}: ${rule} uses ${used}`);
        }
      }
      assert.doesNotMatch(expand(grammar, rule, random), rules);
    }
    assert.ok(growingText(grammar, random).piece.length > 0);
  }
});
