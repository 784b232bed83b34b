import assert from "node:assert/strict";
import { createHash, createSign } from "node:crypto";
import { mailauthChecks } from "../../../adapters/sender_checks/mailauth.ts";
import { systemClock } from "../../../domain/core/clock.ts";
import type { SenderFacts } from "../../../domain/ports/sender_checks.ts";
import { patience } from "../../nightly.ts";
import { FakeDns } from "../dns/dns_fake.ts";
import { signedMail, signingKey } from "./signed_mail.ts";

const key = signingKey();
const strangersKey = signingKey();
const encoder = new TextEncoder();

const own = "192.0.2.1";
const foreign = "198.51.100.7";

/** bank.example and its subdomains are the author's; evil.example is a stranger's; list.example forwards. */
function zone(): FakeDns {
  const dns = new FakeDns();
  for (const domain of ["bank.example", "mail.bank.example", "strict.example", "plain.example"]) {
    dns.publish(domain, { txt: [`v=spf1 ip4:${own} -all`] });
    dns.publish(`k1._domainkey.${domain}`, { txt: [key.record] });
  }
  dns.publish("_dmarc.bank.example", { txt: ["v=DMARC1; p=reject; sp=none"] });
  dns.publish("_dmarc.strict.example", { txt: ["v=DMARC1; p=none; adkim=s; aspf=s"] });
  dns.publish("sub.strict.example", { txt: [`v=spf1 ip4:${own} -all`] });
  dns.publish("k1._domainkey.sub.strict.example", { txt: [key.record] });
  for (const domain of ["evil.example", "list.example"]) {
    dns.publish(domain, { txt: [`v=spf1 ip4:${foreign} -all`] });
    dns.publish(`k1._domainkey.${domain}`, { txt: [strangersKey.record] });
  }
  dns.publish("revoked._domainkey.bank.example", { txt: ["v=DKIM1; p="] });
  return dns;
}

interface Case {
  from: string;
  /** The domain that signs; with `@k` its selector. */
  signedBy?: string;
  /** The reverse path, and the peer that sends it. */
  sender?: string;
  peer?: string;
  /** Changes the message after it was signed. */
  change?: (mail: string) => string;
  dns?: (zone: FakeDns) => void;
}

async function check({ from, signedBy, sender = "", peer, change, dns }: Case) {
  const records = zone();
  dns?.(records);
  const [domain, selector] = (signedBy ?? "").split("@");
  const signer = ["evil.example", "list.example"].includes(domain) ? strangersKey : key;
  const signature = signedBy === undefined ? undefined : { domain, selector, key: signer };
  const mail = await signedMail({ from, signature });
  const raw = change ? encoder.encode(change(new TextDecoder().decode(mail))) : mail;
  return await checkRaw(records, raw, {
    reversePath: sender,
    from: addressIn(from),
    facts: peer ? { peer: { ip: peer, helo: "mx.example" } } : {},
  });
}

const addressIn = (from: string) => from.replace(/^.*<(.*)>$/, "$1").split(",")[0].trim();

async function checkRaw(
  dns: FakeDns,
  raw: Uint8Array,
  { reversePath = "", from, facts = {} }: {
    reversePath?: string;
    from: string;
    facts?: SenderFacts;
  },
) {
  const checks = mailauthChecks({ dns, clock: systemClock, mta: "mx.agents.test" });
  return await checks.check({
    userId: "user",
    ...{ facts, reversePath, from, until: Date.now() + 10_000 },
    async *raw() {
      for (let at = 0; at < raw.length; at += 1_000) yield raw.slice(at, at + 1_000);
    },
  });
}

const ceo = "The CEO <ceo@bank.example>";
const footer = (mail: string) => `${mail}-- \r\nSent by the list\r\n`;
const drop = (record: string) => (dns: FakeDns) => void dns.txtRecords.delete(record);
const down = (...names: string[]) => (dns: FakeDns) =>
  names.forEach((each) => dns.unavailable.add(each));
const twice = (mail: string) => `From: x@evil.example\r\n${mail}`;
const arc = (mail: string) =>
  "ARC-Seal: i=1; a=rsa-sha256; cv=none; d=list.example; s=k1; t=1; b=AAAA\r\n" +
  "ARC-Message-Signature: i=1; a=rsa-sha256; c=relaxed/relaxed; d=list.example; s=k1; h=from; bh=AAAA; b=AAAA\r\n" +
  `ARC-Authentication-Results: i=1; list.example; dmarc=pass header.from=bank.example\r\n${
    footer(mail)
  }`;

