import { setImmediate } from "node:timers";
import type { Clock } from "../clock.ts";

/** The work of a slice, ms: a few ordinary messages. */
const sliceMs = 2;

/**
 * Short pieces of work on the main thread, each a few milliseconds at most. After 2 ms of them everything else in the
 * process gets its turn; otherwise messages that arrive together would block the thread for the sum of their work. A
 * turn without other work costs 0.02 ms; with `setTimeout` it would cost 2 ms.
 */
export class WorkSlices {
  private worked = 0;
  private turn: Promise<void> | null = null;

  constructor(private readonly clock: Pick<Clock, "elapsed">) {}

  /** Runs `work` in this slice, or in the next one if this is used up. Rejects with what `work` throws. */
  async run<Result>(work: () => Result): Promise<Result> {
    while (this.turn) await this.turn;
    const begunAt = this.clock.elapsed();
    try {
      return work();
    } finally {
      this.worked += this.clock.elapsed() - begunAt;
      if (this.worked >= sliceMs) this.end();
    }
  }

  private end(): void {
    this.worked = 0;
    this.turn = new Promise((done) =>
      void setImmediate(() => {
        this.turn = null;
        done();
      })
    );
  }
}
