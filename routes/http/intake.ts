import type { Clock } from "../../domain/core/clock.ts";
import { ServiceError, unavailable } from "../../domain/core/errors.ts";
import { BodyBudget } from "./body_budget.ts";

/** A sender has this long for the next byte, and in each such span of waiting it must send `leastBytes`: 1 KiB/s. */
export const patienceMs = 60_000;
export const leastBytes = 60 * 1024;
/** The answers of bodies that were ended take a few milliseconds; then the connections close. */
const lastAnswersMs = 500;
/** The next process listens within this time. */
const restartSeconds = 5;

/** The requests of one process: which are under way, how long a body may take, and how a stop ends them. */
export class Intake {
  readonly budget = new BodyBudget();
  private underWay = 0;
  private closed = false;
  private cutOff = false;
  private readonly waits = new Set<(why: ServiceError) => void>();
  private readonly idleListeners = new Set<() => void>();

  constructor(private readonly clock: Clock) {}

  /** A request begins; `leave` must follow. False once the service stops: the request is to be answered with 503. */
  enter(): boolean {
    if (!this.closed) this.underWay++;
    return !this.closed;
  }

  leave(): void {
    if (--this.underWay > 0) return;
    for (const wake of this.idleListeners) wake();
  }

  /** The patience that one body is read with. */
  patience(): Patience {
    return new Patience((read, limitMs) => this.wait(read, limitMs), () => this.clock.now());
  }

  /**
   * Takes no further request. Those under way have `graceMs` to end; a body that is still on its way then is answered
   * with 503, so that its sender tries again. Resolves once nothing reads a body any more.
   */
  async close(graceMs: number): Promise<void> {
    this.closed = true;
    await this.idle(graceMs);
    this.cutOff = true;
    for (const fail of this.waits) fail(stopping());
    await this.idle(lastAnswersMs);
  }

  /** Resolves when no request is under way, at the latest after `limitMs`. */
  private async idle(limitMs: number): Promise<void> {
    if (this.underWay === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.idleListeners.add(resolve);
    const cancel = this.clock.wakeAt(this.clock.now() + limitMs, resolve);
    await promise;
    cancel();
    this.idleListeners.delete(resolve);
  }

  private async wait<T>(read: Promise<T>, limitMs: number): Promise<T> {
    if (this.cutOff) throw stopping();
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.clock.wakeAt(this.clock.now() + limitMs, () => reject(tooSlow()));
    this.waits.add(reject);
    try {
      return await Promise.race([read, promise]);
    } finally {
      cancel();
      this.waits.delete(reject);
    }
  }
}

/** Waits for the pieces of one body. Only the time spent waiting for the sender counts, not that of the work between. */
export class Patience {
  private waitedMs = 0;
  private bytes = 0;

  constructor(
    private readonly wait: <T>(read: Promise<T>, limitMs: number) => Promise<T>,
    private readonly now: () => number,
  ) {}

  /** What `read` gives. Throws REQUEST_TIMEOUT where the sender is too slow, and 503 where the service stops. */
  async next<T>(read: Promise<T>, sizeOf: (piece: T) => number): Promise<T> {
    const from = this.now();
    const enough = this.bytes >= leastBytes;
    const piece = await this.wait(read, enough ? patienceMs : patienceMs - this.waitedMs);
    this.waitedMs += this.now() - from;
    this.bytes += sizeOf(piece);
    if (this.waitedMs >= patienceMs) this.waitedMs = this.bytes = 0;
    return piece;
  }
}

const tooSlow = () => new ServiceError("REQUEST_TIMEOUT");

export function stopping(): ServiceError {
  return unavailable("The service is stopping.", restartSeconds);
}
