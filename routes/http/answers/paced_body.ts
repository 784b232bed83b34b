import type { Clock } from "../../../domain/core/clock.ts";

/** The next piece must be asked for within this time. With pieces of 64 KiB a client that reads 2 KiB a second is served. */
export const readPatienceMs = 30_000;
const pieceBytes = 64 * 1024;

/**
 * A body that is handed out as fast as its client reads it. It ends early once the client has not read for 30 s: with a
 * Content-Length that ends the connection. `ended` is called once, also if the client leaves.
 */
export function pacedBody(
  bytes: Uint8Array,
  clock: Pick<Clock, "wakeIn" | "now">,
  ended: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let askedAt = clock.now();
  let cancel = () => {};
  let left: Uint8Array | null = bytes;
  const end = () => {
    if (left === null) return;
    left = null;
    cancel();
    ended();
  };
  const watch = (controller: ReadableStreamDefaultController, afterMs: number) => {
    cancel = clock.wakeIn(afterMs, () => {
      const silentMs = Math.abs(clock.now() - askedAt);
      if (silentMs < readPatienceMs) return watch(controller, readPatienceMs - silentMs);
      // The end before Content-Length ends the connection. An error would do so too, but Deno prints it with its stack.
      controller.close();
      end();
    });
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => watch(controller, readPatienceMs),
    pull(controller) {
      if (left === null) return;
      askedAt = clock.now();
      // A copy: a view that is not sent yet would keep the whole answer in memory.
      controller.enqueue(left.slice(at, at += pieceBytes));
      if (at < left.length) return;
      controller.close();
      end();
    },
    cancel: end,
  }, { highWaterMark: 0 });
}
