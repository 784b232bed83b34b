import process from "node:process";
import { resolve } from "node:path";
import type { OwnEncoders } from "../../domain/core/settings/embeddings.ts";
import { builtinEncoders } from "./encoders/builtin.ts";
import { damagedOf } from "./encoders/checked_files.ts";
import type { EncoderSet } from "./encoders/encoder_set.ts";
import { folderEncoder } from "./encoders/folder.ts";

/** Finds the encoders that a setting names, and loads nothing. Throws Error with a sentence if they cannot be used. */
export async function findEncoders(embeddings: OwnEncoders): Promise<EncoderSet> {
  return embeddings.by === "builtin"
    ? builtinEncoders()
    : await folderEncoder(resolve(embeddings.path));
}

/** What is wrong with the files of the encoders that a setting names, in a sentence; null if nothing is. */
export async function faultOfEncoders(embeddings: OwnEncoders): Promise<string | null> {
  try {
    const { sources } = await findEncoders(embeddings);
    const damaged = await Promise.all(sources.map(({ sums }) => damagedOf(sums)));
    const paths = damaged.flat();
    return paths.length === 0
      ? null
      : `${paths.join(", ")}: damaged or missing; take the files of the release`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Bytes of memory of the machine, or of the container (cgroup) if that has less. */
export function memoryLimit(): number {
  const { total } = Deno.systemMemoryInfo();
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(total, limit) : total;
}
