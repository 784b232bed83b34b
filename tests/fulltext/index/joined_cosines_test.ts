import assert from "node:assert/strict";
import { Dense } from "../../../fulltext/index/vectors/dense.ts";
import { joinedCosines } from "../../../fulltext/index/vectors/joined_cosines.ts";

const rows = 400;
/** Numbers from -1 to 1 that repeat only after many rows. */
const noise = (seed: number) =>
  Float32Array.from({ length: rows }, (_, n) => Math.sin(seed * n * n + n));
const mixed = (a: Float32Array, b: Float32Array, share: number) =>
  a.map((value, n) => share * value + (1 - share) * b[n]);

Deno.test("a second encoder that agrees with the first counts 0.6 of their cosines", () => {
  const first = noise(3), second = mixed(first, noise(5), 0.6);
  const joined = joinedCosines([first, second]);
  joined.forEach((cosine, n) =>
    assert.ok(Math.abs(cosine - (0.4 * first[n] + 0.6 * second[n])) < 1e-6)
  );
});

// SPEC: search.languages
Deno.test("a second encoder that does not understand the question hardly counts, however high its cosines are", () => {
  const first = noise(3), second = noise(5).map((value) => 0.5 + value / 2);
  const joined = joinedCosines([first, second]);
  const most = Math.max(...joined.map((cosine, n) => Math.abs(cosine - first[n])));
  assert.ok(most < 0.2, `${most}`);
  assert.deepEqual(joinedCosines([first, first.map((value) => -value)]), first);
  assert.deepEqual(joinedCosines([first, new Float32Array(rows).fill(0.7)]), first);
});

Deno.test("over a few rows agreement is chance: the first encoder decides; none are joined to none", () => {
  const first = Float32Array.of(0.6, 0.1), second = Float32Array.of(0.9, 0.2);
  const joined = joinedCosines([first, second]);
  assert.ok(joined[0] < 0.7, `${joined[0]}`);
  assert.deepEqual(joinedCosines([new Float32Array(0), new Float32Array(0)]), new Float32Array(0));
  assert.deepEqual(joinedCosines([first]), first);
});

Deno.test("joined vectors are compared part by part: one whose second part alone is near has the cosine of that part", () => {
  const unit = (...values: number[]) => {
    const norm = Math.hypot(...values);
    return values.map((value) => value / norm);
  };
  const vector = (a: number[], b: number[]) => Float32Array.from([...unit(...a), ...unit(...b)]);
  const dense = new Dense("two");
  const made = Array.from({ length: 200 }, (_, n) => {
    const [x, y] = [Math.sin(n), Math.cos(n * n)];
    return [vector([x, y, 1], [x, y]), [unit(x, y, 1), unit(x, y)]] as const;
  });
  made.forEach(([row], n) => dense.add(n, row));
  const asked = [unit(0.2, 0.5, 1), unit(0.2, 0.5)] as const;
  const query = Float32Array.from(asked.flat());
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, n) => sum + value * b[n], 0);
  const wanted = joinedCosines(
    [0, 1].map((part) => Float32Array.from(made, ([, parts]) => dot(parts[part], asked[part]))),
  );
  const found = dense.nearest(query, new Uint8Array(200).fill(1), 200, [3, 2]);
  assert.equal(found.length, 200);
  for (const { document, cosine } of found) {
    assert.ok(Math.abs(cosine - wanted[document]) < 0.03, `${document}: ${cosine}`);
  }
  assert.deepEqual(dense.nearest(query, new Uint8Array(200).fill(1), 200, [3, 3]), []);
});
