import { LRUCache } from "lru-cache";
import type { Clock } from "../../domain/core/clock.ts";
import type { Dns, Lookup, LookupType } from "../../domain/ports/dns.ts";

/** Answers are kept for their TTL, and at most for this time. */
const longestSeconds = { records: 300, none: 60 };
/** Characters of all answers kept: 30,000 usual ones. */
const maxCharacters = 8 * 1024 * 1024;
const answerCharacters = 200;
/** At most this many questions wait for the DNS at the same time; each has a socket. */
const maxOpen = 400;
/** If questions fail and none is answered for this time, the DNS counts as down. */
const downAfterMs = 5_000;

/** The answers of the DNS, kept for their TTL. The same question at the same time is asked once. */
export class CachedLookups {
  private readonly known = new LRUCache<string, { answer: Lookup; until: number }>({
    maxSize: maxCharacters,
    sizeCalculation: ({ answer }, key) =>
      answerCharacters + key.length +
      (answer.kind === "records" ? JSON.stringify(answer.records).length : 0),
  });
  private readonly open = new Map<string, Promise<Lookup>>();
  private readonly waiting: (() => void)[] = [];
  private atWork = 0;
  private answeredAt: number;
  private failedSince = false;

  constructor(private readonly dns: Dns, private readonly clock: Pick<Clock, "elapsed">) {
    this.answeredAt = clock.elapsed();
  }

  /** True if questions have failed for five seconds, and none was answered. */
  get isDown(): boolean {
    return this.failedSince && this.clock.elapsed() - this.answeredAt > downAfterMs;
  }

  /** The cached answer; null if there is none. */
  knownAnswer(name: string, type: LookupType): Lookup | null {
    const known = this.known.get(keyOf(name, type));
    return known && known.until > this.clock.elapsed() ? known.answer : null;
  }

  async lookUp(name: string, type: LookupType): Promise<Lookup> {
    const key = keyOf(name, type);
    const known = this.knownAnswer(name, type);
    if (known) return known;
    const open = this.open.get(key);
    if (open) return await open;
    const asked = this.ask(key, name, type).finally(() => this.open.delete(key));
    this.open.set(key, asked);
    return await asked;
  }

  private async ask(key: string, name: string, type: LookupType): Promise<Lookup> {
    if (this.atWork >= maxOpen) await new Promise<void>((begin) => this.waiting.push(begin));
    this.atWork++;
    try {
      const answer = await this.dns.lookUp(name, type);
      if (answer.kind === "unavailable") {
        this.failedSince = true;
        return answer;
      }
      this.failedSince = false;
      this.answeredAt = this.clock.elapsed();
      const seconds = Math.min(answer.ttlSeconds, longestSeconds[answer.kind]);
      if (seconds > 0) {
        this.known.set(key, { answer, until: this.clock.elapsed() + seconds * 1_000 });
      }
      return answer;
    } finally {
      this.atWork--;
      this.waiting.shift()?.();
    }
  }
}

function keyOf(name: string, type: LookupType): string {
  return `${name.toLowerCase()} ${type}`;
}
