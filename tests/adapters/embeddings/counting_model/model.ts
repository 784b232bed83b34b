/// <reference lib="deno.worker" />
// A thread like that of the encoders, for tests.
let had = 0;
let answering: Promise<unknown> = Promise.resolve();

async function answer(text: string): Promise<void> {
  had++;
  await new Promise((done) => setTimeout(done, 20));
  if (text === "no") self.postMessage({ error: "not this one", reason: "failed" });
  else if (text === "unloaded") {
    self.postMessage({ error: "a.onnx is damaged", reason: "unloaded" });
  } else if (text === "ღ") self.postMessage({ error: "unknown script", reason: "unreadable" });
  else self.postMessage({ vector: Float32Array.of(had, text.length), ms: 20 });
}

self.onmessage = ({ data }: MessageEvent<unknown[] | { text: string }>) => {
  if (Array.isArray(data)) return;
  if (data.text === "die") throw new Error("died by a test");
  answering = answering.then(() => answer(data.text));
};
