/// <reference lib="deno.worker" />
// The encoders in a thread of their own, started by `EncoderThread`: the first message names them, each other is a text,
// whose answer is its vector or an error.
import "./without_location.ts";
import { setPriority } from "node:os";
import type { Answer, Question } from "./encoder_thread.ts";
import { type Encoder, type EncoderSource, openEncoders, Unreadable } from "./encoders/encoder.ts";

/** The lowest priority, so that requests come first. On Linux it is the priority of this thread alone. */
const idle = 19;

if (Deno.build.os === "linux") setPriority(idle);
let sources: EncoderSource[] = [];
let encoder: Promise<Encoder> | null = null;
let answering: Promise<unknown> = Promise.resolve();

async function answerTo({ text, isQuestion }: Question): Promise<Answer> {
  const begunAt = performance.now();
  let isLoaded = false;
  try {
    const loaded = await (encoder ??= openEncoders(sources));
    isLoaded = true;
    const vector = await loaded.embed(text, isQuestion);
    return { vector, ms: performance.now() - begunAt };
  } catch (error) {
    const reason = error instanceof Unreadable ? "unreadable" : isLoaded ? "failed" : "unloaded";
    return { error: error instanceof Error ? error.message : String(error), reason };
  }
}

self.onmessage = ({ data }: MessageEvent<EncoderSource[] | Question>) => {
  if (Array.isArray(data)) sources = data;
  else answering = answering.then(async () => self.postMessage(await answerTo(data)));
};
