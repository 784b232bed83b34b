import assert from "node:assert/strict";
import { dotProducts } from "../../../fulltext/index/vectors/dot_products.ts";

/** Bytes from -127 to 127 that repeat only after many. */
const bytes = (length: number, seed: number) =>
  Int8Array.from({ length }, (_, n) => Math.round(127 * Math.sin(seed + n * n)));

Deno.test("dotProducts() gives the products of a part of each row, of any length and number of rows", () => {
  for (
    const [stride, from, length, count] of [
      [1, 0, 1, 3],
      [5, 3, 2, 100],
      [16, 0, 16, 20_000],
      [896, 512, 384, 3_000],
      [1_537, 0, 1_537, 1_500],
    ]
  ) {
    const query = bytes(length, 7), rows = bytes(stride * count, 3);
    const other = { query: bytes(Math.ceil(stride / 3), 5), from: 0 };
    const [, products] = dotProducts([other, { query, from }], rows, { stride, count });
    assert.equal(products.length, count);
    for (let row = 0; row < count; row++) {
      let wanted = 0;
      for (let n = 0; n < length; n++) wanted += query[n] * rows[row * stride + from + n];
      assert.equal(products[row], wanted, `${stride} ${row}`);
    }
  }
  const [none] = dotProducts([{ query: bytes(4, 1), from: 0 }], new Int8Array(0), {
    stride: 4,
    count: 0,
  });
  assert.equal(none.length, 0);
  const extreme = new Int8Array(2_000).fill(-127);
  assert.deepEqual(
    dotProducts([{ query: extreme, from: 0 }], extreme, { stride: 2_000, count: 1 }),
    [Int32Array.of(2_000 * 127 ** 2)],
  );
});
