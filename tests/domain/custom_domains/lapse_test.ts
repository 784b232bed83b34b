import assert from "node:assert/strict";
import { failure, familiesOf } from "../mailboxes/families.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { addDomain, flagsOf, listDomains, verifyDomain } from "./domains.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** A proved domain with one mailbox that has one email. */
async function start() {
  const dns = new FakeDns();
  const test = await testService({ parts: { dns } });
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  const proof = { txt: [domain.verification_token], mx: ["mx.agents.test"] };
  dns.publish("own.example", proof);
  assert.equal((await verifyDomain(test, owner, domain)).status, 200);
  const box = await mailbox(test, owner, "agent-one", "own.example");
  assert.equal((await deliver(test, box.email_address, message())).disposition, "accepted");
  await test.settle();
  return {
    ...{ dns, test, owner, domain, proof, box },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

// SPEC: domain.lapse
Deno.test("a domain without its TXT record lapses at the daily check: no mail in or out, but nothing is deleted", async () => {
  await using world = await start();
  const { dns, test, owner, box } = world;
  dns.publish("own.example", { txt: [], mx: [] });
  await test.advance(dayMs - 1);
  assert.deepEqual(await flagsOf(test, owner), [true, true]);
  await test.advance(1);
  assert.deepEqual(await flagsOf(test, owner), [false, false]);
  assert.equal((await listDomains(test, owner)).data[0].mailbox_count, 1);
  assert.equal((await deliver(test, box.email_address, message())).code, "UNKNOWN_RECIPIENT");
  const [{ call }] = familiesOf(test, owner);
  const send = { mailbox_id: box.mailbox_id, to: "a@b.example", subject: "x", body_text: "x" };
  assert.deepEqual(failure(await call("POST", "/emails/send", send)), {
    status: 422,
    code: "DOMAIN_NOT_ALLOWED",
    details: { domain: "own.example", plan: "enterprise" },
  });
  const emails = (await call("GET", "/emails")).body as { data: unknown[] };
  assert.equal(emails.data.length, 1);
  const arrivals = await test.service.database.collect<{ code: string; mailboxId: string }>({
    prefix: ["arrivals", owner.userId],
  });
  const refused = arrivals.map((row) => row.value).filter((row) => row.code);
  assert.deepEqual(refused.map((row) => [row.code, row.mailboxId]), [
    ["UNKNOWN_RECIPIENT", box.mailbox_id],
  ]);
  assert.ok(test.log.some((line) => line.event === "domain.lapsed"));
});

Deno.test("a lapsed domain is verified again once its record is back, and is checked daily", async () => {
  await using world = await start();
  const { dns, test, owner, box, proof } = world;
  for (let round = 0; round < 3; round++) {
    dns.publish("own.example", { txt: [], mx: proof.mx });
    await test.advance(dayMs);
    assert.deepEqual(await flagsOf(test, owner), [false, true]);
    dns.publish("own.example", proof);
    await test.advance(dayMs);
    assert.deepEqual(await flagsOf(test, owner), [true, true]);
    const raw = message({ Subject: `Round ${round}` });
    assert.equal((await deliver(test, box.email_address, raw)).disposition, "accepted");
  }
});

Deno.test("a domain without its MX record stays proved and shows mx_configured: false", async () => {
  await using world = await start();
  const { dns, test, owner, box, proof } = world;
  dns.publish("own.example", { txt: proof.txt, mx: ["mx.other.example"] });
  await test.advance(dayMs);
  assert.deepEqual(await flagsOf(test, owner), [true, false]);
  assert.equal(
    (await deliver(test, box.email_address, message({ Subject: "2" }))).disposition,
    "accepted",
  );
});

Deno.test("a domain does not lapse if the DNS does not answer, and is checked again within the hour", async () => {
  await using world = await start();
  const { dns, test, owner } = world;
  dns.publish("own.example", { txt: [], mx: [] });
  dns.unavailable.add("own.example");
  await test.advance(dayMs);
  assert.deepEqual(await flagsOf(test, owner), [true, true]);
  await test.advance(hourMs);
  assert.deepEqual(await flagsOf(test, owner), [true, true]);
  dns.unavailable.clear();
  await test.advance(hourMs);
  assert.deepEqual(await flagsOf(test, owner), [false, false]);
});

Deno.test("a removed domain is not checked any more", async () => {
  await using world = await start();
  const { test, owner, domain, box } = world;
  const [, , , { call }] = familiesOf(test, owner);
  await call("DELETE", `/mailboxes/${box.mailbox_id}`, {
    confirm_email_address: box.email_address,
  });
  assert.equal((await call("DELETE", `/domains/${domain.domain_id}`)).status, 200);
  await test.advance(2 * dayMs);
  const jobs = await test.service.database.collect<{ kind: string }>({ prefix: ["jobs_due"] });
  assert.deepEqual(
    jobs.map((row) => row.value.kind).filter((kind) => kind === "reverify_domain"),
    [],
  );
});

Deno.test("mail for a domain that moved belongs to the new account: refusals are in its ledger, not in the old one's", async () => {
  await using world = await start();
  const { dns, test, owner, box } = world;
  const heir = await account(test);
  const theirs = await addDomain(test, heir, "own.example");
  dns.publish("own.example", { txt: [theirs.verification_token], mx: ["mx.agents.test"] });
  assert.equal((await verifyDomain(test, heir, theirs)).status, 200);
  assert.equal((await deliver(test, box.email_address, message())).code, "UNKNOWN_RECIPIENT");
  assert.equal((await deliver(test, "nobody@own.example", message())).code, "UNKNOWN_RECIPIENT");
  const refusalsOf = async (userId: string) =>
    (await test.service.database.collect<{ code: string; recipient: string }>({
      prefix: ["arrivals", userId],
    })).map((row) => row.value).filter((row) => row.code).map((row) => row.recipient);
  assert.deepEqual(await refusalsOf(owner.userId), []);
  assert.deepEqual(await refusalsOf(heir.userId), ["agent-one@own.example", "nobody@own.example"]);
  const emails = (await familiesOf(test, heir)[0].call("GET", "/emails")).body as {
    data: unknown[];
  };
  assert.deepEqual(emails.data, [], "none of the former owner's mail");
});
