import type { Clock } from "../../../domain/core/clock.ts";
import { unavailable } from "../../../domain/core/errors.ts";
import type { Sender } from "../bodies/body_budget.ts";
import { type Limit, MemoryShare } from "../memory_share.ts";

const MiB = 2 ** 20;

/** All answers that are made or not yet sent. With their JSON as text a process grows by about twice as much. */
const allBytes = 160 * MiB;
/** One account: sixteen mails of a million letters, five of a million Chinese characters. */
const oneAccountBytes = 48 * MiB;
/** Requests without an account, which read documents of the service itself: most of the memory stays for accounts. */
const strangerBytes = 32 * MiB;
const oneStrangerBytes = 16 * MiB;
/** How long a request waits for room before its work begins. Clients give up after 30 s. */
const roomMs = 10_000;
const retrySeconds = 5;

/** One account or address whose requests are answered. */
export type Reader = Exclude<Sender, { kind: "inbound" }>;

function limitsOf(reader: Reader): { most: number; limits: Limit[] } {
  const all: Limit = { name: "all", bytes: allBytes };
  if (reader.kind === "account") {
    const one = { name: `account ${reader.userId}`, bytes: oneAccountBytes, within: all };
    return { most: oneAccountBytes, limits: [all, one] };
  }
  const strangers = { name: "strangers", bytes: strangerBytes };
  const one = { name: `stranger ${reader.address}`, bytes: oneStrangerBytes, within: strangers };
  return { most: oneStrangerBytes, limits: [all, strangers, one] };
}

/**
 * Bounds the memory of all answers above 64 KiB, from before their work, if its size is known by then, until the client has
 * read them.
 */
export class AnswerBudget {
  private readonly held = new Map<string, number>();
  private readonly waiting = new Set<() => void>();

  constructor(readonly clock: Pick<Clock, "wakeIn" | "now">) {}

  /** The share of one answer. `isGone`: whether its client has left. */
  open(reader: Reader, isGone: () => boolean = () => false): AnswerShare {
    const { most, limits } = limitsOf(reader);
    const refusal = () =>
      unavailable("Too many large answers wait to be read by their clients.", retrySeconds);
    const released = () => {
      for (const wake of this.waiting) wake();
    };
    const share = new MemoryShare(this.held, limits, refusal, released);
    return new AnswerShare(share, most, this, isGone);
  }

  /** Resolves with true once a share gives something back, with false after `limitMs`. */
  async room(limitMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wake = () => resolve(true);
    this.waiting.add(wake);
    const cancel = this.clock.wakeIn(limitMs, () => resolve(false));
    const found = await promise;
    cancel();
    this.waiting.delete(wake);
    return found;
  }
}

/** What one answer holds. An answer larger than the share of its reader counts as this share: it is sent if it is alone. */
export class AnswerShare {
  private isReserved = false;
  /** The body gives it back once it is sent. */
  isSending = false;

  constructor(
    private readonly share: MemoryShare,
    private readonly most: number,
    private readonly budget: Pick<AnswerBudget, "room" | "clock">,
    private readonly isGone: () => boolean,
  ) {}

  /**
   * Counts bytes before they are read or made, so that many requests do not make answers at once that then find no room.
   * Waits for room. Throws SERVICE_UNAVAILABLE after 10 s without, or if its client has left meanwhile: a thousand answers
   * to closed connections took 7 s of the main thread.
   */
  async reserve(bytes: number): Promise<void> {
    const { budget: { clock } } = this;
    const begunAt = clock.now();
    this.isReserved = true;
    for (let more = Math.min(bytes, this.most);; more = 0) {
      try {
        return this.share.add(more);
      } catch (refusal) {
        const leftMs = roomMs - Math.abs(clock.now() - begunAt);
        if (leftMs <= 0 || !await this.budget.room(leftMs) || this.isGone()) throw refusal;
      }
    }
  }

  /**
   * Counts the bytes of an answer that is made. Throws SERVICE_UNAVAILABLE if they do not fit, unless they were reserved or
   * the answer is of a request that `changed` something: such an answer must arrive.
   */
  made(bytes: number, changed: boolean): void {
    const counted = Math.min(bytes, this.most);
    if (this.isReserved || changed) this.share.settle(counted);
    else this.share.add(counted);
    this.isReserved = true;
  }

  release(): void {
    this.share.release();
  }
}
