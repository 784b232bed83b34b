import { freePort, openAccount, type ServiceProcess, startProcess } from "../../service_process.ts";
import {
  type Delivered,
  deliverRaw,
  deliverSmtp,
  isFound,
  read,
  sha256,
  type Target,
  untilAllProcessed,
  untilProcessed,
  withLineEnd,
} from "./delivery.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";
import { hostileKinds, hostileSizes } from "./kinds.ts";
import { type HostileKind, hostileMessage } from "./message.ts";
import type { Watched } from "./watch.ts";
import type { Lag } from "./lag_meter.ts";
import { seeded } from "../seeded.ts";

export interface HostileOptions {
  seed: number;
  /** How long messages are posted one by one; stops and starts follow. */
  seconds: number;
}

/** The costliest message of a kind. */
export interface KindResult {
  kind: string;
  messages: number;
  /** The longest freeze of the main thread while one was accepted, processed and read, ms. */
  freezeMs: number;
  /** Size of that message, bytes. */
  size: number;
  /** The longest time from its post until it was indexed, ms. */
  processedMs: number;
  /** The `problem` of one of them. */
  problem: string | null;
}

export interface HostileReport {
  kinds: KindResult[];
  messages: number;
  /** Messages that were not posted for lack of time. */
  notReached: number;
  watched: Watched;
  stopMs: number[];
  startMs: number[];
  violations: string[];
}

/** The service's limits while hostile mail comes in. */
export const promises = {
  freezeMs: 250,
  healthMs: 1_000,
  smallMailMs: 2_000,
  stopMs: 6_000,
  startMs: 5_000,
};

/**
 * Posts every kind of hostile mail in every size to the real service, one by one in the order of the seed, and reads
 * each through every route. Then stops and kills the service while it processes the worst ones. At the same time
 * another account requests health and receives small mail.
 */
export async function hostile({ seed, seconds }: HostileOptions): Promise<HostileReport> {
  await using attack = await Attack.open(seed);
  const until = performance.now() + seconds * 1_000;
  const all = hostileKinds.flatMap((kind) => hostileSizes.map((size) => ({ kind, size })));
  // Small ones mostly come first, so that a short run has most kinds, and some of every size.
  const random = seeded(seed);
  const order = all.map((each) => ({ ...each, at: random() * Math.sqrt(each.size) }))
    .sort((a, b) => a.at - b.at);
  let reached = 0;
  for (const { kind, size } of order) {
    if (performance.now() > until) break;
    await attack.tryOne(kind, size, reached++);
  }
  await attack.stopAtWork();
  await attack.killAtWork();
  return await attack.report(all.length - reached);
}

/** The most messages of the two bursts. */
const interrupted = 20;

/** One run: the service, its accounts, and the findings. */
class Attack {
  private readonly results = new Map<string, KindResult>();
  private readonly delivered: Delivered[] = [];
  private readonly violations: string[] = [];
  private readonly stopMs: number[] = [];
  private readonly startMs: number[] = [];
  private readonly random: () => number;

  private constructor(
    private readonly seed: number,
    private readonly dir: string,
    private readonly ports: { http: number; smtp: number; lag: number },
    private service: ServiceProcess,
    private readonly target: Target,
    private readonly watcher: Worker,
  ) {
    this.random = seeded(seed + 1);
  }

  static async open(seed: number): Promise<Attack> {
    const dir = await Deno.makeTempDir();
    const ports = { http: freePort(), smtp: freePort(), lag: freePort() };
    const service = startService(dir, ports);
    if (!await service.up) throw new Error("the service did not come up");
    const account = await openAccount(service.base, "hostile", 1);
    const quiet = await openAccount(service.base, "quiet", 1);
    const watcher = new Worker(new URL("./watch.ts", import.meta.url), { type: "module" });
    watcher.postMessage({
      base: service.base,
      key: quiet.key,
      address: quiet.mailboxes[0].email_address,
    });
    const target = {
      base: service.base,
      smtpPort: ports.smtp,
      key: account.key,
      address: account.mailboxes[0].email_address,
    };
    return new Attack(seed, dir, ports, service, target, watcher);
  }

