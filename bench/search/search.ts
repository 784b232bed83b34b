// `deno task bench search`: how well the embedded index finds.
import type { Figure } from "../figure.ts";
import type { BenchOptions } from "../options.ts";
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
} as const;
export const comparable = true;

export async function run(
  { corpus, ir, compare, say }: BenchOptions & { [name in keyof typeof options]?: string },
): Promise<Figure[]> {
  const tasks = [
    ...(corpus === undefined ? [] : await corpusTasks(corpus)),
    ...(ir === undefined ? [] : ir.split(",").map(collectionTask)),
  ];
  return tasks.length > 0 ? await quality(tasks, compare, say) : [];
}
