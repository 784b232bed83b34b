import assert from "node:assert/strict";
import * as keys from "../../../../domain/store/keys.ts";
import { Dispatcher } from "../../../../workers/dispatch.ts";
import { workers } from "../../../../workers/workers.ts";
import { FakeDns } from "../../../adapters/dns/dns_fake.ts";
import { signedMail, signingKey } from "../../../adapters/sender_checks/signed_mail.ts";
import { eventually } from "../../../eventually.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestOptions,
  testService,
} from "../../../service.ts";

const own = "192.0.2.1";
const key = signingKey();

/** bank.example has SPF, DKIM and DMARC; `hold` makes all of its answers wait until `release`. */
class BankDns extends FakeDns {
  private held: Promise<void> = Promise.resolve();
  release: () => void = () => {};

  constructor() {
    super();
    this.publish("bank.example", { txt: [`v=spf1 ip4:${own} -all`] });
    this.publish("_dmarc.bank.example", { txt: ["v=DMARC1; p=reject"] });
    this.publish("k1._domainkey.bank.example", { txt: [key.record] });
  }

  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    this.release = resolve;
  }

  override async lookUp(...question: Parameters<FakeDns["lookUp"]>) {
    await this.held;
    return await super.lookUp(...question);
  }
}

async function setup(options: TestOptions = {}) {
  const dns = new BankDns();
  const test = await testService({ ...options, parts: { dns, ...options.parts } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const get = async (emailId: string) =>
    await data(test.request(`/v1/api/emails/${emailId}`, { token: owner.key }));
  const list = async (query = "") => {
    const rows = await data(test.request(`/v1/api/emails?${query}`, { token: owner.key }));
    return rows as { email_id: string; auth_verdict: string | null; processed: boolean }[];
  };
  const changes = async (): Promise<string[]> => {
    const rows = await data(test.request("/v1/api/changes", { token: owner.key }));
    return rows.map(({ event }: { event: string }) => event).filter((each: string) =>
      each.startsWith("email")
    );
  };
  const send = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    deliver(test, box.email_address, raw, { "x-envelope-from": "ceo@bank.example", ...headers });
  return { test, dns, owner, box, get, list, changes, send };
}

const bankMail = message({ From: "CEO <ceo@bank.example>" }, "Your code is 482913.\n");
const peer = { "x-remote-ip": own, "x-remote-helo": "mx.bank.example" };

// SPEC: auth.checked
Deno.test("mail is acknowledged before its sender is checked; then every view has the verdict", async () => {
  // One instance with a stopped dispatcher, so that the state before the check can be seen.
  const { test, owner, box, get, list, send } = await setup({ instances: 1 });
  await using _ = test;
  await test.dispatcher.stop();
  const { email_id } = await send(bankMail, peer);
  assert.equal((await get(email_id)).auth, null);
  const dispatcher = new Dispatcher(test.service, workers);
  await dispatcher.start();
  await dispatcher.settled();
  await test.service.database.settled();
  await dispatcher.stop();
  const { auth, auth_verdict } = await get(email_id);
  assert.deepEqual(auth, {
    ...{ verdict: "pass", spf: "pass", dkim: "none", dmarc: "pass" },
    ...{ domain: "bank.example", source: "checked" },
  });
  assert.equal(auth_verdict, "pass");
  assert.deepEqual((await list()).map((row) => row.auth_verdict), ["pass"]);
  assert.equal((await list("auth_verdict=pass")).length, 1);
  assert.equal((await list("auth_verdict=fail")).length, 0);
  for (const [verdict, count] of [["pass", 1], ["fail", 0]] as const) {
    const json = { query: "code", auth_verdict: verdict, mailbox_id: box.mailbox_id };
    const found = await test.request("/v1/api/search", { token: owner.key, json });
    const { results } = await found.json();
    assert.deepEqual(results.map((each: { auth_verdict: string }) => each.auth_verdict), [
      ...Array(count).fill(verdict),
    ]);
  }
});

Deno.test("without X-Remote-IP there is no SPF; a signature suffices, in small and large mail", async () => {
  const { test, get, send } = await setup();
  await using _ = test;
  const signature = { domain: "bank.example", key };
  const small = await signedMail({ from: "ceo@bank.example", signature });
  const large = await signedMail({
    from: "ceo@bank.example",
    text: "A line of a large message.\r\n".repeat(20_000),
    signature,
  });
  const ids = [(await send(small)).email_id, (await send(large)).email_id];
  const forged = (await send(bankMail)).email_id;
  await test.settle();
  for (const id of ids) {
    const { auth } = await get(id);
    assert.deepEqual([auth.verdict, auth.spf, auth.dkim, auth.dmarc], [
      ...["pass", "none", "pass", "pass"],
    ]);
  }
  assert.equal((await get(forged)).auth.verdict, "fail");
});

// SPEC: auth.remote
Deno.test("an X-Remote-IP that is no address, or an X-Remote-Helo that is no name, is 400", async () => {
  const { test, box } = await setup();
  await using _ = test;
  const wrong: Record<string, string>[] = [
    { "x-remote-ip": "192.0.2.256" },
    { "x-remote-ip": "mx.bank.example" },
    { "x-remote-ip": own, "x-remote-helo": "mx bank" },
    { "x-remote-ip": own, "x-remote-helo": "h".repeat(256) },
  ];
  for (const headers of wrong) {
    const { code } = await deliver(test, box.email_address, bankMail, headers) as { code?: string };
    assert.equal(code ?? "BAD_REQUEST", "BAD_REQUEST", JSON.stringify(headers));
    const listed = await Array.fromAsync(test.kv.list({ prefix: ["emails"] }));
    assert.equal(listed.length, 0, JSON.stringify(headers));
  }
  const taken = await deliver(test, box.email_address, bankMail, {
    "x-remote-ip": "2001:db8::1",
    "x-remote-helo": "[IPv6:2001:db8::1]",
  });
  assert.equal(taken.disposition, "accepted");
});

// SPEC: auth.processed
Deno.test("email.processed waits for a slow DNS; the email is searchable meanwhile", async () => {
  const { test, dns, owner, get, list, changes, send } = await setup();
  await using _ = test;
  const url = "https://hooks.example/in";
  const made = await test.request("/v1/api/webhooks", {
    token: owner.key,
    json: { url, events: ["email.processed"] },
  });
  assert.equal(made.status, 201);
  dns.hold();
  const { email_id } = await send(bankMail, peer);
  await eventually("the email is indexed", async () => (await list())[0].processed);
  assert.equal((await get(email_id)).auth, null);
  assert.deepEqual(await changes(), ["email.received"]);
  dns.release();
  await test.settle();
  assert.equal((await get(email_id)).auth.verdict, "pass");
  assert.equal((await changes()).filter((each) => each === "email.processed").length, 1);
  const events = await Array.fromAsync(test.kv.list<{ body: string }>({ prefix: ["events"] }));
  const bodies = events.map(({ value }) => JSON.parse(value.body));
  assert.deepEqual(bodies.map(({ event, data }) => [event, data.auth_verdict]), [
    ["email.processed", "pass"],
  ]);
  assert.equal(await test.service.database.get(keys.emailProcessing(owner.userId, email_id)), null);
});

Deno.test("a check that a kill interrupts runs again, and email.processed is sent once", async () => {
  const { test, dns, get, list, changes, send } = await setup({ instances: 1 });
  await using _ = test;
  dns.hold();
  const { email_id } = await send(bankMail, peer);
  await eventually("the email is indexed", async () => (await list())[0].processed);
  // The process is gone: its dispatcher begins nothing more, and running work ends without effect.
  const killed = test.dispatcher.stop(0);
  const jobs = await Array.fromAsync(test.kv.list<{ kind: string }>({ prefix: ["jobs_due"] }));
  assert.deepEqual(jobs.map(({ value }) => value.kind), ["check_sender"]);
  const next = new Dispatcher(test.service, workers);
  await next.start();
  dns.release();
  await Promise.all([killed, next.settled()]);
  await next.stop();
  await test.settle();
  assert.equal((await get(email_id)).auth.verdict, "pass");
  assert.equal((await changes()).filter((each) => each === "email.processed").length, 1);
});

Deno.test("the verdict comes even while the index fails", async () => {
  const { test, get, list, changes, send } = await setup({ instances: 1 });
  await using _ = test;
  const { searchIndex } = test.service;
  const add = searchIndex.add.bind(searchIndex);
  searchIndex.add = () => Promise.reject(new Error("the index is away"));
  const { email_id } = await send(bankMail, peer);
  await test.settle();
  assert.equal((await get(email_id)).auth.verdict, "pass");
  assert.equal((await list())[0].processed, false);
  assert.deepEqual(await changes(), ["email.received", "email.updated"]);
  searchIndex.add = add;
  await test.advance(2_000);
  assert.equal((await list())[0].processed, true);
  assert.deepEqual(await changes(), ["email.received", "email.updated", "email.processed"]);
});

// SPEC: auth.own
Deno.test("mail between mailboxes of the service passes; a sent email has no verdict", async () => {
  const { test, owner, box, get, list } = await setup();
  await using _ = test;
  const other = await mailbox(test, owner);
  const json = {
    mailbox_id: box.mailbox_id,
    to: [other.email_address],
    subject: "Within",
    body_text: "Hello.",
  };
  const sent = await data(test.request("/v1/api/emails/send", { token: owner.key, json }));
  await test.settle();
  assert.equal((await get(sent.email_id)).auth, null);
  const [got] = await list(`mailbox_id=${other.mailbox_id}`);
  assert.equal(got.auth_verdict, "pass");
  assert.equal((await get(got.email_id)).auth.domain, "agents.test");
});

// SPEC: auth.expectation
Deno.test("a forged mail meets no expectation, and a wait for auth_verdict returns the genuine one", async () => {
  const { test, owner, box, send } = await setup();
  await using _ = test;
  const json = { mailbox_id: box.mailbox_id, from_domain: "bank.example", kind: "code" };
  const made = await data(test.request("/v1/api/expectations", { token: owner.key, json }));
  const path =
    `/v1/api/emails/wait?mailbox_id=${box.mailbox_id}&auth_verdict=pass&timeout_seconds=30`;
  const waiting = data(test.request(path, { token: owner.key }));
  await test.waiting(1);
  await send(bankMail.replace("482913", "666666"), { ...peer, "x-remote-ip": "198.51.100.7" });
  await test.settle();
  const expectation = `/v1/api/expectations/${made.expectation_id}`;
  assert.equal((await data(test.request(expectation, { token: owner.key }))).status, "waiting");
  const { email_id } = await send(bankMail, peer);
  assert.equal((await waiting).email.email_id, email_id);
  await test.settle();
  const met = await data(test.request(expectation, { token: owner.key }));
  assert.deepEqual([met.status, met.code, met.auth.verdict], ["matched", "482913", "pass"]);
});

// SPEC: auth.expectation
Deno.test("an error meets no expectation; it is checked again after 30 s and 2 min, and what is found then meets it", async () => {
  for (
    const [downMs, verdict] of [[29_000, "pass"], [119_000, "pass"], [130_000, "error"]] as const
  ) {
    const { test, dns, owner, box, send, get, changes } = await setup();
    await using _ = test;
    const json = { mailbox_id: box.mailbox_id, from_domain: "bank.example", kind: "code" };
    const made = await data(test.request("/v1/api/expectations", { token: owner.key, json }));
    const read = () =>
      data(test.request(`/v1/api/expectations/${made.expectation_id}`, { token: owner.key }));
    const names = ["bank.example", "_dmarc.bank.example"];
    for (const name of names) dns.unavailable.add(name);
    const { email_id } = await send(bankMail, peer);
    await test.settle();
    assert.equal((await get(email_id)).auth.verdict, "error");
    assert.equal((await read()).status, "waiting");
    await test.advance(downMs);
    assert.equal((await get(email_id)).auth.verdict, "error");
    assert.equal((await read()).status, "waiting");
    dns.unavailable.clear();
    await test.advance(2_000);
    await test.settle();
    assert.equal((await get(email_id)).auth.verdict, verdict, `${downMs} ms`);
    const met = await read();
    assert.deepEqual(
      [met.status, met.code],
      verdict === "pass" ? ["matched", "482913"] : ["waiting", null],
    );
    assert.equal(
      (await changes()).filter((each) => each === "email.updated").length,
      verdict === "pass" ? 1 : 0,
    );
  }
});
