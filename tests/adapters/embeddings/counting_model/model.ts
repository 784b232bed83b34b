/// <reference lib="deno.worker" />
// A thread like the built-in model, for tests.
let had = 0;
let answering: Promise<unknown> = Promise.resolve();

async function answer(text: string): Promise<void> {
  had++;
  await new Promise((done) => setTimeout(done, 20));
  self.postMessage(text === "no" ? { error: "not this one" } : { vector: [had, text.length] });
}

self.onmessage = ({ data }: MessageEvent<string>) => {
  if (data === "die") throw new Error("died by a test");
  answering = answering.then(() => answer(data));
};
