import { setImmediate } from "node:timers";
import { type Clock, systemClock } from "../clock.ts";
import { RecentWork } from "./recent_work.ts";

/** Work of one slice, ms: a row can cost 0.5 ms, and a page has hundreds. */
const sliceMs = 5;

interface Waiting {
  /** In which order the work was begun. */
  begun: number;
  goOn(): void;
}

/** Work that waits for its next slice, by owner: all of the process, for one thread. */
const waiting = new Map<string, Waiting[]>();
const work = new RecentWork(systemClock);
let begunInAll = 0;

/**
 * Divides the long work of one request on the main thread by time, because the cost of a row is not bounded by their
 * number: after 5 ms everything else in the process gets its turn. In each turn of the event loop one such work goes on:
 * that of the owner with the least recent work, and of an owner the oldest, so that a hundred of them neither stop the
 * others nor are all in memory. In order, an account whose conversations take twenty slices waited for four others' 30 ms
 * before each.
 * For short pieces of several callers: WorkSlices; for bytes: Yielder.
 */
export class TimeSlices {
  private begunAt: number;
  private readonly begun = begunInAll++;

  constructor(private readonly clock: Pick<Clock, "elapsed">, private readonly owner: string) {
    this.begunAt = clock.elapsed();
  }

  /** To be called between two pieces of work: yields if the slice is used up. */
  async next(): Promise<void> {
    if (this.clock.elapsed() - this.begunAt >= sliceMs) await this.turn();
  }

  /** To be called before one long piece of work: yields in any case. */
  async turn(): Promise<void> {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    if (waiting.size === 0) setImmediate(nextSlice);
    const own = waiting.get(this.owner) ?? [];
    own.push({ begun: this.begun, goOn });
    waiting.set(this.owner, own);
    await promise;
    this.begunAt = this.clock.elapsed();
  }
}

function nextSlice(): void {
  const owner = waiting.keys().reduce((a, b) => work.of(b) < work.of(a) ? b : a);
  const own = waiting.get(owner)!;
  const oldest = own.reduce((a, b) => b.begun < a.begun ? b : a);
  own.splice(own.indexOf(oldest), 1);
  waiting.delete(owner);
  if (own.length > 0) waiting.set(owner, own);
  const begunAt = systemClock.elapsed();
  work.begin(owner, begunAt);
  // The slice runs before the next callback.
  setImmediate(() => {
    work.end(owner, begunAt);
  });
  if (waiting.size > 0) setImmediate(nextSlice);
  oldest.goOn();
}
