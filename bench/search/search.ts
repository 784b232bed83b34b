// `deno task bench search`: how well the embedded index finds.
import type { Figure } from "../figure.ts";
import type { BenchOptions } from "../options.ts";
import { openEncoders } from "./kept_vectors.ts";
import { meaning } from "./meaning.ts";
import { quality } from "./quality.ts";
import { collectionTask, corpusTasks } from "./tasks.ts";

export const description =
  "How well the embedded index finds: nDCG@10 compared with plain FTS5 BM25, with a paired test of significance";
export const options = {
  corpus: {
    type: "string",
    description:
      "folder with real messages in mail/ and the CISI collection in ir/cisi/: every task",
  },
  ir: {
    type: "string",
    description:
      "test collections in SMART format (docs, queries, qrels), their folders joined by commas",
  },
  encoders: {
    type: "string",
    description:
      "builtin, or the folder of an encoder: what it finds beside words, also of the questions in tests/search; an hour",
  },
  vectors: {
    type: "string",
    description: "file that keeps the vectors for the next run, created if absent",
  },
} as const;
export const comparable = true;

export async function run(
  { corpus, ir, compare, encoders, vectors, say }:
    & BenchOptions
    & { [name in keyof typeof options]?: string },
): Promise<Figure[]> {
  const tasks = [
    ...(corpus === undefined ? [] : await corpusTasks(corpus)),
    ...(ir === undefined ? [] : ir.split(",").map(collectionTask)),
  ];
  if (tasks.length === 0) return [];
  if (encoders === undefined) return await quality(tasks, compare, say);
  const embedder = await openEncoders(encoders, vectors);
  try {
    return await meaning(corpus, tasks, embedder, say);
  } finally {
    embedder.close();
  }
}