/** The mail, and its `verdict spf dkim dmarc`. */
const matrix: [string, Case, string][] = [
  ["SPF and DKIM of the author", {
    from: ceo,
    signedBy: "bank.example",
    sender: "b@bank.example",
    peer: own,
  }, "pass pass pass pass"],
  ["SPF alone", { from: ceo, sender: "b@bank.example", peer: own }, "pass pass none pass"],
  ["DKIM alone, no peer known", { from: ceo, signedBy: "bank.example" }, "pass none pass pass"],
  ["DKIM of the author, SPF of a forwarder", {
    from: ceo,
    signedBy: "bank.example",
    sender: "x@list.example",
    peer: foreign,
  }, "pass pass pass pass"],
  [
    "DKIM of a subdomain is aligned",
    { from: ceo, signedBy: "mail.bank.example" },
    "pass none pass pass",
  ],
  [
    "SPF of a subdomain is aligned",
    { from: ceo, sender: "b@mail.bank.example", peer: own },
    "pass pass none pass",
  ],
  ["strict: DKIM of a subdomain is not aligned", {
    from: "a@strict.example",
    signedBy: "sub.strict.example",
  }, "fail none pass fail"],
  ["strict: SPF of a subdomain is not aligned", {
    from: "a@strict.example",
    sender: "a@sub.strict.example",
    peer: own,
  }, "fail pass none fail"],
  [
    "strict: the author itself",
    { from: "a@strict.example", signedBy: "strict.example" },
    "pass none pass pass",
  ],
  ["neither", { from: ceo }, "fail none none fail"],
  ["a stranger's SPF and DKIM", {
    from: ceo,
    signedBy: "evil.example",
    sender: "x@evil.example",
    peer: foreign,
  }, "fail pass pass fail"],
  [
    "a subdomain has the policy of its organisation",
    { from: "x@shop.bank.example" },
    "fail none none fail",
  ],
  ["DKIM of the organisation for a subdomain", {
    from: "x@shop.bank.example",
    signedBy: "bank.example",
  }, "pass none pass pass"],
  ["the null sender: HELO has no SPF", { from: ceo, sender: "", peer: own }, "fail none none fail"],
  [
    "a changed body",
    { from: ceo, signedBy: "bank.example", change: footer },
    "fail none fail fail",
  ],
  ["a changed subject", {
    from: ceo,
    signedBy: "bank.example",
    change: (mail) => mail.replace("Subject: Hello", "Subject: Pay"),
  }, "fail none fail fail"],
  ["forwarded by a list with ARC", {
    from: ceo,
    signedBy: "bank.example",
    sender: "x@list.example",
    peer: foreign,
    change: arc,
  }, "fail pass fail fail"],
  ["a revoked key", { from: ceo, signedBy: "bank.example@revoked" }, "fail none neutral fail"],
  [
    "a key that is not there",
    { from: ceo, signedBy: "bank.example@gone" },
    "fail none neutral fail",
  ],
  ["a signature that has expired", {
    from: ceo,
    signedBy: "bank.example",
    change: (mail) => mail.replace("a=rsa-sha256;", "a=rsa-sha256; t=1; x=2;"),
  }, "fail none fail fail"],
  [
    "no record: aligned DKIM",
    { from: "a@plain.example", signedBy: "plain.example" },
    "pass none pass none",
  ],
  [
    "no record: aligned SPF",
    { from: "a@plain.example", sender: "a@plain.example", peer: own },
    "pass pass none none",
  ],
  ["no record: aligned SPF fail", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: foreign,
  }, "fail fail none none"],
  ["no record: aligned SPF fail, DKIM pass", {
    from: "a@plain.example",
    signedBy: "plain.example",
    sender: "a@plain.example",
    peer: foreign,
  }, "pass fail pass none"],
  ["no record: a stranger's SPF and DKIM", {
    from: "a@plain.example",
    signedBy: "evil.example",
    sender: "x@evil.example",
    peer: foreign,
  }, "none pass pass none"],
  ["no record: a stranger's SPF fail", {
    from: "a@plain.example",
    sender: "x@evil.example",
    peer: own,
  }, "none fail none none"],
  ["no record: a broken signature counts as none", {
    from: "a@plain.example",
    signedBy: "plain.example",
    change: footer,
  }, "none none fail none"],
  ["no record, nothing", { from: "a@plain.example" }, "none none none none"],
  [
    "two From fields",
    { from: ceo, signedBy: "bank.example", change: twice },
    "fail none pass fail",
  ],
  ["two authors of one domain", {
    from: "a@bank.example, b@bank.example",
    signedBy: "bank.example",
  }, "pass none pass pass"],
  [
    "two author domains",
    { from: "a@bank.example, b@evil.example", signedBy: "bank.example" },
    "fail none pass fail",
  ],
  ["DNS down", {
    from: ceo,
    signedBy: "bank.example",
    sender: "b@bank.example",
    peer: own,
    dns: down("bank.example", "_dmarc.bank.example", "k1._domainkey.bank.example"),
  }, "error temperror temperror temperror"],
  ["the key's DNS down", {
    from: ceo,
    signedBy: "bank.example",
    dns: down("k1._domainkey.bank.example"),
  }, "error none temperror temperror"],
  ["the author's SPF down, no record", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: own,
    dns: down("plain.example"),
  }, "error temperror none none"],
  ["a stranger's DNS down changes nothing", {
    from: ceo,
    signedBy: "evil.example",
    sender: "x@evil.example",
    peer: own,
    dns: down("evil.example", "k1._domainkey.evil.example"),
  }, "fail temperror temperror fail"],
  ["two DMARC records are none", {
    from: ceo,
    dns: (dns) =>
      dns.publish("_dmarc.bank.example", { txt: ["v=DMARC1; p=reject", "v=DMARC1; p=none"] }),
  }, "none none none none"],
  ["no policy at all", { from: ceo, dns: drop("_dmarc.bank.example") }, "none none none none"],
  ["softfail is no fail", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: foreign,
    dns: (dns) => dns.publish("plain.example", { txt: ["v=spf1 ~all"] }),
  }, "none softfail none none"],
  ["eleven look-ups", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: own,
    dns: includes(11),
  }, "none permerror none none"],
  ["ten look-ups", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: own,
    dns: includes(10),
  }, "pass pass none none"],
  ["three void look-ups", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: own,
    dns: (dns) =>
      dns.publish("plain.example", { txt: ["v=spf1 a:v1.example a:v2.example a:v3.example +all"] }),
  }, "none permerror none none"],
  ["a, mx and ptr", {
    from: "a@plain.example",
    sender: "a@plain.example",
    peer: own,
    dns: (dns) => {
      dns.publish("plain.example", { txt: ["v=spf1 mx -all"], mx: ["mx1.plain.example"] });
      dns.publish("mx1.plain.example", { a: [own] });
    },
  }, "pass pass none none"],
];

