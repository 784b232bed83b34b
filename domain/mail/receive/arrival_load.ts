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
 * and processed afterwards; none of it waits longer than 5 s. Under a few senders that each wait for their answers a part
 * of it goes on every half second.
 */
export class ArrivalLoad {
  private inFlight = 0;
  private busyAt = -Infinity;
  private arrivedAt = -Infinity;
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
   * Waits until fewer than 4 arrivals have been in flight for 25 ms, then until there was none for 10 ms. Of several
   * callers, one waits no longer for the latter every 500 ms. None waits longer than 5 s, of which its work has waited
   * `waitedMs` already: under a stream that does not end, mail is processed as fast as it comes, 5 s later.
   */
  async idle(waitedMs = 0): Promise<void> {
    const end = this.clock.elapsed() + maxDeferMs - Math.max(0, waitedMs);
    const mayWait = () => this.clock.elapsed() < end;
    while (this.isBusy() && mayWait()) await this.pause(idleAfterMs);
    while (this.isLight() && mayWait()) {
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
