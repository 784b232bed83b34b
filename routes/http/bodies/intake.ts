import type { Clock } from "../../../domain/core/clock.ts";
import { ServiceError, unavailable } from "../../../domain/core/errors.ts";
import { AnswerBudget } from "../answers/answer_budget.ts";
import { BodyBudget } from "./body_budget.ts";

/** A sender must send the next byte within this time, and `leastBytes` in each such time of waiting: 1 KiB/s. */
export const patienceMs = 60_000;
export const leastBytes = 60 * 1024;
/** Time for the answers to bodies that were cut off; these take a few milliseconds. */
const lastAnswersMs = 500;
/** `Retry-After` during a stop: the next process listens within this time. */
const restartSeconds = 5;

/** The requests of one process: counts those in flight, bounds the time of a body, and ends them on a stop. */
export class Intake {
  readonly budget = new BodyBudget();
  readonly answers: AnswerBudget;
  private inFlight = 0;
  private closed = false;
  private cutOff = false;
  private readonly waits = new Set<(why: ServiceError) => void>();
  private readonly idleListeners = new Set<() => void>();

  constructor(private readonly clock: Clock) {
    this.answers = new AnswerBudget(clock);
  }

  /** A request begins. False once the service stops: answer 503. After true, call `leave`. */
  enter(): boolean {
    if (!this.closed) this.inFlight++;
    return !this.closed;
  }

  leave(): void {
    if (--this.inFlight > 0) return;
    for (const wake of this.idleListeners) wake();
  }

  /** Returns the reader of one body. */
  patience(): Patience {
    return new Patience((read, limitMs) => this.wait(read, limitMs), () => this.clock.now());
  }

  /**
   * Accepts no further request. Those in flight have `graceMs` to end; a body that is incomplete then is answered with 503,
   * so that its sender tries again. Resolves when no body is being read.
   */
  async close(graceMs: number): Promise<void> {
    this.closed = true;
    await this.idle(graceMs);
    this.cutOff = true;
    for (const fail of this.waits) fail(stopping());
    await this.idle(lastAnswersMs);
  }

  /** Resolves when no request is in flight, at the latest after `limitMs`. */
  private async idle(limitMs: number): Promise<void> {
    if (this.inFlight === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.idleListeners.add(resolve);
    const cancel = this.clock.wakeIn(limitMs, resolve);
    await promise;
    cancel();
    this.idleListeners.delete(resolve);
  }

  private async wait<T>(read: Promise<T>, limitMs: number): Promise<T> {
    if (this.cutOff) throw stopping();
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.clock.wakeIn(limitMs, () => reject(tooSlow()));
    this.waits.add(reject);
    try {
      return await Promise.race([read, promise]);
    } finally {
      cancel();
      this.waits.delete(reject);
    }
  }
}

/** Waits for the pieces of one body. Only the waiting for the sender counts, not the work between. */
export class Patience {
  private waitedMs = 0;
  private bytes = 0;

  constructor(
    private readonly wait: <T>(read: Promise<T>, limitMs: number) => Promise<T>,
    private readonly now: () => number,
  ) {}

  /**
   * The result of `read`. Throws REQUEST_TIMEOUT if the sender is too slow, and SERVICE_UNAVAILABLE if the service stops.
   */
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
