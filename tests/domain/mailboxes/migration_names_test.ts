import assert from "node:assert/strict";
import { checkAddress } from "../../../domain/mailboxes/check_address.ts";
import { migrationLocals } from "../../../domain/mailboxes/migrate_mailboxes.ts";

const mailboxId = "0193f1a2-0000-7000-8000-000000000001";

Deno.test("migrationLocals() tries the own name first, then a dot and 6 hex characters", () => {
  const [own, ...others] = migrationLocals("agent.one", mailboxId);
  assert.equal(own, "agent.one");
  assert.equal(others.length, 10);
  for (const other of others) assert.match(other, /^agent\.one\.[0-9a-f]{6}$/);
  assert.equal(new Set(others).size, 10);
});

Deno.test("migrationLocals() is the same for the same mailbox and another for another", () => {
  assert.deepEqual(migrationLocals("agent", mailboxId), migrationLocals("agent", mailboxId));
  assert.notEqual(
    migrationLocals("agent", mailboxId)[1],
    migrationLocals("agent", mailboxId.replace("1a2", "1a3"))[1],
  );
});

Deno.test("migrationLocals() has one dot for each `..` of an old name", () => {
  assert.equal(migrationLocals("ab..cd...ef", mailboxId)[0], "ab.cd.ef");
});

Deno.test("migrationLocals() of the longest names, and of old names with two dots in a row, keep the rules of an address", () => {
  const facts = {
    plan: "free",
    sharedDomains: ["agents.example"],
    verifiedDomains: [],
    ownDomainsAllowed: false,
    reservedNames: [],
  };
  for (const local of ["a".repeat(64), `${"a".repeat(56)}.-bcdefg`, "abcde", "ab..cd", "a...bcd"]) {
    const locals = migrationLocals(local, mailboxId);
    assert.ok(locals.length > 0, local);
    for (const each of locals) {
      const verdict = checkAddress({ local_part: each, domain: "agents.example" }, facts);
      assert.equal(verdict.ok, true, each);
    }
  }
});
