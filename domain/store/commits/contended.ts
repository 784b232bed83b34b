import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { keyText } from "../key_text.ts";

/** How long a row counts as contended after a lost race. */
const contendedMs = 60_000;
/** How many rows are kept, and accounts: of thousands, few have mail on several instances in one minute. */
const maxKept = 2_000;

/** The rows that another process wrote between a read and a commit of this one, and the accounts that own them. */
export class Contended {
  private readonly rows = new LRUCache<string, number>({ max: maxKept });
  private readonly accounts = new LRUCache<Deno.KvKeyPart, number>({ max: maxKept });

  constructor(private readonly clock: Pick<Clock, "elapsed">) {}

  /** The second part of a key is its owner, or something that is no id of an account. */
  add(key: Deno.KvKey): void {
    const now = this.clock.elapsed();
    this.rows.set(keyText(key), now);
    if (key.length > 1) this.accounts.set(key[1], now);
  }

  has(key: Deno.KvKey): boolean {
    return this.isRecent(this.rows.get(keyText(key)));
  }

  hasAccount(userId: string): boolean {
    return this.isRecent(this.accounts.get(userId));
  }

  private isRecent(lostAt: number | undefined): boolean {
    return lostAt !== undefined && this.clock.elapsed() - lostAt < contendedMs;
  }
}
