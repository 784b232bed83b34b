import assert from "node:assert/strict";
import { mailauthChecks } from "../../../adapters/sender_checks/mailauth.ts";
import type { Clock } from "../../../domain/core/clock.ts";
import type { Lookup, LookupType } from "../../../domain/ports/dns.ts";
import type { SenderFacts } from "../../../domain/ports/sender_checks.ts";
import { FakeDns } from "../dns/dns_fake.ts";
import { signedMail, signingKey } from "./signed_mail.ts";
import { nightly } from "../../nightly.ts";

const key = signingKey();
const own = "192.0.2.1";

/** A time that goes on only in `end`, from timer to timer. */
class TimerClock implements Clock {
  private at = 0;
  private readonly timers = new Map<symbol, { at: number; run: () => void }>();
  readonly now = () => this.at;
  readonly elapsed = () => this.at;
  readonly wakeAt = (at: number, run: () => void) => this.after(at - this.at, run);

  readonly wakeIn = (delayMs: number, run: () => void) => this.after(delayMs, run);

  after(delayMs: number, run: () => void): () => void {
    const id = Symbol();
    this.timers.set(id, { at: this.at + delayMs, run });
    return () => void this.timers.delete(id);
  }

  /** The result, and the time at which it was there. */
  async end<Value>(work: Promise<Value>): Promise<{ value: Value; ms: number }> {
    let isOver = false;
    const over = work.finally(() => isOver = true);
    over.catch(() => {});
    while (!isOver) {
      // Work that waits for no timer ends first.
      for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done));
      if (isOver) break;
      this.at = Math.min(...this.timers.values().map(({ at }) => at));
      for (const [id, { at, run }] of [...this.timers]) {
        if (at === this.at && this.timers.delete(id)) run();
      }
    }
    return { value: await over, ms: this.at };
  }
}

/** Answers questions about some names late; null: no answer within 9.5 s. */
class SlowDns extends FakeDns {
  /** Open questions that will never be answered. */
  silent = 0;

  constructor(
    private readonly clock: Clock,
    private readonly delays: readonly [names: RegExp, ms: number | null][],
  ) {
    super();
    for (const domain of ["bank.example", "mail.bank.example"]) {
      this.publish(domain, { txt: [`v=spf1 ip4:${own} -all`] });
      this.publish(`k1._domainkey.${domain}`, { txt: [key.record] });
    }
    this.publish("_dmarc.bank.example", { txt: ["v=DMARC1; p=reject"] });
  }

  override async lookUp(name: string, type: LookupType, signal?: AbortSignal): Promise<Lookup> {
    const delay = this.delays.find(([names]) => names.test(name));
    if (delay?.[1] === null) {
      this.silent++;
      return await new Promise((done) => {
        const end = () => {
          cancel();
          this.silent--;
          done({ kind: "unavailable", reason: "no answer" });
        };
        // As the service's own resolver does.
        const cancel = this.clock.after(9_500, end);
        signal?.addEventListener("abort", end);
      });
    }
    if (delay) await new Promise<void>((done) => this.clock.after(delay[1]!, done));
    return await super.lookUp(name, type);
  }
}

async function check(
  delays: readonly [names: RegExp, ms: number | null][],
  { domain, reversePath = "x@bank.example", strangers = 0 }: {
    domain?: string;
    reversePath?: string;
    /** So many signatures of other domains stand before the author's. */
    strangers?: number;
  } = {},
) {
  const clock = new TimerClock();
  const checks = mailauthChecks({ dns: new SlowDns(clock, delays), clock, mta: "mx.agents.test" });
  await checks.prepare();
  const signature = domain === undefined ? undefined : { domain, key };
  const mail = await signedMail({ from: "ceo@bank.example", signature });
  const others = Array.from(
    { length: strangers },
    (_, n) => signatureLike(mail, `evil${n}.example`),
  );
  const { value, ms } = await clock.end(checks.check({
    userId: "user",
    ...{ facts: { peer: { ip: own, helo: "mx.example" } }, reversePath },
    ...{ from: "ceo@bank.example", until: 10_000 },
    async *raw() {
      yield new TextEncoder().encode(others.join(""));
      yield mail;
    },
  }));
  return { ...value, ms };
}

/** A signature of another domain over the same body: its key is asked for. */
function signatureLike(mail: Uint8Array, domain: string): string {
  const bodyHash = /bh=([^;]+);/.exec(new TextDecoder().decode(mail))![1].replace(/\s/g, "");
  return `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=k1;\r\n` +
    ` h=from; bh=${bodyHash}; b=${btoa("x".repeat(256))}\r\n`;
}

// SPEC: auth.verdicts
Deno.test("an answer of the DNS counts until 9.5 s after the arrival; a DNS that never answers is error then", async () => {
  for (const ms of [6_000, 9_000]) {
    const late = await check([[/./, ms]]);
    assert.deepEqual([late.verdict, late.spf, late.dmarc], ["pass", "pass", "pass"], `${ms}`);
    assert.ok(late.ms < 10_000);
  }
  const silent = await check([[/./, null]]);
  assert.deepEqual([silent.verdict, silent.ms], ["error", 9_500]);
});