  /** Posts one message and reads it; too long a freeze counts only if it happens again. */
  async tryOne(kind: HostileKind, size: number, n: number): Promise<void> {
    const first = await this.measure(kind, size, `m${this.seed}x${n}`, n);
    const again = first.freezeMs >= promises.freezeMs
      ? await this.measure(kind, size, `m${this.seed}x${n}again`, n)
      : first;
    const known = this.results.get(kind.name) ??
      { kind: kind.name, messages: 0, freezeMs: 0, size, processedMs: 0, problem: null };
    const freezeMs = Math.min(first.freezeMs, again.freezeMs);
    if (freezeMs > known.freezeMs) Object.assign(known, { freezeMs, size });
    known.processedMs = Math.max(known.processedMs, first.processedMs);
    known.problem ??= first.problem;
    known.messages++;
    this.results.set(kind.name, known);
    if (freezeMs >= promises.freezeMs) {
      this.violations.push(`${kind.name}, ${kib(size)}: froze for ${Math.round(freezeMs)} ms`);
    }
  }

  private async measure(kind: HostileKind, size: number, mark: string, n: number) {
    const name = `${kind.name}, ${kib(size)}`;
    const { bytes, marked } = hostileMessage(kind, size, mark, this.random);
    await this.lag();
    const from = performance.now();
    try {
      const email = await this.deliver(kind, bytes, n, name);
      await untilProcessed(this.target, email.emailId);
      const processedMs = performance.now() - from;
      const { wrong, problem } = await read(this.target, email);
      for (const each of wrong) this.note(name, each);
      // Small mail is parsed on the main thread, without the planted worker.
      const isUnparsed = kind.hangs === true && bytes.length > largeMessageBytes;
      if (isUnparsed !== (problem !== null)) this.note(name, `its problem is ${problem}`);
      if (marked && !await isFound(this.target, mark, email.emailId)) {
        this.note(name, "is not found by its mark");
      }
      return { freezeMs: (await this.lag()).freezeMs, processedMs, problem };
    } catch (error) {
      this.note(name, error instanceof Error ? error.message : String(error));
      await this.unfreeze();
      const ms = performance.now() - from;
      return { freezeMs: ms, processedMs: ms, problem: null };
    }
  }

  /** Every eighth comes over SMTP. */
  private async deliver(
    kind: HostileKind,
    message: Uint8Array<ArrayBuffer>,
    n: number,
    name: string,
  ): Promise<Delivered> {
    const bySmtp = n % 8 === 0;
    const bytes = bySmtp ? withLineEnd(message) : message;
    const sender = kind.reversePath ?? "mallory@hostile.example";
    const emailId = await (bySmtp ? deliverSmtp : deliverRaw)(this.target, bytes, sender);
    const email = { name, emailId, sha256: sha256(bytes) };
    this.delivered.push(email);
    return email;
  }

  /** SIGTERM while the worst messages are processed, then a start with the rest. */
  async stopAtWork(): Promise<void> {
    await this.burst("stop");
    const from = performance.now();
    await this.service.stop();
    this.stopMs.push(performance.now() - from);
    const { code, signal } = await this.service.exited;
    if (code !== 0) this.note("SIGTERM at work", `ended with ${signal ?? code}`);
    await this.start();
  }

  /** kill -9 while they are processed, and twice more after they began again. */
  async killAtWork(): Promise<void> {
    await this.burst("kill");
    for (let n = 0; n < 3; n++) {
      await this.service.kill();
      await this.start();
      await new Promise((next) => setTimeout(next, 300));
    }
  }

