/** Arrivals at once from which on a process is busy: fewer leave room between them. */
const busyArrivals = 4;
/** A shared commit ends many arrivals in one moment, and as many begin in the next: only this long after is it quiet. */
const quietMs = 25;
/** How long work that can wait is put off in a busy time before it goes on all the same. */
const maxDeferMs = 5_000;

/**
 * Messages on their way in, so that what follows an arrival makes room for its acknowledgement: parsing and
 * indexing wait for a quieter moment, a few seconds at most. A burst is acknowledged first and worked off after;
 * a steady stream pays as it goes.
 */
export class ArrivalLoad {
  private arriving = 0;
  private busyAt = -Infinity;
  private busySince: number | null = null;

  /** Counts a message in for as long as `work` takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (++this.arriving >= busyArrivals) this.busyAt = performance.now();
    try {
      return await work();
    } finally {
      if (this.arriving-- >= busyArrivals) this.busyAt = performance.now();
    }
  }

  /** Resolves in a quiet moment, or when this busy time has had its due. */
  async idle(): Promise<void> {
    while (this.arriving >= busyArrivals || performance.now() - this.busyAt < quietMs) {
      this.busySince ??= performance.now();
      if (performance.now() - this.busySince > maxDeferMs) return;
      await new Promise((done) => setTimeout(done, quietMs));
    }
    this.busySince = null;
  }
}
