import assert from "node:assert/strict";
import { addDomain, verifyDomain } from "../custom_domains/domains.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { familiesOf, sessionOf } from "./families.ts";
import { disagreements } from "./store_scan.ts";

/** `agent-one` in 2^8 spellings of its letters. */
function spelling(n: number): string {
  let letter = 0;
  return "agent-one".replace(/[a-z]/g, (each) => (n >> letter++ & 1) ? each.toUpperCase() : each);
}

// SPEC: mailboxes.rule.unique
Deno.test("50 parallel creations of one address in case variants, a rename and a migration: one owner", async () => {
  const dns = new FakeDns();
  await using test = await testService({ parts: { dns }, env: { ADDRESS_HOLD_DAYS: "0" } });
  const one = await account(test), other = await account(test);
  const domain = await addDomain(test, one, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token] });
  await verifyDomain(test, one, domain);
  const shared = test.service.settings.SHARED_DOMAINS;
  const seen = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const target = `agents.test`;
    const renamed = await mailbox(test, other, `renamed-${round}`);
    await mailbox(test, one, "agent-one", "own.example");
    const contenders: (() => Promise<{ status: number; body: unknown }>)[] = Array.from(
      { length: 50 },
      (_, n) => () =>
        familiesOf(test, n % 2 === 0 ? one : other)[n % 4].call("POST", "/mailboxes", {
          local_part: spelling(n),
          domain: n % 3 === 0 ? target.toUpperCase() : target,
        }),
    );
    const rename = () =>
      sessionOf(test, other).call("PATCH", `/mailboxes/${renamed.mailbox_id}`, {
        email_address: "Agent-One@agents.test",
        domain: target,
      });
    const migrate = () =>
      sessionOf(test, one).call("POST", `/domains/${domain.domain_id}/migrate-mailboxes`, {
        target_domain: target,
        dry_run: false,
      });
    // In each round another one starts first: creations, the rename, the migration.
    const order = [[...contenders, rename, migrate], [rename, ...contenders, migrate], [
      migrate,
      ...contenders,
      rename,
    ]][round % 3];
    const results = await Promise.all(order.map(async (each, place) => {
      // A rename and a migration read more before their commit, so they get a few turns more when they start first.
      for (let turn = 0; order[0] !== contenders[0] && place > 0 && turn < 10; turn++) {
        await test.kv.get(["turn"]);
      }
      return await each();
    }));
    const renameResult = results[order.indexOf(rename)];
    const migrateResult = results[order.indexOf(migrate)];
    const created = results.filter((each) => each.status === 201);
    const refused = results.filter((each) => each.status === 409);
    const { migrations: [move] } = (migrateResult.body as {
      data: { migrations: { renamed: boolean; to_email: string }[] };
    }).data;
    const winners = [
      ...created.map(() => "creation"),
      ...renameResult.status === 200 ? ["rename"] : [],
      ...move.renamed ? [] : ["migration"],
    ];
    assert.equal(winners.length, 1, JSON.stringify(winners));
    seen.add(winners[0]);
    assert.equal(created.length + refused.length + (renameResult.status === 200 ? 1 : 0), 51);
    assert.deepEqual(await disagreements(test.kv, shared), []);
    const taken = await deliver(
      test,
      `${spelling(round)}@agents.test`,
      message({ Subject: `${round}` }),
    );
    assert.equal(taken.disposition, "accepted");
    await cleanUp();
  }
  // The scheduler decides who wins; a race that only one can win would prove nothing.
  assert.ok(seen.size >= 2, [...seen].join());

  /** Both accounts release everything, and nothing is held: the next round begins in the same state. */
  async function cleanUp(): Promise<void> {
    for (const owner of [one, other]) {
      const [{ call }] = familiesOf(test, owner);
      const { mailboxes } = (await call("GET", "/mailboxes")).body as {
        mailboxes: { mailbox_id: string; email_address: string }[];
      };
      for (const { mailbox_id, email_address } of mailboxes) {
        await call("DELETE", `/mailboxes/${mailbox_id}`, { confirm_email_address: email_address });
      }
    }
    await test.settle();
  }
});

// SPEC: mailboxes.rule.quota
Deno.test("50 parallel creations over the last place of a quota make one mailbox", async () => {
  await using test = await testService();
  const owner = await account(test, "free");
  for (let n = 0; n < 4; n++) await mailbox(test, owner, `agent-${n}`);
  const [{ call }] = familiesOf(test, owner);
  const results = await Promise.all(
    Array.from(
      { length: 50 },
      (_, n) => call("POST", "/mailboxes", { local_part: `racer-${n}`, domain: "agents.test" }),
    ),
  );
  assert.equal(results.filter((each) => each.status === 201).length, 1);
  assert.equal(results.filter((each) => each.status === 403).length, 49);
  assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
});

Deno.test("two processes on one store: 50 parallel creations of one address make one mailbox", async () => {
  await using test = await testService({ exclusive: false });
  await using second = await testService({
    kv: test.kv,
    exclusive: false,
    parts: { clock: test.clock },
  });
  const one = await account(test), other = await account(test);
  const results = await Promise.all(
    Array.from(
      { length: 50 },
      (_, n) =>
        familiesOf(n % 2 === 0 ? test : second, n % 4 < 2 ? one : other)[0].call(
          "POST",
          "/mailboxes",
          {
            local_part: spelling(n),
            domain: "agents.test",
          },
        ),
    ),
  );
  assert.equal(results.filter((each) => each.status === 201).length, 1);
  assert.equal(results.filter((each) => each.status === 409).length, 49);
  assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
});

Deno.test("the deletion of a domain during creations on it: no mailbox is on a deleted domain", async () => {
  const dns = new FakeDns();
  await using test = await testService({ parts: { dns } });
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token] });
  await verifyDomain(test, owner, domain);
  const { call } = sessionOf(test, owner);
  const create = (n: number) =>
    call("POST", "/mailboxes", { local_part: `agent-${n}`, domain: "own.example" });
  const remove = () => call("DELETE", `/domains/${domain.domain_id}`);
  const [first, removal, second] = await Promise.all([create(1), remove(), create(2)]);
  const created = [first, second].filter((each) => each.status === 201).length;
  assert.equal(removal.status, created > 0 ? 409 : 200);
  assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
});
