import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AddressFacts,
  type AddressInput,
  checkAddress,
  emailTaken,
  mailboxQuota,
} from "../../../domain/mailboxes/check_address.ts";

const FREE: AddressFacts = {
  plan: "free",
  sharedDomains: ["agents.example", "pool.example"],
  verifiedDomains: [],
  ownDomainsAllowed: false,
  reservedNames: ["admin", "postmaster", "no-reply"],
};
const PRO: AddressFacts = {
  ...FREE,
  plan: "pro",
  verifiedDomains: ["own.example", "xn--bcher-kva.example"],
  ownDomainsAllowed: true,
};

function refused(input: AddressInput, facts: AddressFacts = FREE) {
  const verdict = checkAddress(input, facts);
  assert.equal(verdict.ok, false, JSON.stringify(input));
  const { code, details } = verdict;
  return { code, details };
}

// SPEC: mailboxes.create_forms
Deno.test("checkAddress() accepts each way to name an address and answers its one spelling", () => {
  const expected = {
    ok: true,
    local: "agent.one",
    domain: "agents.example",
    address: "agent.one@agents.example",
  };
  for (
    const input of [
      { local_part: "agent.one", domain: "agents.example" },
      { local_part: "  Agent.ONE ", domain: " AGENTS.example. " },
      { email_address: "agent.one", domain: "agents.example" },
      { email_address: "Agent.One@Agents.Example", domain: "agents.example" },
      { local_part: "agent.one", email_address: "AGENT.one", domain: "agents.example" },
      { local_part: "", email_address: "agent.one@agents.example.", domain: "agents.example" },
    ]
  ) assert.deepEqual(checkAddress(input, FREE), expected, JSON.stringify(input));
});

Deno.test("checkAddress() answers MISSING_FIELDS with the fields that are missing", () => {
  assert.deepEqual(refused({ local_part: "agent.one" }), {
    code: "MISSING_FIELDS",
    details: { fields: ["domain"] },
  });
  assert.deepEqual(refused({ local_part: "agent.one", domain: "  " }), {
    code: "MISSING_FIELDS",
    details: { fields: ["domain"] },
  });
  assert.deepEqual(refused({ domain: "agents.example" }), {
    code: "MISSING_FIELDS",
    details: { fields: ["local_part", "email_address"] },
  });
  assert.deepEqual(refused({ local_part: null, email_address: undefined, domain: null }), {
    code: "MISSING_FIELDS",
    details: { fields: ["domain", "local_part", "email_address"] },
  });
});

Deno.test("checkAddress() answers BAD_REQUEST when email_address has no local part", () => {
  assert.deepEqual(refused({ email_address: "@agents.example", domain: "agents.example" }), {
    code: "BAD_REQUEST",
    details: { email_address: "@agents.example" },
  });
  assert.equal(refused({ email_address: "  ", domain: "agents.example" }).code, "BAD_REQUEST");
  assert.equal(refused({ email_address: "", domain: "agents.example" }).code, "BAD_REQUEST");
});

Deno.test("checkAddress() answers BAD_REQUEST when the two fields name two addresses", () => {
  assert.deepEqual(
    refused({ local_part: "first", email_address: "second", domain: "agents.example" }),
    { code: "BAD_REQUEST", details: { local_part: "first", email_address: "second" } },
  );
});

Deno.test("checkAddress() answers DOMAIN_MISMATCH with both hosts", () => {
  assert.deepEqual(
    refused({ email_address: "agent.one@Other.example", domain: "Agents.example" }),
    {
      code: "DOMAIN_MISMATCH",
      details: { domain_expected: "agents.example", domain_in_request: "other.example" },
    },
  );
  assert.deepEqual(refused({ email_address: "agent.one@", domain: "agents.example" }), {
    code: "DOMAIN_MISMATCH",
    details: { domain_expected: "agents.example", domain_in_request: "" },
  });
});

Deno.test("checkAddress() compares the two hosts in their IDNA form", () => {
  const verdict = checkAddress(
    { email_address: "agent.one@xn--bcher-kva.example", domain: "BÜCHER.example" },
    PRO,
  );
  assert.deepEqual(verdict, {
    ok: true,
    local: "agent.one",
    domain: "xn--bcher-kva.example",
    address: "agent.one@xn--bcher-kva.example",
  });
});

// SPEC: mailboxes.rule.length
Deno.test("checkAddress() answers LOCAL_TOO_SHORT below 5 characters after trimming", () => {
  for (
    const [local, length] of [["  abcd ", 4], ["a", 1], ["   ", 0], ["", 0], ["ab!", 3]] as const
  ) {
    assert.deepEqual(refused({ local_part: local, domain: "agents.example" }), {
      code: "LOCAL_TOO_SHORT",
      details: { min_length: 5, actual_length: length },
    });
  }
  assert.equal(checkAddress({ local_part: "abcde", domain: "agents.example" }, FREE).ok, true);
});