  /** Posts at once the messages that froze the service longest, and those that took longest. */
  private async burst(mark: string): Promise<void> {
    const by = (of: (each: KindResult) => number) =>
      [...this.results.values()].sort((a, b) => of(b) - of(a)).slice(0, 5);
    const worst = new Set([...by((each) => each.freezeMs), ...by((each) => each.processedMs)]);
    await Promise.all([...worst].map(async ({ kind: name, size }, n) => {
      const kind = hostileKinds.find((each) => each.name === name)!;
      const { bytes } = hostileMessage(kind, Math.max(size, 512 * 1024), mark + n, this.random);
      await this.deliver(kind, bytes, 1, `${name}, at the ${mark}`).catch((error) => {
        this.note(`${name}, at the ${mark}`, String(error));
      });
    }));
  }

  private async start(): Promise<void> {
    const from = performance.now();
    this.service = startService(this.dir, this.ports);
    const up = await Promise.race([
      this.service.up,
      new Promise<false>((give) => Deno.unrefTimer(setTimeout(() => give(false), 30_000))),
    ]);
    this.startMs.push(performance.now() - from);
    if (!up) this.note("a start", "did not answer within 30 s");
  }

  /** Kills a service that no longer answers; its backlog continues in the background. */
  private async unfreeze(): Promise<void> {
    const answers = await fetch(`${this.service.base}/v1/api/health`, {
      signal: AbortSignal.timeout(2_000),
    }).then((answer) => answer.body?.cancel().then(() => true) ?? true, () => false);
    if (answers) return;
    await this.service.kill();
    await this.start();
  }

  /** Checks that messages interrupted by the stop and the kills are processed in the end, byte for byte. */
  async report(notReached: number): Promise<HostileReport> {
    const last = this.delivered.slice(-interrupted);
    const wait = untilAllProcessed(this.target, last.map(({ emailId }) => emailId));
    await wait.catch((error) => this.note("after the kills", String(error)));
    for (const email of last) {
      try {
        for (const each of (await read(this.target, email)).wrong) this.note(email.name, each);
      } catch (error) {
        this.note(email.name, String(error));
      }
    }
    const watched = await new Promise<Watched>((resolve) => {
      this.watcher.onmessage = ({ data }: MessageEvent<Watched>) => resolve(data);
      this.watcher.postMessage(null);
    });
    const late = (name: string, times: number[], most: number) => {
      const worst = Math.max(0, ...times);
      if (worst > most) this.violations.push(`${name} took ${Math.round(worst)} ms`);
    };
    late("health", watched.health, promises.healthMs);
    late("small mail of another account, read,", watched.readable, promises.smallMailMs);
    late("small mail of another account, indexed,", watched.processed, promises.smallMailMs);
    late("SIGTERM at work", this.stopMs, promises.stopMs);
    late("a start after it", this.startMs, promises.startMs);
    return {
      kinds: [...this.results.values()].sort((a, b) => b.freezeMs - a.freezeMs),
      messages: this.delivered.length,
      notReached,
      watched,
      stopMs: this.stopMs,
      startMs: this.startMs,
      violations: [...this.violations, ...new Set(watched.wrong)],
    };
  }

  private async lag(): Promise<Lag> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.lag}`, {
      signal: AbortSignal.timeout(20_000),
    });
    return await answer.json();
  }

  private note(name: string, wrong: string): void {
    this.violations.push(`${name}: ${wrong}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.watcher.terminate();
    await this.service.kill();
    await Deno.remove(this.dir, { recursive: true });
  }
}

function startService(
  dir: string,
  ports: { http: number; smtp: number; lag: number },
): ServiceProcess {
  const env = {
    SMTP_LISTEN_PORT: String(ports.smtp),
    LAG_METER_PORT: String(ports.lag),
    PLANTED_HANG: "1",
  };
  const preload = new URL("./preload.ts", import.meta.url);
  return startProcess({ dir, port: ports.http, env, preload });
}

function kib(size: number): string {
  return `${size / 1024} KiB`;
}
