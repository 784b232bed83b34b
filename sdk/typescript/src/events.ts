import type { Model } from "./types.ts";
import { LetterboxError } from "./errors.ts";
import { type Options, orAborted, sleep, type Transport } from "./transport.ts";

/** A stream has a comment every 15 s; if it is silent for longer, its connection is lost. */
const longestSilenceMs = 45_000;
const pauseMs = 500;

/** The changes of the account as they happen. After each break a new connection continues from the last id. */
export async function* events(
  transport: Transport,
  { after, signal }: { after?: string } & Options,
): AsyncGenerator<Model<"Change">, void, undefined> {
  for (let last = after;;) {
    const body = await transport({
      method: "GET",
      path: "/v1/api/events",
      headers: { accept: "text/event-stream", ...last ? { "last-event-id": last } : {} },
      repeatable: true,
      signal,
    }, (response) => response.body!);
    const reader = body.getReader();
    try {
      for await (const { id, data } of blocks(reader, signal)) {
        if (id) last = id;
        signal?.throwIfAborted();
        if (data) yield JSON.parse(data);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof LetterboxError)) throw error;
    } finally {
      reader.cancel().catch(() => {});
    }
    await sleep(pauseMs * (1 + Math.random()), signal);
  }
}

/** The blocks of an event stream (HTML Living Standard, 9.2.6). Throws LetterboxError if the connection is lost. */
async function* blocks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<{ id?: string; data?: string }> {
  const decoder = new TextDecoder();
  let rest = "", block: { id?: string; data?: string } = {};
  for (;;) {
    const { value, done } = await orAborted(signal, read(reader));
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\r(?!$)|\n/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === "") {
        yield block;
        block = {};
        continue;
      }
      const [, field, text] = /^([^:]*):? ?(.*)$/s.exec(line)!;
      if (field === "id") block.id = text;
      if (field === "data") block.data = block.data === undefined ? text : `${block.data}\n${text}`;
    }
  }
}

/** The next piece of a stream. Throws LetterboxError if the connection is lost. */
export function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
    const lost = () => reject(new LetterboxError("CONNECTION_FAILED", "The stream was lost."));
    const timer = setTimeout(lost, longestSilenceMs);
    reader.read().then(resolve, lost).finally(() => clearTimeout(timer));
  });
}
