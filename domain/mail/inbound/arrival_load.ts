import type { Clock } from "../../core/clock.ts";

/** With this many arrivals in flight a process is busy. */
const busyArrivals = 4;
/**
 * One commit ends many arrivals at once, and as many may begin right after: the process counts as idle only after this
 * time.
 */
const idleAfterMs = 25;
/** The longest time for which work that can wait is deferred. */
const maxDeferMs = 5_000;
/** A sender that waits for each answer sends its next message sooner than this. */
const nextArrivalMs = 10;
/**
 * While all senders are of this kind, work that can wait is done once in this time: in batches, not message by message.
 */
const maxLightDeferMs = 500;

/**
 * Counts the messages that are arriving. Parsing and indexing wait for `idle()`, so that a burst is acknowledged first
 * and processed afterwards; under a steady stream they wait 5 s at most. A few senders that each wait for their answers
 * delay them by half a second at most.
 */
export class ArrivalLoad {
  private inFlight = 0;
  private busyAt = -Infinity;
  private arrivedAt = -Infinity;
  private busySince: number | null = null;
  private lightSince: number | null = null;

  constructor(private readonly clock: Pick<Clock, "elapsed" | "after">) {}

  /** Counts one message for as long as `work` takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (++this.inFlight >= busyArrivals) this.busyAt = this.clock.elapsed();
    try {
      return await work();
    } finally {
      this.arrivedAt = this.clock.elapsed();
      if (this.inFlight-- >= busyArrivals) this.busyAt = this.arrivedAt;
    }
  }

  /**
   * Waits until fewer than 4 arrivals have been in flight for 25 ms (5 s at most), then until there was none for 10 ms
   * (500 ms at most). Of several callers, one waits no longer every 500 ms.
   */
  async idle(): Promise<void> {
    while (this.isBusy()) {
      this.busySince ??= this.clock.elapsed();
      if (this.clock.elapsed() - this.busySince > maxDeferMs) return;
      await this.pause(idleAfterMs);
    }
    this.busySince = null;
    while (this.isLight()) {
      this.lightSince ??= this.clock.elapsed();
      if (this.clock.elapsed() - this.lightSince >= maxLightDeferMs) break;
      await this.pause(nextArrivalMs);
    }
    this.lightSince = null;
  }

  private isBusy(): boolean {
    return this.inFlight >= busyArrivals || this.clock.elapsed() - this.busyAt < idleAfterMs;
  }

  private isLight(): boolean {
    return this.inFlight > 0 || this.clock.elapsed() - this.arrivedAt < nextArrivalMs;
  }

  private async pause(ms: number): Promise<void> {
    await new Promise<void>((done) => this.clock.after(ms, done));
  }
}
