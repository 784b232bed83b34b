/** Bytes of new buffers allowed for the structure of a file, and again for each page. */
const budgetBytes = 64 * 1024 * 1024;

let left = Infinity;
let isCounted = false;

/**
 * Counts the new buffers of this thread: one that does not fit into the budget throws RangeError. A library that
 * inflates a bomb in one loop cannot be stopped from outside: Deno 2.9.6 ends the Worker, but not its loop, and the
 * loop of a PDF of 1 MB took 6 GB. Only for a thread that does nothing but read files.
 */
export function countBuffers(): void {
  isCounted = true;
  const scope = globalThis as unknown as Record<string, BufferType>;
  const names = ["ArrayBuffer", "Uint8Array", "Uint8ClampedArray", "Uint16Array", "Uint32Array"];
  for (const name of [...names, "Int32Array", "Float32Array", "Float64Array"]) {
    scope[name] = new Proxy(scope[name], {
      construct(type, given, newTarget) {
        spend(bytesOf(given[0]) * (type.BYTES_PER_ELEMENT ?? 1));
        return Reflect.construct(type, given, newTarget);
      },
    });
  }
  // The buffers of DecompressionStream are not counted. Without it, pdf.js inflates with its own code.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
}

/** Begins a new budget, if buffers are counted. */
export function renewBudget(): void {
  if (isCounted) left = budgetBytes;
}

type BufferType = { new (...given: unknown[]): object; BYTES_PER_ELEMENT?: number };

/** The number of elements of a new array, given or copied. A view has no new elements. */
function bytesOf(given: unknown): number {
  if (typeof given === "number") return given;
  return Array.isArray(given) || ArrayBuffer.isView(given) ? (given as Uint8Array).length ?? 0 : 0;
}

function spend(bytes: number): void {
  left -= bytes;
  if (left < 0) throw new RangeError("the file needs too much memory");
}
