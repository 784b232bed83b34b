import type { Clock } from "../core/clock.ts";
import { rateLimited, type ServiceError } from "../core/errors.ts";
import type { JournalWatch } from "../store/journal.ts";

/**
 * What one account may have open at the same time: requests that wait for something, streams of events, connections that
 * submit mail, imports and exports.
 */
const placesOfAccount = { wait: 50, stream: 20, submission: 100, import: 8, export: 2 } as const;

type Place = keyof typeof placesOfAccount;

/** Requests that wait for changes of their account. Commits wake them: a waiting request costs a timer, and no read. */
export class Waiting {
  private readonly waits = new Set<Wait>();
  private readonly counts = new Map<string, number>();
  private stopped = false;

  constructor(private readonly clock: Clock, private readonly journal: JournalWatch) {}

  /**
   * Takes one of the account's places, until it is disposed of. Changes are noticed from now on. The wait ends at `until`
   * (ms since 1970), when `signal` is aborted, and when the service stops. `confirm` throws if the caller's credential has
   * ended. Throws RATE_LIMIT_EXCEEDED (`window: "concurrent"`) if all places are taken.
   */
  begin(
    userId: string,
    place: Place,
    { until = Infinity, signal, confirm }: {
      until?: number;
      signal?: AbortSignal;
      confirm?: () => Promise<void>;
    },
  ): Wait {
    const subject = `${place} ${userId}`;
    const count = this.counts.get(subject) ?? 0;
    const limit = placesOfAccount[place];
    if (count >= limit) throw tooManyAtOnce(limit, 1);
    this.counts.set(subject, count + 1);
    const wait: Wait = new Wait(confirm, () => {
      unwatch();
      cancel();
      signal?.removeEventListener("abort", wait.end);
      this.waits.delete(wait);
      const left = this.counts.get(subject)! - 1;
      if (left > 0) this.counts.set(subject, left);
      else this.counts.delete(subject);
    });
    const unwatch = this.journal.watch(userId, wait.wake);
    signal?.addEventListener("abort", wait.end);
    this.waits.add(wait);
    const leftMs = until - this.clock.now();
    const cancel = leftMs <= 0 || leftMs === Infinity
      ? () => {}
      : this.clock.wakeIn(leftMs, wait.end);
    if (this.stopped || signal?.aborted || leftMs <= 0) wait.end();
    return wait;
  }

  /** Also wakes the wait at `at` (ms since 1970), once, for what becomes due without a commit. */
  alarm(wait: Wait, at: number): void {
    wait.cancelAlarm();
    if (!wait.ended) wait.cancelAlarm = this.clock.wakeIn(at - this.clock.now(), wait.wake);
  }

  /** Ends every wait, now and later: the service stops. */
  stop(): void {
    this.stopped = true;
    for (const wait of this.waits) wait.end();
  }
}

/** The error of a request beyond `limit` at the same time; a retry is useful after `retryAfterSeconds`. */
export function tooManyAtOnce(limit: number, retryAfterSeconds: number): ServiceError {
  return rateLimited(limit, "concurrent", retryAfterSeconds);
}

/** One request that waits. */
export class Wait implements Disposable {
  /** Ends its alarm, if there is one. */
  cancelAlarm = () => {};
  private stirred = false;
  private over = false;
  private resolve: (() => void) | null = null;
  private left = false;

  constructor(
    private readonly confirmCaller: (() => Promise<void>) | undefined,
    private readonly leave: () => void,
  ) {}

  /** Resolves with true once there may be news since the last call, with false once the wait has ended. */
  async news(): Promise<boolean> {
    if (!this.stirred && !this.over) {
      await new Promise<void>((resolve) => this.resolve = resolve);
      this.resolve = null;
    }
    if (this.over) return false;
    this.stirred = false;
    return true;
  }

  /**
   * Calls `look` now and after all news, until it returns true or the wait has ended. The caller is confirmed before each
   * look, because one may take what others then miss, and at the end.
   */
  async until(look: () => Promise<boolean>): Promise<void> {
    do {
      await this.confirm();
      if (await look()) break;
    } while (await this.news());
    await this.confirm();
  }

  /**
   * Throws UNAUTHORIZED if the caller's credential has ended. Who waits calls it after each look and before the answer: a
   * credential that ends before or during the look then never sees what came later.
   */
  async confirm(): Promise<void> {
    await this.confirmCaller?.();
  }

  get ended(): boolean {
    return this.over;
  }

  readonly wake = (): void => {
    this.stirred = true;
    this.resolve?.();
  };

  /** Its time is over, the client has left, or the service stops. */
  readonly end = (): void => {
    this.over = true;
    this.resolve?.();
  };

  [Symbol.dispose](): void {
    if (this.left) return;
    this.left = true;
    this.cancelAlarm();
    this.end();
    this.leave();
  }
}
