import type { Clock } from "../../../core/clock.ts";
import type { ParseAnswer, ParseQuestion } from "../../../../mime/body/parse_question.ts";
import type { ParseMessage } from "../../../../mime/body/parse_worker.ts";

/** A Worker costs about 30 MB: without work it is ended after this time. */
const idleMs = 5_000;

/** After this much mail a Worker is ended at once, because its heap has grown. */
const maxBytesALife = 16 * 1024 * 1024;

/** A Worker that has not begun after this many deadlines never will. The message is not at fault. */
const deadlinesToStart = 6;

/**
 * A deadline is this many ticks of a timer. A process that was stopped for a minute (a machine that slept) loses only
 * one tick, and its Worker did not work meanwhile either.
 */
const ticks = 5;

/** Why there is no answer. */
export type NoAnswer = "late" | "not begun" | "failed" | "closed" | "no worker";

/**
 * A Worker that answers one question at a time. It starts with a question. It is ended after `idleMs` without one, after
 * `maxBytesALife`, or if an answer takes longer than the deadline.
 */
export class ParseThread {
  private worker: Worker | null = null;
  private seenBytes = 0;
  private cancelIdle = () => {};
  private abandon: (() => void) | null = null;

  constructor(
    private readonly startWorker: () => Worker,
    private readonly deadlineMs: number,
    private readonly clock: Pick<Clock, "after">,
  ) {}

  ask(question: ParseQuestion): Promise<ParseAnswer | NoAnswer> {
    return new Promise((resolve) => {
      this.cancelIdle();
      try {
        this.worker ??= this.startWorker();
      } catch {
        return resolve("no worker");
      }
      const { worker } = this;
      const finish = (answer: ParseAnswer | NoAnswer) => {
        cancelDeadline();
        this.abandon = null;
        if (typeof answer === "string" || this.seenBytes > maxBytesALife) this.stop();
        else this.cancelIdle = this.clock.after(idleMs, () => this.stop());
        resolve(answer);
      };
      let cancelDeadline = this.afterDeadlines(deadlinesToStart, () => finish("not begun"));
      this.abandon = () => finish("closed");
      worker.onmessage = ({ data }: MessageEvent<ParseMessage>) => {
        if (data !== "begun") return finish(data);
        cancelDeadline();
        cancelDeadline = this.afterDeadlines(1, () => finish("late"));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        finish("failed");
      };
      this.seenBytes += question.raw.length;
      worker.postMessage(question);
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

  /** Calls `run` once after `count` deadlines; the answer cancels it. */
  private afterDeadlines(count: number, run: () => void): () => void {
    let left = count * ticks;
    let cancel = () => {};
    const tick = () => {
      if (left-- === 0) run();
      else cancel = this.clock.after(this.deadlineMs / ticks, tick);
    };
    tick();
    return () => cancel();
  }
}
