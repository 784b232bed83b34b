import { getServers } from "node:dns";
import { parseResolverAddress, type ResolverAddress } from "../../domain/ports/resolver_address.ts";
import type {
  Dns,
  DnsAnswer,
  Lookup,
  LookupRecord,
  LookupType,
  MxRecord,
} from "../../domain/ports/dns.ts";
import type { Answer } from "dns-packet";
import { ask, type Asked, type Question } from "./wire.ts";

/** A verification may take 10 s (docs/specification.md "Domains"); 0.5 s is left for the answer. */
const defaultDeadlineMs = 9_500;
/** After this time without an answer the next server is asked as well; if there is only one, it is asked again. */
const defaultRetryMs = 2_000;

export interface SystemDnsOptions {
  /** `ip`, `ip:port` or `[ip6]:port`; the resolvers of the system if unset. */
  server?: string;
  deadlineMs?: number;
  retryMs?: number;
}

/**
 * A stub resolver (RFC 1034 section 5.3.1). `Deno.resolveDns` and `node:dns` of Deno 2.9.6 report
 * SERVFAIL and REFUSED as a name that does not exist (seen on loopback). With them, a resolver's short
 * failure would look like a domain whose records are gone, and its mailboxes would stop.
 *
 * @throws RangeError if `server` is not an address
 */
export function systemDns(options: SystemDnsOptions = {}): Dns {
  const { deadlineMs = defaultDeadlineMs, retryMs = defaultRetryMs } = options;
  const servers = options.server === undefined
    ? [...new Set(getServers())].map(parseResolverAddress).filter((each) => each !== null)
    : configured(options.server);
  const resolve = (question: Question, signal?: AbortSignal) =>
    resolveOverAll(question, { servers, deadlineMs, retryMs, signal });
  return {
    async txt(name) {
      const answer = await resolve({ name, type: "TXT" });
      if (answer.kind === "none") return { kind: "none" };
      if (answer.kind !== "answers") return answer;
      return present(valuesOf(answer.answers, "TXT") as string[]);
    },
    async mx(name) {
      const answer = await resolve({ name, type: "MX" });
      if (answer.kind === "none") return { kind: "none" };
      if (answer.kind !== "answers") return answer;
      const records = valuesOf(answer.answers, "MX") as MxRecord[];
      return present(records.sort((one, other) => one.preference - other.preference));
    },
    async lookUp(name, type, signal): Promise<Lookup> {
      const answer = await resolve({ name, type }, signal);
      if (answer.kind === "unavailable") return answer;
      if (answer.kind === "none") return { ...answer, exists: false };
      const { answers, emptyTtlSeconds } = answer;
      const records = valuesOf(answers, type);
      if (records.length === 0) return { kind: "none", exists: true, ttlSeconds: emptyTtlSeconds };
      const ttls = answers.map((each) => "ttl" in each ? each.ttl ?? 0 : 0);
      return { kind: "records", records, ttlSeconds: Math.min(...ttls) };
    },
  };
}

/** The values of the records of one type, in the order of the answer. */
function valuesOf(answers: readonly Answer[], type: LookupType): LookupRecord[] {
  return answers.flatMap((record): LookupRecord[] => {
    if (record.type !== type) return [];
    if (record.type === "MX") {
      const { preference = 0, exchange } = record.data;
      return [{ preference, exchange: exchange.toLowerCase().replace(/\.$/, "") }];
    }
    if (record.type === "TXT") {
      const strings = Array.isArray(record.data) ? record.data : [record.data];
      return [strings.map((each) => typeof each === "string" ? each : decodeText(each)).join("")];
    }
    return typeof record.data === "string" ? [record.data] : [];
  });
}

/**
 * Asks the servers in turn, each `retryMs` after the one before, and returns the first fact. Earlier questions stay
 * open, because a slow answer is still an answer. A server that answers "unavailable" is not asked again; if all do,
 * that is the result. `signal` gives the question up.
 */
function resolveOverAll(
  question: Question,
  { servers, deadlineMs, retryMs, signal }: {
    servers: ResolverAddress[];
    deadlineMs: number;
    retryMs: number;
    signal?: AbortSignal;
  },
): Promise<Asked> {
  const willing = [...servers];
  if (willing.length === 0) {
    return Promise.resolve({ kind: "unavailable", reason: "no resolver is configured" });
  }
  const { promise, resolve } = Promise.withResolvers<Asked>();
  const settled = new AbortController();
  let turn = 0;

  function askNext(): void {
    clearTimeout(retry);
    if (settled.signal.aborted) return;
    const server = willing[turn++ % willing.length];
    retry = setTimeout(askNext, retryMs);
    ask(question, server, settled.signal).then((answer) => {
      if (answer.kind !== "unavailable") return settle(answer);
      const place = willing.indexOf(server);
      if (place >= 0) willing.splice(place, 1);
      if (willing.length === 0) settle(answer);
      else if (place >= 0) askNext();
    });
  }
  function settle(answer: Asked): void {
    clearTimeout(retry);
    clearTimeout(deadline);
    signal?.removeEventListener("abort", onAbort);
    settled.abort();
    resolve(answer);
  }

  function onAbort(): void {
    settle({ kind: "unavailable", reason: "the question was given up" });
  }

  let retry: ReturnType<typeof setTimeout> | undefined;
  const deadline = setTimeout(
    () => settle({ kind: "unavailable", reason: `no answer within ${deadlineMs} ms` }),
    deadlineMs,
  );
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  askNext();
  return promise;
}

function configured(server: string): ResolverAddress[] {
  const address = parseResolverAddress(server);
  if (address === null) throw new RangeError(`not the address of a resolver: ${server}`);
  return [address];
}

function present<Answer>(records: Answer[]): DnsAnswer<Answer> {
  return records.length === 0 ? { kind: "none" } : { kind: "records", records };
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
