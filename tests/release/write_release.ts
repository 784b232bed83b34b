import { createHash } from "node:crypto";
import { newestEntry } from "./versions.ts";

/** Copies the packages into a folder, with `SHA256SUMS` as sha256sum checks it, and the notes of the release. */
export async function writeRelease(archives: string, out: string): Promise<string> {
  await Deno.mkdir(out, { recursive: true });
  const names = (await Array.fromAsync(Deno.readDir(archives))).map(({ name }) => name).sort();
  let sums = "";
  for (const name of names) {
    const bytes = await Deno.readFile(`${archives}/${name}`);
    await Deno.writeFile(`${out}/${name}`, bytes);
    sums += `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  }
  await Deno.writeTextFile(`${out}/SHA256SUMS`, sums);
  await Deno.writeTextFile(`${out}/notes.md`, `${await newestEntry()}\n`);
  return names.join(", ");
}
