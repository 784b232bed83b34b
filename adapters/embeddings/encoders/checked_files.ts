import { createHash } from "node:crypto";

/** The SHA-256 of a file, in hexadecimal; reads it in pieces. */
export async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  using file = await Deno.open(path);
  const buffer = new Uint8Array(1 << 20);
  for (;;) {
    const read = await file.read(buffer);
    if (read === null) return hash.digest("hex");
    hash.update(buffer.subarray(0, read));
  }
}

/** A graph of more bytes does not fit beside a copy of itself into the 4 GB that WebAssembly has. */
export const mostModelBytes = 1.5 * 2 ** 30;
/** The file, its copy in WebAssembly, and the weights in the form in which they are used. */
const copies = 2.5;

/**
 * @param available bytes of memory.
 * @throws Error if a graph of so many bytes does not fit: the process would be ended for want of memory.
 */
export function demandRoom(bytes: number, available: number): void {
  const megabytes = (of: number) => Math.ceil(of / 2 ** 20);
  if (bytes > mostModelBytes) {
    throw new Error(
      `it has ${megabytes(bytes)} MB, and at most ${megabytes(mostModelBytes)} can be loaded`,
    );
  }
  if (copies * bytes > available) {
    throw new Error(
      `it needs ${megabytes(copies * bytes)} MB of memory, and ${megabytes(available)} are free`,
    );
  }
}

/** The paths whose files are missing or have another SHA-256. */
export async function damagedOf(sums: Readonly<Record<string, string>>): Promise<string[]> {
  const damaged: string[] = [];
  for (const [path, sum] of Object.entries(sums)) {
    if (await sumOf(path).catch(() => null) !== sum) damaged.push(path);
  }
  return damaged;
}

/** @throws Error that names the files which are missing or have another SHA-256. */
export async function demandUndamaged(sums: Readonly<Record<string, string>>): Promise<void> {
  const damaged = await damagedOf(sums);
  if (damaged.length > 0) {
    throw new Error(`damaged or missing: ${damaged.join(", ")}; take the files of the release`);
  }
}
