import type { Clock } from "../clock.ts";
import { hasSpareDescriptors } from "./spare_descriptors.ts";

/**
 * Without work a Worker is ended after this time. Until then it costs about 30 MB; a new one takes 0.1 s to start, and
 * three times as long for its first messages, because its code is not compiled yet.
 */
const idleMs = 60_000;

/** After this many bytes of questions a Worker is ended at once, because its heap has grown. */
const maxBytesALife = 16 * 1024 * 1024;

/** A Worker that has not begun after this many deadlines never will. The question is not at fault. */
const deadlinesToStart = 6;

/**
 * A deadline is this many ticks of a timer. After the machine slept for a minute only one tick has passed, and the
 * Worker did not work meanwhile either.
 */
const ticks = 5;

/** How often the use of memory is checked: in this time it grows by less than what is allowed. */
const watchMs = 50;

/** Why there is no answer. */
export type NoAnswer = "late" | "too large" | "not begun" | "failed" | "closed" | "no worker";

/** A Worker sends "begun" before it works on a question, because the deadline counts from there, and then the answer. */
export type WorkerMessage<Answer> = "begun" | Answer;

export interface WorkerThreadOptions<Question> {
  startWorker: () => Worker;
  /** Working time for one question. */
  deadlineMs: number;
  clock: Pick<Clock, "after">;
  bytesOf(question: Question): number;
  /** The buffers that are moved to the Worker: this thread can no longer use them. */
  transfer?(question: Question): Transferable[];
  /** `used` may grow by this many bytes while the Worker works. */
  memory?: { used(): number; maxGrowth: number };
}

/**
 * A Worker that answers one question at a time. It starts with a question. It is ended after `idleMs` without one, after
 * `maxBytesALife`, or if an answer takes longer than the deadline or more memory than it may.
 */
export class WorkerThread<Question, Answer extends object> {
  private worker: Worker | null = null;
  private seenBytes = 0;
  private cancelIdle = () => {};
  private abandon: (() => void) | null = null;

  constructor(private readonly options: WorkerThreadOptions<Question>) {}

  get isStarted(): boolean {
    return this.worker !== null;
  }

  ask(question: Question): Promise<Answer | NoAnswer> {
    const { startWorker, bytesOf, transfer, clock } = this.options;
    return new Promise((resolve, reject) => {
      this.cancelIdle();
      if (!this.worker && !hasSpareDescriptors()) return resolve("not begun");
      try {
        this.worker ??= startWorker();
      } catch {
        return resolve("no worker");
      }
      const { worker } = this;
      const finish = (answer: Answer | NoAnswer) => {
        cancelDeadline();
        cancelWatch();
        this.abandon = null;
        if (typeof answer === "string" || this.seenBytes > maxBytesALife) this.stop();
        else this.cancelIdle = clock.after(idleMs, () => this.stop());
        resolve(answer);
      };
      let cancelDeadline = this.afterDeadlines(deadlinesToStart, () => finish("not begun"));
      let cancelWatch = () => {};
      this.abandon = () => finish("closed");
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage<Answer>>) => {
        if (data !== "begun") return finish(data);
        cancelDeadline();
        cancelDeadline = this.afterDeadlines(1, () => finish("late"));
        cancelWatch = this.watch(() => finish("too large"));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        finish("failed");
      };
      this.seenBytes += bytesOf(question);
      try {
        worker.postMessage(question, transfer?.(question) ?? []);
      } catch (error) {
        reject(error);
        finish("failed");
      }
    });
  }

  /** Ends the Worker; a question that it has not answered ends with "closed". */
  close(): void {
    if (this.abandon) this.abandon();
    else this.stop();
  }

  private stop(): void {
    this.cancelIdle();
    this.worker?.terminate();
    this.worker = null;
    this.seenBytes = 0;
  }

  /** Calls `run` once after `count` deadlines. Returns the function that cancels it. */
  private afterDeadlines(count: number, run: () => void): () => void {
    const { clock, deadlineMs } = this.options;
    let left = count * ticks;
    let cancel = () => {};
    const tick = () => {
      if (left-- === 0) run();
      else cancel = clock.after(deadlineMs / ticks, tick);
    };
    tick();
    return () => cancel();
  }

  /** Calls `run` once if the use of memory grows too much. Returns the function that cancels it. */
  private watch(run: () => void): () => void {
    const { memory, clock } = this.options;
    if (!memory) return () => {};
    const most = memory.used() + memory.maxGrowth;
    let cancel = () => {};
    const look = () => {
      if (memory.used() > most) run();
      else cancel = clock.after(watchMs, look);
    };
    look();
    return () => cancel();
  }
}

/** False for a view of a larger buffer: if that is moved to a Worker, others that use it lose it. */
export function ownsBuffer({ byteLength, buffer }: Uint8Array): boolean {
  return byteLength === buffer.byteLength;
}
