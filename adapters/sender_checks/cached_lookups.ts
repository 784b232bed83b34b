import { LRUCache } from "lru-cache";
import { FairTurns } from "../../domain/core/work/fair_turns.ts";
import type { Dns, Lookup, LookupType } from "../../domain/ports/dns.ts";
import type { Clock } from "../../domain/core/clock.ts";

/** Answers are kept for their TTL, and at most for this time. */
const longestSeconds = { records: 300, none: 60 };
/** Characters of all answers kept: 30,000 usual ones. */
const maxCharacters = 8 * 1024 * 1024;
const answerCharacters = 200;
/** At most this many questions wait for the DNS at the same time; each has a socket. */
const maxOpen = 400;
/**
 * If all places are taken, a question that has waited so long for its answer loses its place to one of another account,
 * or of another domain. Else silent domains would keep all places for 9.5 s.
 */
const givesWayMs = 1_000;

interface Asker {
  /** The account whose mail is checked: accounts take turns, and within each the domains that are asked. */
  userId: string;
  /** Nobody needs the answer any more. */
  signal: AbortSignal;
}

interface OpenQuestion {
  answer: Promise<Lookup>;
  waiting: Set<AbortSignal>;
  cancel: AbortController;
}

/**
 * The answers of the DNS, kept for their TTL. The same question of one account at the same time is asked once. Accounts
 * do not share one: it would wait for the turn of the account that asked first.
 */
export class CachedLookups {
  private readonly known = new LRUCache<string, { answer: Lookup; until: number }>({
    maxSize: maxCharacters,
    sizeCalculation: ({ answer }, key) =>
      answerCharacters + key.length +
      (answer.kind === "records" ? JSON.stringify(answer.records).length : 0),
  });
  private readonly open = new Map<string, OpenQuestion>();
  private readonly places: FairTurns;
  private readonly health: ResolverHealth;

  /** @param probe a name whose DNS no stranger controls. */
  constructor(
    private readonly dns: Dns,
    private readonly clock: Pick<Clock, "elapsed" | "after">,
    probe: string,
  ) {
    this.places = new FairTurns(maxOpen, clock, {
      slotsOfOwner: Infinity,
      givesWay: { afterMs: givesWayMs, clock },
    });
    this.health = new ResolverHealth(dns, clock, probe);
  }

  /** True if the resolver itself does not answer. */
  get isDown(): boolean {
    return this.health.isDown;
  }

  /** The cached answer; null if there is none. */
  knownAnswer(name: string, type: LookupType): Lookup | null {
    const known = this.known.get(keyOf(name, type));
    return known && known.until > this.clock.elapsed() ? known.answer : null;
  }

  /** Never rejects. A question that nobody waits for any more gives its place back. */
  async lookUp(name: string, type: LookupType, { userId, signal }: Asker): Promise<Lookup> {
    const known = this.knownAnswer(name, type);
    if (known) return known;
    if (signal.aborted) return givenUp;
    const key = `${userId} ${keyOf(name, type)}`;
    const question = this.open.get(key) ?? this.ask(key, name, type, userId);
    question.waiting.add(signal);
    const onAbort = () => {
      question.waiting.delete(signal);
      if (question.waiting.size > 0) return;
      this.forget(key, question);
      question.cancel.abort();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return await question.answer.finally(() => signal.removeEventListener("abort", onAbort));
  }

  private ask(key: string, name: string, type: LookupType, userId: string): OpenQuestion {
    const cancel = new AbortController();
    const answer = this.places.run(
      [userId, domainOf(name)],
      (_, signal) =>
        Promise.resolve(this.knownAnswer(name, type) ?? this.askNow(name, type, signal)),
      cancel.signal,
    ).catch(() => givenUp).finally(() => this.forget(key, question));
    const question: OpenQuestion = { answer, waiting: new Set(), cancel };
    this.open.set(key, question);
    return question;
  }

  private async askNow(name: string, type: LookupType, signal: AbortSignal): Promise<Lookup> {
    const { promise, resolve } = Promise.withResolvers<Lookup>();
    const onAbort = () => resolve(givenUp);
    signal.addEventListener("abort", onAbort, { once: true });
    const answer = await Promise.race([this.dns.lookUp(name, type, signal), promise]).finally(() =>
      signal.removeEventListener("abort", onAbort)
    );
    this.health.note(answer);
    if (answer.kind === "unavailable") return answer;
    const seconds = Math.min(answer.ttlSeconds, longestSeconds[answer.kind]);
    if (seconds > 0) {
      const until = this.clock.elapsed() + seconds * 1_000;
      this.known.set(keyOf(name, type), { answer, until });
    }
    return answer;
  }

  private forget(key: string, question: OpenQuestion): void {
    if (this.open.get(key) === question) this.open.delete(key);
  }
}

const givenUp: Lookup = { kind: "unavailable", reason: "it was given up" };

/**
 * The domain whose servers are asked, about: the last three labels, without those before an underscore
 * (`k1._domainkey.bank.example` is bank.example).
 */
function domainOf(name: string): string {
  return name.toLowerCase().replace(/^.*(?:^|\.)_[^.]*\./, "").split(".").slice(-3).join(".");
}

function keyOf(name: string, type: LookupType): string {
  return `${name.toLowerCase()} ${type}`;
}

/** If questions fail and none is answered for this time, the resolver is probed. */
const suspectAfterMs = 5_000;

/**
 * Whether the resolver answers. Questions about the domains of senders do not show it: a stranger's DNS can be silent.
 * So when they fail, the resolver is asked for a name of the operator; any answer, also that it does not exist, shows
 * that it works.
 */
class ResolverHealth {
  private answeredAt: number;
  private probing = false;
  private down = false;

  constructor(
    private readonly dns: Dns,
    private readonly clock: Pick<Clock, "elapsed">,
    private readonly probe: string,
  ) {
    this.answeredAt = clock.elapsed();
  }

  get isDown(): boolean {
    return this.down;
  }

  /** To be called with each answer of the resolver, or its absence. */
  note(answer: Lookup): void {
    if (answer.kind !== "unavailable") {
      this.answeredAt = this.clock.elapsed();
      this.down = false;
      return;
    }
    if (this.probing || this.clock.elapsed() - this.answeredAt <= suspectAfterMs) return;
    this.probing = true;
    this.dns.lookUp(this.probe, "A").then(({ kind }) => {
      this.probing = false;
      this.down = kind === "unavailable";
      if (!this.down) this.answeredAt = this.clock.elapsed();
    }, () => this.probing = false);
  }
}