// SPEC: mailboxes.rule.characters
Deno.test("checkAddress() answers INVALID_LOCAL for other characters, dots and hyphens at an end, and two dots in a row", () => {
  for (
    const local of [
      ".agent",
      "agent.",
      "-agent",
      "agent-",
      "agent+tag",
      "two words",
      "agent@agents.example",
      "агент",
      "agent\u212Aelvin",
      'ag"ent',
      "agent/../x",
      "ab..cd123",
      "agent...one",
    ]
  ) {
    assert.deepEqual(refused({ local_part: local, domain: "agents.example" }), {
      code: "INVALID_LOCAL",
      details: { local_part: local },
    });
  }
  for (const local of ["_agent", "agent_", "a-g_e.nt", "a.b.c", "a.-.b", "12345"]) {
    assert.equal(checkAddress({ local_part: local, domain: "agents.example" }, FREE).ok, true);
  }
});

Deno.test("checkAddress() answers INVALID_LOCAL above 64 characters", () => {
  const input = { local_part: "a".repeat(65), domain: "agents.example" };
  assert.deepEqual(refused(input), {
    code: "INVALID_LOCAL",
    details: { local_part: "a".repeat(64) },
  });
  assert.equal(checkAddress({ ...input, local_part: "a".repeat(64) }, FREE).ok, true);
});

// SPEC: mailboxes.rule.reserved
Deno.test("checkAddress() answers DISALLOWED_LOCAL for a reserved name in any case on any domain", () => {
  for (const domain of ["agents.example", "own.example", "nobody.example"]) {
    assert.deepEqual(refused({ local_part: "PostMaster", domain }, PRO), {
      code: "DISALLOWED_LOCAL",
      details: { local_part: "postmaster" },
    });
  }
});

// SPEC: mailboxes.rule.domain
Deno.test("checkAddress() answers DOMAIN_NOT_ALLOWED outside the shared pool and own verified domains", () => {
  const input = { local_part: "agent.one", domain: "Own.example" };
  assert.deepEqual(refused(input), {
    code: "DOMAIN_NOT_ALLOWED",
    details: { domain: "own.example", plan: "free" },
  });
  assert.equal(checkAddress(input, PRO).ok, true);
  assert.deepEqual(refused({ ...input, domain: "foreign.example" }, PRO), {
    code: "DOMAIN_NOT_ALLOWED",
    details: { domain: "foreign.example", plan: "pro" },
  });
  assert.deepEqual(refused({ ...input, domain: "no host" }, PRO), {
    code: "DOMAIN_NOT_ALLOWED",
    details: { domain: "no host", plan: "pro" },
  });
});

Deno.test("checkAddress() does not let a plan without own domains use one that is still verified", () => {
  const downgraded = { ...FREE, verifiedDomains: ["own.example"] };
  assert.equal(
    refused({ local_part: "agent.one", domain: "own.example" }, downgraded).code,
    "DOMAIN_NOT_ALLOWED",
  );
});

Deno.test("checkAddress() answers the first rule broken, in the documented order", () => {
  const steps: [AddressInput, string][] = [
    [{}, "MISSING_FIELDS"],
    [{ email_address: "@x", domain: "no.example" }, "BAD_REQUEST"],
    [{ email_address: "a@x.example", domain: "no.example" }, "DOMAIN_MISMATCH"],
    [{ email_address: "-a@no.example", domain: "no.example" }, "LOCAL_TOO_SHORT"],
    [{ email_address: "-admin@no.example", domain: "no.example" }, "INVALID_LOCAL"],
    [{ email_address: "admin@no.example", domain: "no.example" }, "DISALLOWED_LOCAL"],
    [{ email_address: "agent@no.example", domain: "no.example" }, "DOMAIN_NOT_ALLOWED"],
  ];
  for (const [input, code] of steps) assert.equal(refused(input).code, code);
});

Deno.test("checkAddress() accepts exactly what the address rules allow, for any text", () => {
  fc.assert(fc.property(
    fc.oneof(fc.string({ maxLength: 12 }), fc.stringMatching(/^[a-zA-Z0-9._-]{3,10}$/)),
    (local) => {
      const trimmed = local.trim();
      const allowed = trimmed.length >= 5 && /^[A-Za-z0-9._-]+$/.test(trimmed) &&
        !/^[.-]|[.-]$|\.\./.test(trimmed) && !FREE.reservedNames.includes(trimmed.toLowerCase());
      const verdict = checkAddress({ local_part: local, domain: "agents.example" }, FREE);
      assert.equal(verdict.ok, allowed, JSON.stringify(local));
    },
  ));
});

Deno.test("emailTaken() and mailboxQuota() have the specified details", () => {
  const { message: taken, ...emailTakenRest } = emailTaken("agent.one@agents.example");
  assert.ok(taken);
  assert.deepEqual(emailTakenRest, {
    ok: false,
    code: "EMAIL_TAKEN",
    details: { email_address: "agent.one@agents.example" },
  });
  const { message: quota, ...mailboxQuotaRest } = mailboxQuota({
    count: 5,
    limit: 5,
    plan: "free",
  });
  assert.equal(quota, "The free plan has 5 mailboxes at most.");
  assert.deepEqual(mailboxQuotaRest, {
    ok: false,
    code: "MAILBOX_QUOTA",
    details: { count: 5, limit: 5, plan: "free" },
  });
});