Deno.test("a stranger's DNS that never answers hides no pass of the author's domain", async () => {
  // Whether mail.bank.example belongs to bank.example is asked only after its signature was verified.
  const strangers = { domain: "mail.bank.example", reversePath: "x@evil.example" };
  const silent = await check([[/evil/, null]], strangers);
  assert.deepEqual([silent.verdict, silent.spf, silent.dkim], ["pass", "temperror", "pass"]);
  const many = await check([[/evil/, null]], { ...strangers, strangers: 6 });
  assert.deepEqual([many.verdict, many.spf, many.dkim], ["pass", "temperror", "pass"]);
  assert.ok(many.ms < 10_000);
});

/** One service, whose checks share the DNS. */
async function service(delays: readonly [names: RegExp, ms: number | null][]) {
  const clock = new TimerClock();
  const dns = new SlowDns(clock, delays);
  const checks = mailauthChecks({ dns, clock, mta: "mx.agents.test" });
  await checks.prepare();
  /** `signers`: domains whose signatures, which nobody made, stand in the message. */
  const check = async (
    userId: string,
    { ip = own, from = "ceo@bank.example", signers = [], until = 10_000 }: {
      ip?: string;
      from?: string;
      signers?: string[];
      until?: number;
    },
  ) => {
    const mail = await signedMail({ from });
    const signed = await signedMail({ from, signature: { domain: "bank.example", key } });
    const raw = signers.map((domain) => signatureLike(signed, domain)).join("");
    return await checks.check({
      ...{ userId, facts: { peer: { ip, helo: "mx.example" } }, until },
      ...{ reversePath: from, from },
      async *raw() {
        yield new TextEncoder().encode(raw);
        yield mail;
      },
    });
  };
  return { clock, dns, check };
}

nightly(
  "a flood of mails with eight signatures of silent domains delays no check of another account, nor of other mail of the same",
  async () => {
    const { clock, dns, check } = await service([[/silent/, null]]);
    const flood = Array.from({ length: 120 }, (_, mail) =>
      check("attacked", {
        from: `x@silent${mail}.example`,
        signers: Array.from({ length: 8 }, (_, n) => `s${n}.silent${mail}.example`),
      }));
    // All places are taken by now.
    await new Promise((done) => setTimeout(done, 500));
    const forged = { ip: "203.0.113.7" };
    for (const userId of ["other", "attacked"]) {
      const before = clock.now();
      const { value, ms } = await clock.end(check(userId, forged));
      assert.deepEqual([value.verdict, value.spf, value.dmarc], ["fail", "fail", "fail"], userId);
      assert.ok(ms - before < 5_000, `${userId}: ${ms - before} ms`);
    }
    const { ms } = await clock.end(Promise.all(flood));
    assert.ok(ms <= 10_000, `${ms} ms`);
    assert.equal(dns.silent, 0, "questions of mail that gave up stay open");
  },
);

Deno.test("a stranger's silent DNS does not count as a DNS that is down: a late check still gets its second", async () => {
  const { clock, check } = await service([[/silent/, null]]);
  await clock.end(check("attacked", { from: "x@silent.example" }));
  const { value } = await clock.end(check("other", { ip: "203.0.113.7", until: 0 }));
  assert.equal(value.verdict, "fail");
});

Deno.test("while the resolver itself is silent, late checks end at once", async () => {
  const { clock, check } = await service([[/./, null]]);
  await clock.end(check("user", {}));
  // It is probed until then.
  await clock.end(new Promise<void>((done) => clock.after(10_000, done)));
  const before = clock.now();
  const { value, ms } = await clock.end(check("user", { until: 0 }));
  assert.deepEqual([value.verdict, ms - before], ["error", 0]);
});

Deno.test("while a check waits for the DNS it holds no bytes of the message, whose reading may be a turn of its account", async () => {
  const clock = new TimerClock();
  const dns = new SlowDns(clock, [[/silent/, null]]);
  const checks = mailauthChecks({ dns, clock, mta: "mx.agents.test" });
  const endless = `X-Long: ${"x".repeat(900)}\r\n`.repeat(100);
  const signed = new TextDecoder().decode(
    await signedMail({ from: "x@silent.example", signature: { domain: "bank.example", key } }),
  );
  for (
    const [raw, facts] of [
      [`${endless}${signed}`, {}],
      [`${signed}${"x".repeat(300_000)}`, {}],
      [signed, { provider: { dkim: [] } }],
    ] as [string, SenderFacts][]
  ) {
    const begunAt = clock.now();
    let endedAt: number | null = null;
    const question = {
      ...{ userId: "u", reversePath: "x@silent.example", from: "x@silent.example" },
      ...{ facts: { peer: { ip: own, helo: "mx.example" }, ...facts }, until: begunAt + 10_000 },
      async *raw() {
        try {
          yield new TextEncoder().encode(raw);
          yield new TextEncoder().encode("\r\n");
        } finally {
          endedAt = clock.now();
        }
      },
    };
    const { ms } = await clock.end(checks.check(question));
    assert.ok(ms - begunAt > 9_000, `it took ${ms - begunAt} ms`);
    assert.equal(endedAt, begunAt);
  }
});
