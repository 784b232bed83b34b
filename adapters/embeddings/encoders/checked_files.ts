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