/** A record that needs `count` look-ups before it says pass. */
function includes(count: number): (dns: FakeDns) => void {
  return (dns) => {
    const all = Array.from({ length: count - 1 }, (_, n) => `include:i${n}.example`).join(" ");
    dns.publish("plain.example", { txt: [`v=spf1 ${all} a:own.example -all`] });
    for (let n = 0; n < count; n++) dns.publish(`i${n}.example`, { txt: ["v=spf1 ?all"] });
    dns.publish("own.example", { a: [own] });
  };
}

// SPEC: auth.verdicts
Deno.test("the verdict over SPF, DKIM and DMARC", async (t) => {
  for (const [name, given, expected] of matrix) {
    await t.step(name, async () => {
      const auth = await check(given);
      assert.equal([auth.verdict, auth.spf, auth.dkim, auth.dmarc].join(" "), expected);
      const authors = new Set(given.from.match(/@[a-z.]+/g)!.map((each) => each.slice(1)));
      const isOne = authors.size === 1 && given.change !== twice;
      assert.equal(auth.domain, isOne ? [...authors][0] : null);
      assert.equal(auth.source, "checked");
    });
  }
});

Deno.test("a message without From is none; one whose author another program would show is fail", async () => {
  const dns = zone();
  const raw = encoder.encode("To: x@y.example\r\n\r\nHello.\r\n");
  assert.deepEqual(await checkRaw(dns, raw, { from: "" }), {
    ...{ verdict: "none", spf: "none", dkim: "none", dmarc: "none" },
    ...{ domain: null, source: "checked" },
  });
  const mail = await signedMail({
    from: "x@evil.example",
    signature: { domain: "evil.example", key: strangersKey },
  });
  assert.equal((await checkRaw(dns, mail, { from: "x@evil.example" })).verdict, "pass");
  assert.equal((await checkRaw(dns, mail, { from: "ceo@bank.example" })).verdict, "fail");
});

