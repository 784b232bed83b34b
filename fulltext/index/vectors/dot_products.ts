/**
 * Scalar products of vectors of bytes, 16 numbers at a time: ten times as fast as JavaScript. It is this text (WAT) in
 * binary form; `npm:wabt` makes it again.
 *
 *     (module
 *       (memory (export "memory") 21)
 *       (func (export "dots") (param $query i32) (param $row i32) (param $count i32) (param $length i32) (param $stride i32)
 *           (param $out i32) (local $sum v128) (local $n i32) (local $a v128) (local $b v128)
 *         (loop $rows
 *           (local.set $sum (v128.const i32x4 0 0 0 0))
 *           (local.set $n (i32.const 0))
 *           (loop $numbers
 *             (local.set $a (v128.load align=1 (i32.add (local.get $query) (local.get $n))))
 *             (local.set $b (v128.load align=1 (i32.add (local.get $row) (local.get $n))))
 *             (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
 *               (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $a)) (i16x8.extend_low_i8x16_s (local.get $b)))
 *               (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $a)) (i16x8.extend_high_i8x16_s (local.get $b))))))
 *             (br_if $numbers (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 16))) (local.get $length))))
 *           (i32.store (local.get $out) (i32.add
 *             (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
 *             (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
 *           (local.set $out (i32.add (local.get $out) (i32.const 4)))
 *           (local.set $row (i32.add (local.get $row) (local.get $stride)))
 *           (br_if $rows (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
 */
const binary =
  "AGFzbQEAAAABCgFgBn9/f39/fwADAgEABQMBABUHEQIGbWVtb3J5AgAEZG90cwAACqIBAZ8BAwF7AX8CewNA/QwAAAAAAAAA" +
  "AAAAAAAAAAAAIQZBACEHA0AgACAHav0AAAAhCCABIAdq/QAAACEJIAYgCP2HASAJ/YcB/boBIAj9iAEgCf2IAf26Af2uAf2u" +
  "ASEGIAdBEGoiByADSQ0ACyAFIAb9GwAgBv0bAWogBv0bAiAG/RsDamo2AgAgBUEEaiEFIAEgBGohASACQQFrIgINAAsL";

/** Where its memory has the queries, the products and a block of rows, in bytes. */
const queriesAt = 0, productsAt = 2 ** 18, rowsAt = productsAt + 2 ** 16;
const mostRows = (rowsAt - productsAt) / 4;
/** A row is read in steps of 16 bytes, which may go beyond the last. */
const blockLength = 2 ** 20 - 16;

type Dots = (
  query: number,
  row: number,
  count: number,
  length: number,
  stride: number,
  out: number,
) => void;

let opened: { dots: Dots; memory: WebAssembly.Memory } | null = null;

function open() {
  const bytes = Uint8Array.from(atob(binary), (letter) => letter.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return { dots: exports.dots as Dots, memory: exports.memory as WebAssembly.Memory };
}

/** A query for the numbers of each row from `from` on. */
export interface PartQuery {
  query: Int8Array;
  from: number;
}

/**
 * The scalar products of each query with its part of each row.
 *
 * @param rows `count` rows of `stride` numbers.
 */
export function dotProducts(
  queries: PartQuery[],
  rows: Int8Array,
  { stride, count }: { stride: number; count: number },
): Int32Array[] {
  const { dots, memory } = opened ??= open();
  const bytes = new Int8Array(memory.buffer);
  const products = queries.map(() => new Int32Array(count));
  const atOnce = Math.min(mostRows, Math.floor(blockLength / stride));
  // The queries stand one after another; the zeros after each make numbers beyond its length count nothing.
  bytes.fill(0, queriesAt, productsAt);
  let end = queriesAt;
  const places = queries.map(({ query }) => {
    const at = end;
    bytes.subarray(at, productsAt).set(query);
    end += Math.ceil((query.length + 1) / 16) * 16;
    return at;
  });
  for (let row = 0; row < count; row += atOnce) {
    const some = Math.min(atOnce, count - row);
    bytes.set(rows.subarray(row * stride, (row + some) * stride), rowsAt);
    queries.forEach(({ query, from }, n) => {
      dots(places[n], rowsAt + from, some, query.length, stride, productsAt);
      products[n].set(new Int32Array(memory.buffer, productsAt, some), row);
    });
  }
  return products;
}
