import { LRUCache } from "lru-cache";
import { unavailable } from "../core/errors.ts";

/** A client that knows its password sends one login; an office behind one address sends a few at once. */
const maxWaitingOfAddress = 32;
/** At 75 ms each the last of them waits 20 s, and it is of an address that sent many. */
const maxWaiting = 256;

/** How long it counts against an address that it asked. */
const rememberedMs = 60_000;

interface Waiting {
  run(): void;
  refuse(error: Error): void;
}

/**
 * Work on passwords, one piece after another, for one thread does it. The client address that asked least in the last
 * minute comes first, and of equals the one that was served longest ago: so a login from a quiet address waits for one
 * piece of work or two, however many addresses guess as often as they may. If too much waits, the newest of the address
 * that has most waiting is refused.
 */
export class Turns {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly known = new LRUCache<string, { asked: number; servedAt: number }>({
    max: 10_000,
    ttl: rememberedMs,
    noUpdateTTL: true,
  });
  private served = 0;
  private count = 0;
  private isBusy = false;

  /** Runs `work` when it is the turn of `from`. Throws SERVICE_UNAVAILABLE if too much waits. */
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