Deno.test("an author whose domain UTS 46 reads as another one is fail, whatever its own DNS says", async () => {
  const dns = zone();
  for (
    const domain of ["ｂank.example", "ba\u00adnk.example", "ba\u200bnk.example", "bank。example"]
  ) {
    const raw = encoder.encode(`From: ceo@${domain}\r\n\r\nHello.\r\n`);
    const { verdict, domain: found } = await checkRaw(dns, raw, { from: `ceo@${domain}` });
    assert.deepEqual([verdict, found], ["fail", null], domain);
  }
  const raw = encoder.encode("From: ceo@BÜCHER.example\r\n\r\nHello.\r\n");
  const { verdict, domain } = await checkRaw(dns, raw, { from: "ceo@BÜCHER.example" });
  assert.deepEqual([verdict, domain], ["none", "xn--bcher-kva.example"]);
});

Deno.test("a provider's domain that is no name aligns with nothing", async () => {
  const domain = "bank.example:1.evil.example";
  const raw = encoder.encode("From: ceo@bank.example\r\n\r\nHello.\r\n");
  const facts = { provider: { spf: "pass", dkim: [{ domain, result: "pass" }] } };
  const options = { reversePath: `x@${domain}`, from: "ceo@bank.example", facts };
  assert.equal((await checkRaw(zone(), raw, options)).verdict, "fail");
});

Deno.test("Authentication-Results in a message is not believed", async () => {
  const claim =
    "Authentication-Results: mx.agents.test; dmarc=pass header.from=bank.example; spf=pass; dkim=pass";
  const raw = encoder.encode(`${claim}\r\nFrom: ${ceo}\r\n\r\nPay me.\r\n`);
  const auth = await checkRaw(zone(), raw, { from: "ceo@bank.example" });
  assert.equal(auth.verdict, "fail");
});

/** Signs by hand, with `l=`: nodemailer has no such option. */
function signedInPart(body: string, signedBytes: number): string {
  const from = `From: ${ceo}\r\n`;
  const hash = createHash("sha256").update(body.slice(0, signedBytes)).digest("base64");
  const tags =
    `v=1; a=rsa-sha256; c=simple/simple; d=bank.example; s=k1; h=from; l=${signedBytes}; bh=${hash}; b=`;
  const signature = createSign("RSA-SHA256").update(`${from}DKIM-Signature: ${tags}`)
    .sign(key.privateKey, "base64");
  return `DKIM-Signature: ${tags}${signature}\r\n${from}\r\n${body}`;
}

Deno.test("a signature that does not cover the end of the body is policy, and proves nothing", async () => {
  const whole = await checkRaw(zone(), encoder.encode(signedInPart("Hello.\r\n", 8)), {
    from: "ceo@bank.example",
  });
  assert.deepEqual([whole.verdict, whole.dkim], ["pass", "pass"]);
  const part = await checkRaw(zone(), encoder.encode(signedInPart("Hello.\r\nPay me.\r\n", 8)), {
    from: "ceo@bank.example",
  });
  assert.deepEqual([part.verdict, part.dkim], ["fail", "policy"]);
});

Deno.test("a DNS that never answers gives error in time; a stranger's DNS cannot hide a fail", async () => {
  const silent = (names: RegExp) => {
    const dns = zone();
    const answer = dns.lookUp.bind(dns);
    dns.lookUp = (name, type) => names.test(name) ? new Promise(() => {}) : answer(name, type);
    return dns;
  };
  const mail = await signedMail({
    from: ceo,
    signature: { domain: "evil.example", key: strangersKey },
  });
  const facts = { peer: { ip: own, helo: "mx.example" } };
  const timed = async (dns: FakeDns) => {
    const checks = mailauthChecks({ dns, clock: systemClock, mta: "mx.agents.test" });
    const begunAt = performance.now();
    const auth = await checks.check({
      userId: "user",
      ...{ facts, reversePath: "x@evil.example", from: "ceo@bank.example" },
      until: Date.now() + 1_000,
      async *raw() {
        yield mail;
      },
    });
    assert.ok(performance.now() - begunAt < 8_000 * patience);
    return auth;
  };
  assert.equal((await timed(silent(/./))).verdict, "error");
  const stranger = await timed(silent(/evil/));
  assert.deepEqual([stranger.verdict, stranger.spf, stranger.dkim], [
    ...["fail", "temperror", "temperror"],
  ]);
});

