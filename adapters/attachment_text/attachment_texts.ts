import type { Clock } from "../../domain/core/clock.ts";
import { unavailable } from "../../domain/core/errors.ts";
import type { AttachmentTexts, TextKind } from "../../domain/ports/attachment_text.ts";
import { textOf } from "./text_of.ts";
import type { TextAnswer, TextQuestion } from "./worker.ts";

const deadlineMs = 10_000;
/** A Worker that has not begun after this time never will. */
const startMs = 30_000;
/** By so much the process may grow while a file is read. */
const maxGrowthBytes = 256 * 1024 * 1024;
/** How often that is looked at: memory grows by less than the limit in this time. */
const watchMs = 50;
/** Without work a Worker is ended after this time. */
const idleMs = 5_000;

export interface AttachmentTextOptions {
  deadlineMs?: number;
  /** Starts a Worker; null on a platform without Workers. */
  startWorker?: (() => Worker) | null;
  /** Bytes that the process has in memory. */
  memory?: () => number;
}

/**
 * Reads files in a Worker, one after another. The Worker is ended if a file takes too long or the process grows too much:
 * it may be a bomb. On a platform without Workers only texts and HTML are read, because the others cannot be stopped.
 */
export function attachmentTexts(
  clock: Pick<Clock, "after">,
  options: AttachmentTextOptions = {},
): AttachmentTexts {
  const start = options.startWorker === undefined ? defaultStart() : options.startWorker;
  const memory = options.memory ?? (() => Deno.memoryUsage().rss);
  let worker: Worker | null = null;
  let cancelIdle = () => {};
  let abandon: (() => void) | null = null;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const stop = () => {
    cancelIdle();
    worker?.terminate();
    worker = null;
  };

  const ask = (question: TextQuestion) =>
    new Promise<string | null>((resolve, reject) => {
      cancelIdle();
      worker ??= start!();
      const before = memory();
      let cancelDeadline = clock.after(startMs, () => end(null, true));
      let cancelWatch = () => {};
      const watch = () => {
        if (memory() - before > maxGrowthBytes) end(null, true);
        else cancelWatch = clock.after(watchMs, watch);
      };
      const end = (text: string | null, failed: boolean) => {
        cancelDeadline();
        cancelWatch();
        abandon = null;
        if (failed) stop();
        else cancelIdle = clock.after(idleMs, stop);
        resolve(text);
      };
      abandon = () => {
        reject(unavailable("The service is stopping."));
        end(null, true);
      };
      worker.onmessage = ({ data }: MessageEvent<TextAnswer>) => {
        if (data !== "begun") return end(data.text, false);
        cancelDeadline();
        cancelDeadline = clock.after(options.deadlineMs ?? deadlineMs, () => end(null, true));
        watch();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end(null, true);
      };
      worker.postMessage(question, [question.bytes.buffer as ArrayBuffer]);
    });

  const readNow = async (kind: TextKind, bytes: Uint8Array): Promise<string | null> => {
    if (closed) throw unavailable("The service is stopping.");
    if (start) {
      // A view of a larger buffer would take all of it along.
      const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
      return await ask({ kind, bytes: whole });
    }
    if (kind !== "text" && kind !== "html") return null;
    return (await textOf(kind, bytes).catch(() => "")) || null;
  };

  return {
    read(kind, bytes) {
      const next = last.then(() => readNow(kind, bytes));
      last = next.catch(() => {});
      return next;
    },
    close() {
      closed = true;
      if (abandon) abandon();
      stop();
    },
  };
}

function defaultStart(): (() => Worker) | null {
  if (typeof Worker === "undefined") return null;
  return () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}
