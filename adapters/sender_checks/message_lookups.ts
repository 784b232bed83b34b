import type { Clock } from "../../domain/core/clock.ts";
import type { Lookup, LookupRecord, LookupType } from "../../domain/ports/dns.ts";
import type { CachedLookups } from "./cached_lookups.ts";

/**
 * How many questions one message may cause: SPF 10 plus those of its MX hosts, one key for each signature, DMARC 8 plus
 * its alignments.
 */
const maxQuestions = 120;
/** Questions of one message at the same time. */
const maxAtOnce = 4;
/** After this time a question goes on, but does not count among them: a silent DNS must not hold up the others. */
const slowMs = 5_000;
/**
 * This part of the time is for questions that follow from answers or from their absence: whether a domain belongs to the
 * author's. Of 10 s it is half a second.
 */
const lastPart = 1 / 20;
/** A longer text is no record of SPF, DKIM or DMARC: an RSA key of 4,096 bits has 750 characters. */
const maxTextChars = 4_096;
const maxRecords = 100;

/** In the form that mailauth expects: rejects with a code of c-ares. TXT records are arrays of strings. */
export type Resolver = (name: string, type: string) => Promise<unknown[]>;

/** The questions of one message: each is asked once, none after `until` (elapsed ms). What is given up leaves the DNS. */
export class MessageLookups {
  private readonly asked = new Map<string, Promise<unknown[]>>();
  private readonly waiting: (() => void)[] = [];
  private atWork = 0;
  private readonly open = new Set<AbortController>();
  private isClosed = false;
  /** Questions that were asked before this time are given up at it (elapsed ms). */
  private readonly firstUntil: number;

  constructor(
    private readonly lookups: CachedLookups,
    private readonly clock: Pick<Clock, "elapsed" | "after">,
    private readonly message: { userId: string; until: number },
  ) {
    const { until } = message;
    this.firstUntil = until - (until - clock.elapsed()) * lastPart;
  }

  /** The check has ended: nobody needs the answers that are still open. */
  close(): void {
    this.isClosed = true;
    for (const question of this.open) question.abort();
  }

  readonly resolve: Resolver = (name, type) => {
    const key = `${type} ${name}`;
    let answer = this.asked.get(key);
    if (!answer) {
      answer = this.asked.size < maxQuestions
        ? this.ask(name, type)
        : Promise.reject(new NoAnswer("ETIMEOUT", "too many questions of one message"));
      answer.catch(() => {});
      this.asked.set(key, answer);
    }
    // A copy, because the library sorts answers in place and adds fields to errors.
    return answer.then(
      (records) => [...records],
      ({ code, message }) => Promise.reject(new NoAnswer(code, message)),
    );
  };

  /** For keys: a name that cannot exist has no key. */
  readonly resolveKey: Resolver = (name, type) =>
    this.resolve(name, type).catch((error) => {
      throw error.code === "EBADNAME" ? new NoAnswer("ENOTFOUND", error.message) : error;
    });

  private async ask(name: string, type: string): Promise<unknown[]> {
    if (!isName(name)) throw new NoAnswer("EBADNAME", "not a name of the DNS");
    if (!isLookupType(type)) throw new NoAnswer("ENODATA", "not looked up");
    const known = this.lookups.knownAnswer(name, type);
    if (known) return asRecords(known, type);
    if (this.atWork >= maxAtOnce) await new Promise<void>((begin) => this.waiting.push(begin));
    const leave = this.enter();
    const cancel = this.clock.after(slowMs, leave);
    try {
      const answer = await this.inTime((signal) =>
        this.lookups.lookUp(name, type, { userId: this.message.userId, signal })
      );
      return asRecords(answer, type);
    } finally {
      cancel();
      leave();
    }
  }

  /** Counts a question. Returns what lets the next one begin, once. */
  private enter(): () => void {
    this.atWork++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.atWork--;
      this.waiting.shift()?.();
    };
  }

  private async inTime<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const now = this.clock.elapsed();
    const left = (now < this.firstUntil ? this.firstUntil : this.message.until) - now;
    if (left <= 0 || this.isClosed) throw new NoAnswer("ETIMEOUT", "no time is left");
    const { promise, reject } = Promise.withResolvers<never>();
    const question = new AbortController();
    const cancel = this.clock.after(left, () => {
      reject(new NoAnswer("ETIMEOUT", "no answer in time"));
      question.abort();
    });
    this.open.add(question);
    return await Promise.race([work(question.signal), promise]).finally(() => {
      cancel();
      this.open.delete(question);
    });
  }
}

/** Throws if there are none. */
function asRecords(answer: Lookup, type: LookupType): unknown[] {
  if (answer.kind === "unavailable") throw new NoAnswer("ESERVFAIL", answer.reason);
  if (answer.kind === "none") throw new NoAnswer(answer.exists ? "ENODATA" : "ENOTFOUND", "none");
  return answer.records.slice(0, maxRecords).flatMap((record) => asRecord(record, type));
}

function asRecord(record: LookupRecord, type: LookupType): unknown[] {
  if (typeof record !== "string") {
    return [{ priority: record.preference, exchange: record.exchange }];
  }
  if (type !== "TXT") return [record];
  return record.length <= maxTextChars ? [[record]] : [];
}

/** A question without an answer. Not an Error: if the DNS is down, their stacks took a third of a check's time. */
class NoAnswer {
  constructor(readonly code: string, readonly message: string) {}
}

function isLookupType(type: string): type is LookupType {
  return ["A", "AAAA", "CNAME", "MX", "PTR", "TXT"].includes(type);
}

/** RFC 1035 section 2.3.4: labels of 1 to 63 octets, 253 together. */
function isName(name: string): boolean {
  if (name.length > 253 || !/^[\x21-\x7e]+$/.test(name)) return false;
  return name.replace(/\.$/, "").split(".").every((label) =>
    label.length > 0 && label.length <= 63
  );
}
