// `deno task bench search`: how well and how fast the embedded index finds.
import type { Figure } from "../figure.ts";
import { type BenchOptions, numberOf } from "../options.ts";
import { readCorpusMail } from "./corpus_mail.ts";
import { throughRest } from "./http.ts";
import { knownItems } from "./known_items.ts";
import { quality } from "./quality.ts";
import { collectionTask, corpusTasks } from "./tasks.ts";

export const description =
  "How well and how fast the embedded index finds: nDCG@10 compared with plain FTS5 BM25, with a paired test " +
  "of significance; --mail DIR: known-item queries, success@1 and success@10";
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
  emails: {
    type: "string",
    description: "so many emails of one account, a hundred others idle, through REST",
  },
  store: { type: "string", description: "folder that keeps what --emails fills" },
} as const;
/** The index alone is compared, not --mail and --emails. */
export const comparable = true;

export async function run(
  { corpus, ir, compare, mail: folder, emails, store, say }:
    & BenchOptions
    & {
      [name in keyof typeof options]?: string;
    },
): Promise<Figure[]> {
  const size = numberOf("--emails", emails);
  const mail = folder === undefined ? [] : (await readCorpusMail(folder)).map(({ email }) => email);
  const tasks = [
    ...(corpus === undefined ? [] : await corpusTasks(corpus)),
    ...(ir === undefined ? [] : ir.split(",").map(collectionTask)),
  ];
  return [
    ...(tasks.length > 0 ? await quality(tasks, compare, say) : []),
    ...(mail.length > 0 && size === undefined ? await knownItems(mail) : []),
    ...(size === undefined ? [] : await throughRest(mail, size, store)),
  ];
}
