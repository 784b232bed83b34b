import type { Clock } from "../../core/clock.ts";

/** With this many arrivals in flight a process is busy. */
const busyArrivals = 4;
/** One commit ends many arrivals at once, and as many begin right after: the process is idle only after this time. */
const idleAfterMs = 25;
/** The longest time for which work that can wait is deferred. */
const maxDeferMs = 5_000;

/**
 * Counts the messages that are arriving. Parsing and indexing wait for `idle()`, so that a burst is acknowledged first
 * and processed afterwards; under a steady stream they wait 5 s at most.
 */
export class ArrivalLoad {
  private inFlight = 0;
  private busyAt = -Infinity;
  private busySince: number | null = null;

  constructor(private readonly clock: Pick<Clock, "elapsed" | "after">) {}

  /** Counts one message for as long as `work` takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (++this.inFlight >= busyArrivals) this.busyAt = this.clock.elapsed();
    try {
      return await work();
    } finally {
      if (this.inFlight-- >= busyArrivals) this.busyAt = this.clock.elapsed();
    }
  }

  /** Resolves when fewer than 4 arrivals have been in flight for 25 ms, at the latest after 5 s. */
  async idle(): Promise<void> {
    while (this.inFlight >= busyArrivals || this.clock.elapsed() - this.busyAt < idleAfterMs) {
      this.busySince ??= this.clock.elapsed();
      if (this.clock.elapsed() - this.busySince > maxDeferMs) return;
      await new Promise<void>((done) => this.clock.after(idleAfterMs, done));
    }
    this.busySince = null;
  }
}
