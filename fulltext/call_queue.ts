import { setImmediate } from "node:timers";

/** How much work was done for each account recently. Times are ms of any clock that never goes back. */
export interface AccountWork {
  of(userId: string): number;
  begin(userId: string, at: number): void;
  end(userId: string, at: number): void;
}

export interface CallQueueOptions<Call> {
  /** The account whose caller waits; null if none does. Such calls come first, and their accounts take turns. */
  accountOf(call: Call): string | null;
  answer(call: Call): void;
  /** Is called if no call waits; true if there is more to do. */
  rest?(): boolean;
  work: AccountWork;
  elapsed(): number;
}

/**
 * The calls of a thread, one at a time. Between two of them those that came meanwhile are received. The next one is that
 * of the waiting account with the least recent work; if no account waits, the oldest.
 */
export class CallQueue<Call> {
  private readonly calls: Call[] = [];
  private scheduled = false;

  constructor(private readonly options: CallQueueOptions<Call>) {}

  push(call: Call): void {
    this.calls.push(call);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    // A timer of 0 ms waits 1 ms. Messages that came meanwhile are received either way.
    setImmediate(() => this.runNext());
  }

  private runNext(): void {
    const { work, elapsed, answer, accountOf, rest } = this.options;
    this.scheduled = false;
    const call = this.take();
    let more = false;
    if (call) {
      const account = accountOf(call);
      const begunAt = elapsed();
      if (account !== null) work.begin(account, begunAt);
      answer(call);
      if (account !== null) work.end(account, begunAt);
    } else more = rest?.() ?? false;
    if (this.calls.length > 0 || call || more) this.schedule();
  }

  private take(): Call | undefined {
    const { work, accountOf } = this.options;
    let next = 0;
    let least = Infinity;
    for (const [place, call] of this.calls.entries()) {
      const account = accountOf(call);
      if (account === null) continue;
      const done = work.of(account);
      if (done < least) [next, least] = [place, done];
    }
    return this.calls.splice(next, 1)[0];
  }
}