Deno.test("signatures beyond eight, and those of a header of 2,001 lines, are not verified", async () => {
  const mail = new TextDecoder().decode(
    await signedMail({ from: ceo, signature: { domain: "bank.example", key } }),
  );
  const of = async (before: string) =>
    await checkRaw(zone(), encoder.encode(before + mail), { from: "ceo@bank.example" });
  const other = "DKIM-Signature: v=1; a=rsa-sha256; d=a.example; s=x; h=from; bh=AA==; b=AA==\r\n";
  assert.equal((await of(other.repeat(7))).dkim, "pass");
  assert.equal((await of(other.repeat(8))).dkim, "fail");
  const long = await of("X: y\r\n".repeat(2_001));
  assert.deepEqual([long.verdict, long.dkim, long.domain], ["fail", "policy", "bank.example"]);
  const two = await of(`${"X: y\r\n".repeat(2_001)}From: x@evil.example\r\n`);
  assert.deepEqual([two.verdict, two.domain], ["fail", null]);
});

Deno.test("a body line above 256 KiB, which would cost the square of its length, is policy", async () => {
  const signature =
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=bank.example; s=k1; h=from; bh=AA==; b=AA==";
  const of = (line: number) =>
    checkRaw(
      zone(),
      encoder.encode(
        `${signature}\r\nFrom: ${ceo}\r\n\r\n${"a\r\n".repeat(50)}${"b".repeat(line)}\r\nc`,
      ),
      { from: "ceo@bank.example" },
    );
  assert.equal((await of(250_000)).dkim, "fail");
  assert.equal((await of(270_000)).dkim, "policy");
});

Deno.test("line ends of LF alone are read as CRLF, in whatever pieces they come", async () => {
  const mail = new TextDecoder().decode(
    await signedMail({ from: ceo, signature: { domain: "bank.example", key } }),
  );
  const raw = encoder.encode(mail.replaceAll("\r\n", "\n"));
  for (const pieceBytes of [1, 7, 1_000]) {
    const checks = mailauthChecks({ dns: zone(), clock: systemClock, mta: "mx.agents.test" });
    const auth = await checks.check({
      userId: "user",
      ...{ facts: {}, reversePath: "", from: "ceo@bank.example", until: Date.now() + 10_000 },
      async *raw() {
        for (let at = 0; at < raw.length; at += pieceBytes) yield raw.slice(at, at + pieceBytes);
      },
    });
    assert.equal(auth.verdict, "pass");
  }
});

Deno.test("the results of a provider are used, with the source `provider`", async () => {
  const dns = zone();
  const raw = encoder.encode(`From: ${ceo}\r\n\r\nHello.\r\n`);
  const of = (provider: SenderFacts["provider"], reversePath = "x@bank.example") =>
    checkRaw(dns, raw, { from: "ceo@bank.example", reversePath, facts: { provider } });
  const words = async (...given: Parameters<typeof of>) => {
    const { verdict, spf, dkim, dmarc, source } = await of(...given);
    return [verdict, spf, dkim, dmarc, source].join(" ");
  };
  assert.equal(await words({ spf: "pass" }), "pass pass none pass provider");
  assert.equal(await words({ spf: "pass" }, "x@evil.example"), "fail pass none fail provider");
  assert.equal(
    await words({ spf: "fail", dkim: [{ domain: "mail.bank.example", result: "pass" }] }),
    "pass fail pass pass provider",
  );
  assert.equal(
    await words({ spf: "pass", dkim: [{ domain: null, result: "pass" }], dmarc: "fail" }),
    "fail pass pass fail provider",
  );
  assert.equal(await words({}), "fail none none fail checked");
});
