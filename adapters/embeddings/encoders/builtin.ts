import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EncoderSource } from "./encoder.ts";
import { type EncoderSet, modelName } from "./encoder_set.ts";

const models = fileURLToPath(new URL("../../../models", import.meta.url));

/**
 * Of both encoders, within 0.04, with the known pairs of domain/search/closeness.ts; `answer` with one half of the
 * questions of tests/search/questions.json (docs/search.md "Scores").
 */
const cosines = { same: 0.64, related: 0.3, unrelated: 0.045, answer: 0.5 };

/** The encoders of a folder like `models/`: the first reads fifteen languages, the second is better in English. */
export function builtinEncoders(folder = models): EncoderSet {
  const lines = Deno.readTextFileSync(join(folder, "SHA256SUMS")).trim().split("\n");
  const sums = lines.map((line) => {
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
  const sources = [
    source("use-multilingual-3", "rows.int8.onnx", true),
    source("minilm-l6-v2", "model.int8.onnx", false),
  ];
  return { model: modelName("builtin", sources, lines), sources, parts: [512, 384], cosines };
}
