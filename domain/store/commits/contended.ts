import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";

/** How long a row counts as contended after a lost race. */
const contendedMs = 60_000;
/** How many rows are kept: of thousands of accounts, few have mail on several instances in one minute. */
const maxRows = 2_000;

/** The rows that another process wrote between a read and a commit of this one. */
export class Contended {
  private readonly rows = new LRUCache<string, number>({ max: maxRows });

  constructor(private readonly clock: Pick<Clock, "elapsed">) {}

  add(text: string): void {
    this.rows.set(text, this.clock.elapsed());
  }

  has(text: string): boolean {
    const lostAt = this.rows.get(text);
    return lostAt !== undefined && this.clock.elapsed() - lostAt < contendedMs;
  }
}
