import assert from "node:assert/strict";
import { mailauthChecks } from "../../../adapters/sender_checks/mailauth.ts";
import type { Clock } from "../../../domain/core/clock.ts";
import type { Lookup, LookupType } from "../../../domain/ports/dns.ts";
import { FakeDns } from "../dns/dns_fake.ts";
import { signedMail, signingKey } from "./signed_mail.ts";

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
      const [id, next] = [...this.timers].reduce((a, b) => b[1].at < a[1].at ? b : a);
      this.timers.delete(id);
      this.at = next.at;
      next.run();
    }
    return { value: await over, ms: this.at };
  }
}

/** Answers questions about some names late; null: never. */
class SlowDns extends FakeDns {
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

  override async lookUp(name: string, type: LookupType): Promise<Lookup> {
    const delay = this.delays.find(([names]) => names.test(name));
    if (delay?.[1] === null) return await new Promise(() => {});
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
