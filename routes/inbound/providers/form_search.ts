import { Buffer } from "node:buffer";
import type { Yielder } from "../../../domain/core/work/yielder.ts";

/** Most values are short: the first window is small, and each further one 4 times as large. */
const firstWindow = 4 * 1024;
const largestWindow = 2 ** 20;

/**
 * Returns the index of an ASCII text in `bytes` between `from` and `end`, or -1. It searches in strings, because the time of
 * `Buffer.indexOf` grows with the product of both lengths: 9 s for 40 MiB of dashes.
 */
export async function indexOfText(
  bytes: Buffer,
  text: string,
  from: number,
  yielder: Yielder,
  end = bytes.length,
): Promise<number> {
  let size = firstWindow;
  for (let at = from; at + text.length <= end;) {
    const windowEnd = Math.min(end, at + size + text.length - 1);
    const found = bytes.toString("latin1", at, windowEnd).indexOf(text);
    if (found >= 0) return at + found;
    await yielder.after(windowEnd - at);
    at += size;
    size = Math.min(size * 4, largestWindow);
  }
  return -1;
}
