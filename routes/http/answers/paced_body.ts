import type { Clock } from "../../../domain/core/clock.ts";

/** The next piece must be asked for within this time. With pieces of 64 KiB a client that reads 2 KiB a second is served. */
const patienceMs = 30_000;
/** Of a text characters, else bytes. */
const pieceLength = 64 * 1024;

const encoder = new TextEncoder();

/** A body in pieces. Of bytes copies: a view that is not sent yet would keep the whole answer in memory. */
export function* piecesOf(body: string | Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0, end = 0; at < body.length; at = end) {
    end = at + pieceLength;
    if (typeof body !== "string") {
      yield body.slice(at, end);
      continue;
    }
    const isInsideCharacter = body.charCodeAt(end - 1) >>> 10 === 0x36;
    if (isInsideCharacter) end++;
    yield encoder.encode(body.slice(at, end));
  }
}

/** Texts, joined to pieces of about 64 KiB. */
export async function* piecesOfTexts(
  texts: AsyncGenerator<string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: string[] = [], length = 0;
  for await (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < pieceLength) continue;
    yield encoder.encode(waiting.join(""));
    waiting = [];
    length = 0;
  }
  yield encoder.encode(waiting.join(""));
}

/**
 * A body that is handed out as fast as its client reads it. It ends early once the client has not read for 30 s: with a
 * Content-Length that ends the connection. `ended` is called once, also if the client leaves or the pieces fail.
 */
export function pacedBody(
  pieces: Iterator<Uint8Array<ArrayBuffer>> | AsyncIterator<Uint8Array<ArrayBuffer>>,
  clock: Pick<Clock, "wakeIn" | "now">,
  ended: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  /** null while the next piece is read for the client. */
  let idleFrom: number | null = clock.now();
  let isOver = false;
  let cancel = () => {};
  const end = () => {
    if (isOver) return;
    isOver = true;
    cancel();
    void pieces.return?.();
    ended();
  };
  const watch = (controller: ReadableStreamDefaultController, afterMs: number) => {
    cancel = clock.wakeIn(afterMs, () => {
      const idleMs = idleFrom === null ? 0 : Math.abs(clock.now() - idleFrom);
      if (idleMs < patienceMs) return watch(controller, patienceMs - idleMs);
      // The end before Content-Length ends the connection. An error would do so too, but Deno prints it with its stack.
      controller.close();
      end();
    });
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => watch(controller, patienceMs),
    async pull(controller) {
      if (isOver) return;
      idleFrom = null;
      try {
        const { value, done } = await pieces.next();
        if (isOver) return;
        if (!done) return controller.enqueue(value);
        controller.close();
        end();
      } catch (error) {
        end();
        throw error;
      } finally {
        idleFrom = clock.now();
      }
    },
    cancel: end,
  }, { highWaterMark: 2 });
}
