import type { ParseAnswer, ParseQuestion } from "../../../mime/body/parse_question.ts";
import type { ParseMessage } from "../../../mime/body/parse_worker.ts";

/** A Worker costs about 30 MB; without work it goes after this long. */
const idleMs = 5_000;

/** After this much mail a Worker is ended at once: its heap has grown, and goes with it. */
const maxBytesALife = 16 * 1024 * 1024;

/** A Worker that has not begun after this many deadlines never will; that is not the message's fault. */
const deadlinesToStart = 6;

/**
 * A deadline is so many ticks of a timer: a process that was stopped for a minute (a machine that slept) missed
 * one, and its Worker has not worked meanwhile either.
 */
const ticks = 5;

/** Why there is no answer. */
export type NoAnswer = "late" | "not begun" | "failed" | "closed" | "no worker";

/**
 * A Worker that answers one question at a time. It is started with a question and ended when none has come for
 * a while, when it has seen much mail, or when an answer takes longer than the deadline.
 */
export class ParseThread {
  private worker: Worker | null = null;
  private seenBytes = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private abandon: (() => void) | null = null;

  constructor(private readonly startWorker: () => Worker, private readonly deadlineMs: number) {}

  ask(question: ParseQuestion): Promise<ParseAnswer | NoAnswer> {
    return new Promise((resolve) => {
      clearTimeout(this.idle);
      try {
        this.worker ??= this.startWorker();
      } catch {
        return resolve("no worker");
      }
      const { worker } = this;
      const finish = (answer: ParseAnswer | NoAnswer) => {
        clearInterval(deadline);
        this.abandon = null;
        if (typeof answer === "string" || this.seenBytes > maxBytesALife) this.stop();
        else this.idle = setTimeout(() => this.stop(), idleMs);
        resolve(answer);
      };
      const after = (deadlines: number, why: NoAnswer) => {
        let left = deadlines * ticks;
        return setInterval(() => --left === 0 && finish(why), this.deadlineMs / ticks);
      };
      let deadline = after(deadlinesToStart, "not begun");
      this.abandon = () => finish("closed");
      worker.onmessage = ({ data }: MessageEvent<ParseMessage>) => {
        if (data !== "begun") return finish(data);
        clearInterval(deadline);
        deadline = after(1, "late");
      };
      worker.onerror = (event) => {
        event.preventDefault();
        finish("failed");
      };
      this.seenBytes += question.raw.length;
      worker.postMessage(question);
    });
  }

  /** Ends the Worker; what it is asked has no answer. */
  close(): void {
    if (this.abandon) this.abandon();
    else this.stop();
  }

  private stop(): void {
    clearTimeout(this.idle);
    this.worker?.terminate();
    this.worker = null;
    this.seenBytes = 0;
  }
}
