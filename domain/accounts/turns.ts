import { LRUCache } from "lru-cache";
import { unavailable } from "../core/errors.ts";

/** A client sends one login; an office behind one address sends a few at once. */
const maxWaitingOfAddress = 32;
/** At 75 ms each the last one waits 20 s; it belongs to an address that sent many. */
const maxWaiting = 256;

/** How long a request counts against its address. */
const countedMs = 60_000;

interface Waiting {
  run(): void;
  refuse(error: Error): void;
}

/**
 * Runs work on passwords one piece at a time, because one thread does it. The client address with the fewest requests
 * in the last minute is next; of equals, the one served longest ago. So a login from a quiet address waits for one or
 * two pieces, however many addresses guess. If more than 256 wait, the newest of the address with the most is refused.
 *
 * `FairTurns` would not do: it refuses nothing, and it counts the time worked for an owner, which is 0 for each address
 * of a flood of new ones. Here requests count when they arrive, and the queue is bounded.
 */
export class Turns {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly known = new LRUCache<string, { asked: number; servedAt: number }>({
    max: 10_000,
    ttl: countedMs,
    noUpdateTTL: true,
  });
  private served = 0;
  private count = 0;
  private isBusy = false;

  /** Runs `work` at the turn of `from`. Throws SERVICE_UNAVAILABLE if too many wait. */
  async take<T>(from: string, work: () => Promise<T>): Promise<T> {
    await this.turnOf(from);
    try {
      return await work();
    } finally {
      this.isBusy = false;
      this.next();
    }
  }

  private async turnOf(from: string): Promise<void> {
    await new Promise<void>((run, refuse) => {
      const own = this.waiting.get(from) ?? [];
      if (own.length >= maxWaitingOfAddress) throw tooMany();
      own.push({ run, refuse });
      const { asked, servedAt } = this.knownOf(from);
      this.known.set(from, { asked: asked + 1, servedAt });
      this.waiting.set(from, own);
      this.count++;
      if (this.count > maxWaiting) this.refuseOne();
      this.next();
    });
  }

  private next(): void {
    if (this.isBusy || this.count === 0) return;
    const [[from, own]] = [...this.waiting].sort(([a], [b]) => {
      const [one, other] = [this.knownOf(a), this.knownOf(b)];
      return one.asked - other.asked || one.servedAt - other.servedAt;
    });
    this.known.set(from, { ...this.knownOf(from), servedAt: ++this.served });
    this.isBusy = true;
    this.remove(from, own, own.shift())?.run();
  }

  private refuseOne(): void {
    const [from, own] = [...this.waiting].reduce((most, each) =>
      each[1].length >= most[1].length ? each : most
    );
    this.remove(from, own, own.pop())?.refuse(tooMany());
  }

  private remove(from: string, own: Waiting[], one: Waiting | undefined): Waiting | undefined {
    if (own.length === 0) this.waiting.delete(from);
    this.count--;
    return one;
  }

  private knownOf(from: string): { asked: number; servedAt: number } {
    return this.known.get(from) ?? { asked: 0, servedAt: 0 };
  }
}

function tooMany(): Error {
  return unavailable("Too many logins at once; try again.", 5);
}
