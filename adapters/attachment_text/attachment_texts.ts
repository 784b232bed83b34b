import type { TextKind } from "../../mime/body/attachment_kinds.ts";
import type { Clock } from "../../domain/core/clock.ts";
import { unavailable } from "../../domain/core/errors.ts";
import { FairTurns } from "../../domain/core/work/fair_turns.ts";
import { ownsBuffer, WorkerThread } from "../../domain/core/work/worker_thread.ts";
import type { AttachmentTexts, FileSource } from "../../domain/ports/attachment_text.ts";
import { textOf, usedBytes } from "./text_of.ts";
import type { TextAnswer, TextQuestion } from "./worker.ts";

/** The answer is promised within 10 s: two are left for the decoding before, and for the answer of a busy machine. */
const deadlineMs = 8_000;
/** The process may grow by this many bytes while a file is read. */
const maxGrowth = 256 * 1024 * 1024;

export interface AttachmentTextOptions {
  deadlineMs?: number;
  /** Starts a Worker; null on a platform without Workers. */
  startWorker?: (() => Worker) | null;
  /** Bytes that the process has in memory. */
  memory?: () => number;
}

/**
 * Reads files in a Worker, one after another; accounts take turns. The Worker is ended if a file takes too long or the
 * process grows too much: the file may be a bomb. On a platform without Workers only texts and HTML are read, because
 * the others cannot be stopped.
 */
export function attachmentTexts(
  clock: Pick<Clock, "after" | "elapsed">,
  options: AttachmentTextOptions = {},
): AttachmentTexts {
  const startWorker = options.startWorker === undefined ? defaultStart() : options.startWorker;
  const used = options.memory ?? (() => Deno.memoryUsage().rss);
  const thread = startWorker && new WorkerThread<TextQuestion, TextAnswer>({
    ...{ startWorker, clock, deadlineMs: options.deadlineMs ?? deadlineMs },
    bytesOf: ({ bytes }) => bytes.length,
    transfer: ({ bytes }) => [bytes.buffer as ArrayBuffer],
    memory: { used, maxGrowth },
  });
  const turns = new FairTurns(1, clock);
  let closed = false;

  const readNow = async ({ kind, charset, load }: FileSource) => {
    const bytes = closed ? null : await load();
    if (closed) throw unavailable("The service is stopping.");
    // Empty files share one buffer, which can be moved only once.
    if (!bytes || bytes.length === 0) return null;
    // With a view, the whole buffer behind it would be transferred.
    const whole = ownsBuffer(bytes) ? bytes : bytes.slice();
    const answer = await thread?.ask({ kind: kind as TextKind, bytes: whole, charset }) ??
      "no worker";
    if (answer === "closed") throw unavailable("The service is stopping.");
    if (typeof answer === "object") return answer.text;
    if (answer !== "no worker" || (kind !== "text" && kind !== "html")) return null;
    return (await textOf(kind, bytes, charset).catch(() => "")) || null;
  };

  return {
    usedBytes,
    read: (file) => turns.run(file.userId, () => readNow(file)),
    close() {
      closed = true;
      thread?.close();
    },
  };
}

function defaultStart(): (() => Worker) | null {
  if (typeof Worker === "undefined") return null;
  return () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}
