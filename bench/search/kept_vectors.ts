import { DatabaseSync } from "node:sqlite";
import { createLocalEmbedder } from "../../adapters/embeddings/local_embedder.ts";
import { findEncoders } from "../../adapters/embeddings/own_encoders.ts";
import { UsageError } from "../../commands/command_line.ts";
import { systemClock } from "../../domain/core/clock.ts";
import type { Embedder } from "../../domain/ports/embeddings.ts";

/** A text may wait for the encoders to load, at the lowest priority. */
const timeoutMs = 600_000;

/**
 * Encoders of this machine that remember their vectors in a file, because all texts of the benchmark take an hour.
 *
 * @param named `builtin` or a folder, as in EMBEDDINGS.
 * @param path of the file (SQLite), created if absent; without it they are in memory.
 * @throws UsageError if the encoders cannot be used.
 */
export async function openEncoders(
  named: string,
  path = ":memory:",
): Promise<Embedder & { close(): void }> {
  const set = await findEncoders(
    named === "builtin" ? { by: "builtin" } : { by: "folder", path: named },
  ).catch((error) => {
    throw new UsageError(`--encoders ${named}: ${error.message}`);
  });
  const embedder = createLocalEmbedder(set, { clock: systemClock });
  const db = new DatabaseSync(path);
  // Two benchmarks may share the file.
  db.exec("pragma busy_timeout = 60000; pragma journal_mode = wal");
  db.exec(
    "create table if not exists vectors (model text, text text, vector blob, primary key (model, text))",
  );
  const read = db.prepare("select vector from vectors where model = ? and text = ?");
  const write = db.prepare("insert or replace into vectors values (?, ?, ?)");
  const embedOne = async (text: string): Promise<Float32Array> => {
    const kept = read.get(embedder.model, text) as { vector: Uint8Array } | undefined;
    if (kept) return new Float32Array(kept.vector.slice().buffer);
    const [vector] = await embedder.embed([text], { timeoutMs });
    write.run(embedder.model, text, new Uint8Array(vector.buffer));
    return vector;
  };
  return {
    ...embedder,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
    close() {
      embedder.close();
      db.close();
    },
  };
}
