/// <reference lib="deno.worker" />
// The thread of the built-in model on a machine that compiles WebAssembly slowly.
const { instantiate } = WebAssembly;

WebAssembly.instantiate = (async (...given: Parameters<typeof instantiate>) => {
  await new Promise((done) => setTimeout(done, 2_000));
  return await instantiate(...given);
}) as typeof instantiate;
await import("../../../../adapters/embeddings/builtin/model.ts");
