import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EncoderSource } from "./encoder.ts";

/** The encoders whose vectors are one, with what names it. */
export interface EncoderSet {
  /** A hash of everything on which vectors depend, but the rule of passages. */
  hash: string;
  sources: EncoderSource[];
  /** The lengths of the vectors by each source; null if they are not known before one is made. */
  parts: readonly number[] | null;
}

const folder = fileURLToPath(new URL("../../../models", import.meta.url));

/** The encoders in `models/`: the first reads 16 languages, the second is better in English. */
export function builtinEncoders(): EncoderSet {
  const list = Deno.readTextFileSync(join(folder, "SHA256SUMS"));
  const sums = list.trim().split("\n").map((line) => {
    const [sum, name] = line.split(/\s+/);
    return { name, sum };
  });
  const source = (name: string, model: string, hasRows: boolean): EncoderSource => ({
    model: join(folder, name, model),
    tokenizer: join(folder, name, "tokenizer.json"),
    hasRows,
    pooling: ["mean"],
    prompts: { question: "", passage: "" },
    sums: Object.fromEntries(
      sums.filter((each) => each.name.startsWith(`${name}/`))
        .map((each) => [join(folder, each.name), each.sum]),
    ),
  });
  return {
    hash: createHash("sha256").update(list).digest("hex"),
    sources: [
      source("use-multilingual-3", "rows.int8.onnx", true),
      source("minilm-l6-v2", "model.int8.onnx", false),
    ],
    parts: [512, 384],
  };
}
