import assert from "node:assert/strict";
import {
  addDomain,
  type DomainBody,
  listDomains,
  verifyDomain,
} from "../custom_domains/domains.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import type { TestAccount, TestService } from "../../service.ts";
import { failure, familiesOf, sessionOf } from "./families.ts";
import { mortalKv } from "./mortal_kv.ts";
import { disagreements } from "./store_scan.ts";

interface Migration {
  dry_run: boolean;
  migrated_count: number;
  renamed_count: number;
  migrations: { mailbox_id: string; renamed: boolean; from_email: string; to_email: string }[];
}

async function start(options: Parameters<typeof testService>[0] = {}) {
  const dns = new FakeDns();
  const test = await testService({ ...options, parts: { ...options.parts, dns } });
  const owner = await account(test);
  const domain = await proved(test, dns, owner, "own.example");
  return {
    ...{ test, dns, owner, domain },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

async function proved(test: TestService, dns: FakeDns, owner: TestAccount, name: string) {
  const domain = await addDomain(test, owner, name);
  dns.publish(name, { txt: [domain.verification_token], mx: ["mx.agents.test"] });
  assert.equal((await verifyDomain(test, owner, domain)).status, 200);
  return domain;
}

function migrate(test: TestService, owner: TestAccount, domain: DomainBody, body: unknown) {
  const path = `/domains/${domain.domain_id}/migrate-mailboxes`;
  return sessionOf(test, owner).call("POST", path, body);
}

async function migration(
  test: TestService,
  owner: TestAccount,
  domain: DomainBody,
  body: unknown,
): Promise<Migration> {
  const answer = await migrate(test, owner, domain, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (answer.body as { data: Migration }).data;
}

async function addressesOf(test: TestService, owner: TestAccount): Promise<string[]> {
  const { body } = await familiesOf(test, owner)[0].call("GET", "/mailboxes");
  return (body as { mailboxes: { email_address: string }[] }).mailboxes
    .map((each) => each.email_address).sort();
}

// SPEC: domains.migrate_preview, domains.migrate, domains.migrate_collision
Deno.test("a preview and the run after it answer the same, and only the run moves", async () => {
  await using world = await start();
  const { test, owner, domain } = world;
  const other = await account(test);
  await mailbox(test, other, "taken-one");
  const taken = await mailbox(test, owner, "taken-one", "own.example");
  const free = await mailbox(test, owner, "free-one", "own.example");
  const mail = await deliver(test, taken.email_address, message());
  const before = await addressesOf(test, owner);
  const preview = await migration(test, owner, domain, {
    target_domain: "AGENTS.test",
    dry_run: true,
  });
  assert.deepEqual(await addressesOf(test, owner), before);
  const [renamed] = preview.migrations.filter((each) => each.renamed);
  assert.match(renamed.to_email, /^taken-one\.[0-9a-f]{6}@agents\.test$/);
  assert.deepEqual(preview, {
    dry_run: true,
    migrated_count: 2,
    renamed_count: 1,
    migrations: [
      {
        mailbox_id: taken.mailbox_id,
        renamed: true,
        from_email: "taken-one@own.example",
        to_email: renamed.to_email,
      },
      {
        mailbox_id: free.mailbox_id,
        renamed: false,
        from_email: "free-one@own.example",
        to_email: "free-one@agents.test",
      },
    ].sort((one, two) => one.mailbox_id < two.mailbox_id ? -1 : 1),
  });
  const run = await migration(test, owner, domain, {
    target_domain: "agents.test",
    dry_run: false,
  });
  assert.deepEqual(run, { ...preview, dry_run: false });
  assert.deepEqual(
    await addressesOf(test, owner),
    ["free-one@agents.test", renamed.to_email].sort(),
  );
  const emails = await familiesOf(test, owner)[0].call(
    "GET",
    `/emails?mailbox_id=${taken.mailbox_id}`,
  );
  assert.equal((emails.body as { data: { email_id: string }[] }).data[0].email_id, mail.email_id);
  assert.equal(
    (await deliver(test, renamed.to_email, message({ Subject: "2" }))).disposition,
    "accepted",
  );
  assert.equal((await deliver(test, taken.email_address, message())).code, "UNKNOWN_RECIPIENT");
  assert.equal((await listDomains(test, owner)).data[0].mailbox_count, 0);
  assert.deepEqual(await disagreements(test.kv, test.service.settings.SHARED_DOMAINS), []);
  const again = await migration(test, owner, domain, {
    target_domain: "agents.test",
    dry_run: false,
  });
  assert.deepEqual(again, { dry_run: false, migrated_count: 0, renamed_count: 0, migrations: [] });
});

Deno.test("a migration without dry_run is a preview", async () => {
  await using world = await start();
  const { test, owner, domain } = world;
  await mailbox(test, owner, "agent-one", "own.example");
  const answer = await migration(test, owner, domain, { target_domain: "agents.test" });
  assert.equal(answer.dry_run, true);
  assert.deepEqual(await addressesOf(test, owner), ["agent-one@own.example"]);
});

Deno.test("a migration refuses a target that is not allowed, its own domain, and bad input", async () => {
  await using world = await start();
  const { test, owner, domain } = world;
  const box = await mailbox(test, owner, "agent-one", "own.example");
  await addDomain(test, owner, "unproved.example");
  for (const target of ["unproved.example", "nobody.example", "no host"]) {
    assert.deepEqual(
      failure(await migrate(test, owner, domain, { target_domain: target, dry_run: false })),
      {
        status: 422,
        code: "DOMAIN_NOT_ALLOWED",
        details: { domain: target, plan: "enterprise" },
      },
    );
  }
  const bad = [{}, { target_domain: "" }, { target_domain: "own.example" }, {
    target_domain: "agents.test",
    dry_run: "yes",
  }];
  for (const body of bad) {
    const { status, code } = failure(await migrate(test, owner, domain, body));
    assert.deepEqual([status, code], [400, "VALIDATION_ERROR"], JSON.stringify(body));
  }
  assert.equal(failure(await migrate(test, owner, domain, undefined)).code, "BAD_REQUEST");
  assert.deepEqual(await addressesOf(test, owner), [box.email_address]);
});

Deno.test("a migration goes to an own proved domain too, and rescues mailboxes of a lapsed one", async () => {
  await using world = await start();
  const { test, dns, owner, domain } = world;
  await proved(test, dns, owner, "other.example");
  await mailbox(test, owner, "agent-one", "own.example");
  dns.publish("own.example", { txt: [] });
  assert.equal((await verifyDomain(test, owner, domain)).status, 400);
  assert.equal((await deliver(test, "agent-one@own.example", message())).code, "UNKNOWN_RECIPIENT");
  await migration(test, owner, domain, { target_domain: "other.example", dry_run: false });
  assert.equal((await deliver(test, "agent-one@other.example", message())).disposition, "accepted");
  assert.deepEqual(
    (await listDomains(test, owner)).data.map((each) => [each.domain_name, each.mailbox_count]),
    [["own.example", 0], ["other.example", 1]],
  );
});

Deno.test("a migration of 500 mailboxes that is killed at random points and run again is completed, and no address has two owners", async () => {
  const kv = await Deno.openKv(":memory:");
  const dns = new FakeDns();
  let owner: TestAccount, domain: DomainBody;
  const ids = new Set<string>();
  {
    await using test = await testService({ kv, parts: { dns } });
    owner = await account(test);
    domain = await proved(test, dns, owner, "own.example");
    const other = await account(test);
    await Promise.all(Array.from({ length: 500 }, async (_, n) => {
      ids.add((await mailbox(test, owner, `agent-${n}`, "own.example")).mailbox_id);
      if (n % 5 === 0) await mailbox(test, other, `agent-${n}`);
    }));
  }
  const request = { target_domain: "agents.test", dry_run: false };
  let kills = 0;
  let moved = 0;
  for (let complete = false; !complete;) {
    const mortal = mortalKv(kv, 1 + Math.floor(Math.random() * 4));
    await using test = await testService({ kv: mortal.kv, parts: { dns } });
    const answer = await migrate(test, owner, domain, request);
    complete = answer.status === 200;
    if (!complete) {
      assert.equal(answer.status, 500);
      assert.ok(mortal.isDead());
      kills++;
    }
    assert.deepEqual(await disagreements(kv, test.service.settings.SHARED_DOMAINS), []);
    const now = (await Array.fromAsync(
      kv.list({ prefix: ["mailboxes_by_domain", owner.userId, "agents.test"] }),
    )).length;
    assert.ok(now >= moved);
    moved = now;
  }
  assert.ok(kills >= 2, `killed ${kills} times`);
  assert.equal(moved, 500);
  await using test = await testService({ kv, parts: { dns } });
  const { body } = await familiesOf(test, owner)[0].call("GET", "/mailboxes");
  const { mailboxes } = body as { mailboxes: { mailbox_id: string; email_address: string }[] };
  assert.deepEqual(new Set(mailboxes.map((each) => each.mailbox_id)), ids);
  const suffixed = mailboxes.filter((each) =>
    /^agent-\d+\.[0-9a-f]{6}@agents\.test$/.test(each.email_address)
  );
  assert.equal(suffixed.length, 100);
  assert.equal(
    mailboxes.filter((each) => /^agent-\d+@agents\.test$/.test(each.email_address)).length,
    400,
  );
  assert.equal(
    (await sessionOf(test, owner).call("DELETE", `/domains/${domain.domain_id}`)).status,
    200,
  );
  kv.close();
});
