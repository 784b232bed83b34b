import { setImmediate } from "node:timers";
import type { Clock } from "../clock.ts";

/** Work of one slice, ms: a row can cost 0.5 ms, and a page has hundreds. */
const sliceMs = 5;

/**
 * Divides the long work of one request on the main thread by time, because the cost of a row is not bounded by their
 * number: after 5 ms everything else in the process gets its turn. For short pieces of several callers: WorkSlices; for
 * bytes: Yielder.
 */
export class TimeSlices {
  private begunAt: number;

  constructor(private readonly clock: Pick<Clock, "elapsed">) {
    this.begunAt = clock.elapsed();
  }

  /** To be called between two pieces of work: yields if the slice is used up. */
  async next(): Promise<void> {
    if (this.clock.elapsed() - this.begunAt < sliceMs) return;
    await new Promise<void>((done) => void setImmediate(done));
    this.begunAt = this.clock.elapsed();
  }
}
