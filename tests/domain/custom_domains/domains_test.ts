import assert from "node:assert/strict";
import { failure, familiesOf, sessionOf } from "../mailboxes/families.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { addDomain, type DomainBody, listDomains, verifyDomain } from "./domains.ts";

async function start(env: Record<string, string> = {}) {
  const dns = new FakeDns();
  const test = await testService({ parts: { dns }, env });
  return { test, dns, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

// SPEC: domains.list, domains.create, domain.record, domain.token_form, domain.dns_records
Deno.test("POST /api/domains answers 201 with the record and the DNS records to publish; the list shows it", async () => {
  await using world = await start();
  const { test } = world;
  const owner = await account(test, "pro");
  const answer = await sessionOf(test, owner).call("POST", "/domains", { domain: "Own.Example." });
  assert.equal(answer.status, 201);
  const { data } = answer.body as { data: DomainBody };
  assert.match(data.verification_token, /^letterbox-verify=[0-9a-f]{32}$/);
  const dkim = data.dns_records[2];
  assert.match(dkim.value, /^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{300,}$/);
  const record = {
    domain_id: data.domain_id,
    domain_name: "own.example",
    verification_token: data.verification_token,
    verified: false,
    mx_configured: false,
    created_at: "2026-11-20T10:00:00.000Z",
    mailbox_count: 0,
  };
  assert.deepEqual(answer.body, {
    success: true,
    data: {
      ...record,
      dns_records: [
        {
          type: "TXT",
          name: "@",
          fqdn: "own.example",
          zone_name: "@",
          value: data.verification_token,
          required: true,
          status: "missing",
        },
        {
          type: "MX",
          name: "@",
          fqdn: "own.example",
          zone_name: "@",
          value: "mx.agents.test",
          priority: 10,
          required: true,
          status: "missing",
        },
        {
          type: "TXT",
          name: "letterbox._domainkey",
          fqdn: "letterbox._domainkey.own.example",
          zone_name: "letterbox._domainkey",
          value: dkim.value,
          required: false,
          status: "missing",
        },
        {
          type: "TXT",
          name: "@",
          fqdn: "own.example",
          zone_name: "@",
          value: "v=spf1 include:agents.test ~all",
          required: false,
          status: "missing",
        },
        {
          type: "TXT",
          name: "_dmarc",
          fqdn: "_dmarc.own.example",
          zone_name: "_dmarc",
          value: "v=DMARC1; p=none",
          required: false,
          status: "missing",
        },
      ],
    },
  });
  assert.deepEqual(await listDomains(test, owner), {
    success: true,
    data: [{ ...record, dns_records: data.dns_records }],
    meta: { plan: "pro", domain_limit: 10, domain_count: 1, can_add_domain: true },
  });
});

// SPEC: domain.invalid, domain.conflict, error.conflict
Deno.test("POST /api/domains refuses a name that is not public, a shared domain, and the same domain twice", async () => {
  await using world = await start();
  const { test } = world;
  const owner = await account(test, "pro");
  const { call } = sessionOf(test, owner);
  for (
    const domain of [
      "",
      "localhost",
      "example",
      "192.0.2.1",
      "http://own.example",
      "a b.example",
      "own.example/x",
      "-own.example",
      "own.local",
      "me@own.example",
    ]
  ) {
    assert.deepEqual(failure(await call("POST", "/domains", { domain })), {
      status: 400,
      code: "VALIDATION_ERROR",
      details: { field_errors: { domain: "must be a public host name, such as example.com" } },
    }, domain);
  }
  assert.equal(failure(await call("POST", "/domains", {})).code, "VALIDATION_ERROR");
  assert.equal(failure(await call("POST", "/domains")).code, "BAD_REQUEST");
  await addDomain(test, owner, "bücher.example");
  for (const domain of ["agents.test", "Mail.Agents.Test", "XN--BCHER-KVA.example"]) {
    const refused = failure(await call("POST", "/domains", { domain }));
    assert.deepEqual(refused, {
      status: 409,
      code: "CONFLICT",
      details: { domain: domain.toLowerCase() },
    });
  }
  assert.equal((await listDomains(test, owner)).data.length, 1);
});

// SPEC: domain.limit, limit.domains
Deno.test("POST /api/domains stops at the plan's limit, however many requests are parallel", async () => {
  const unlimited = { requestsPerMinute: null, requestsPerHour: null, requestsPerDay: null };
  await using test = await testService({
    plans: { free: unlimited, pro: { ...unlimited, customDomains: 2 } },
  });
  const free = await account(test, "free"), pro = await account(test, "pro");
  const refused = await sessionOf(test, free).call("POST", "/domains", { domain: "own.example" });
  assert.deepEqual(failure(refused), {
    status: 403,
    code: "FORBIDDEN",
    details: { count: 0, limit: 0, plan: "free" },
  });
  assert.deepEqual((await listDomains(test, free)).meta, {
    plan: "free",
    domain_limit: 0,
    domain_count: 0,
    can_add_domain: false,
  });
  await addDomain(test, pro, "own.example");
  const results = await Promise.all(
    Array.from(
      { length: 4 },
      (_, n) => sessionOf(test, pro).call("POST", "/domains", { domain: `race-${n}.example` }),
    ),
  );
  assert.deepEqual(results.map((each) => each.status).sort(), [201, 403, 403, 403]);
  assert.deepEqual((await listDomains(test, pro)).meta, {
    plan: "pro",
    domain_limit: 2,
    domain_count: 2,
    can_add_domain: false,
  });
});

// SPEC: limit.domains
Deno.test("FREE_MAX_CUSTOM_DOMAINS lets a free account prove a domain and use it", async () => {
  await using world = await start({ FREE_MAX_CUSTOM_DOMAINS: "1" });
  const { test, dns } = world;
  const dnsPlans = test.service.plans.free.customDomains;
  const owner = await account(test, "free");
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token], mx: ["mx.agents.test"] });
  assert.equal((await verifyDomain(test, owner, domain)).status, 200);
  await mailbox(test, owner, "agent-one", "own.example");
  assert.equal(dnsPlans, 1);
});

// SPEC: domains.verify
Deno.test("POST /api/domains/{id}/verify answers the record once both records are there", async () => {
  await using world = await start();
  const { test, dns } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", {
    txt: ["V=SPF1 mx +include:agents.test -all", domain.verification_token],
    mx: ["MX.Agents.Test."],
  });
  dns.publish("_dmarc.own.example", { txt: ["v=DMARC1; p=reject"] });
  const dkim = domain.dns_records[2];
  dns.publish("letterbox._domainkey.own.example", { txt: [dkim.value] });
  const answer = await verifyDomain(test, owner, domain);
  assert.deepEqual(answer, {
    status: 200,
    body: {
      success: true,
      data: {
        ...domain,
        verified: true,
        mx_configured: true,
        dns_records: domain.dns_records.map((each) => ({ ...each, status: "valid" })),
      },
    },
  });
  const dns_records = domain.dns_records.map((each) => ({ ...each, status: "valid" }));
  assert.deepEqual((await listDomains(test, owner)).data, [
    { ...domain, verified: true, mx_configured: true, dns_records },
  ]);
});

Deno.test("SPF and DMARC records are proposed; the verification succeeds without them or with other forms", async () => {
  await using world = await start();
  const { test, dns } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  const mx = ["mx.agents.test"];
  const none = ["v=DMARC10; p=none"], policy = "v=DMARC1; p=none";
  const cases: [string[], string[]][] = [
    [["v=spf1 -all"], none],
    [["v=spf10 include:agents.test"], none],
    [["include:agents.test"], none],
    // Of two records receivers use none.
    [["v=spf1 mx -all", "v=spf1 include:agents.test ~all"], [policy, policy]],
  ];
  for (const [other, dmarc] of cases) {
    dns.publish("own.example", { txt: [domain.verification_token, ...other], mx });
    dns.publish("_dmarc.own.example", { txt: dmarc });
    const { status, body } = await verifyDomain(test, owner, domain);
    assert.equal(status, 200);
    const { data } = body as { data: DomainBody };
    const optional = data.dns_records.filter(({ required }) => !required);
    assert.deepEqual(
      optional.map(({ name, status }) => [name, status]),
      ["letterbox._domainkey", "@", "_dmarc"].map((name) => [name, "missing"]),
      other.join(),
    );
  }
});

// SPEC: domains.verify_failed, error.verification_failed
Deno.test("verify answers VERIFICATION_FAILED with the records that it found, and stores each flag", async () => {
  await using world = await start();
  const { test, dns } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  const token = domain.verification_token;
  const cases: [{ txt: string[]; mx: string[] }, boolean, boolean][] = [
    [{ txt: [], mx: [] }, false, false],
    [{ txt: [token], mx: ["mx.other.example"] }, true, false],
    [{ txt: [`${token}x`], mx: ["mx.agents.test"] }, false, true],
  ];
  for (const [records, verified, mxConfigured] of cases) {
    dns.publish("own.example", records);
    const refused = failure(await verifyDomain(test, owner, domain));
    const details = refused.details as { instructions: string };
    assert.deepEqual(refused, {
      status: 400,
      code: "VERIFICATION_FAILED",
      details: {
        expected_txt_record: token,
        instructions: details.instructions,
        found_txt_records: records.txt,
        expected_mx_record: "mx.agents.test",
        found_mx_records: records.mx,
      },
    });
    assert.equal(details.instructions.includes("TXT"), !verified);
    assert.equal(details.instructions.includes("MX"), !mxConfigured);
    const [record] = (await listDomains(test, owner)).data;
    assert.deepEqual([record.verified, record.mx_configured], [verified, mxConfigured]);
  }
});

// SPEC: domain.dns_silent, error.unavailable
Deno.test("verify answers 503 if the DNS does not answer, and changes nothing", async () => {
  await using world = await start();
  const { test, dns } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token], mx: ["mx.agents.test"] });
  await verifyDomain(test, owner, domain);
  dns.unavailable.add("own.example");
  const refused = failure(await verifyDomain(test, owner, domain));
  assert.deepEqual(refused, { status: 503, code: "SERVICE_UNAVAILABLE", details: undefined });
  const [record] = (await listDomains(test, owner)).data;
  assert.deepEqual([record.verified, record.mx_configured], [true, true]);
});

// SPEC: mailboxes.rule.domain, domain.mailbox_count
Deno.test("a mailbox can be created on a custom domain once its TXT record is found, with or without MX", async () => {
  await using world = await start();
  const { test, dns } = world;
  const owner = await account(test), other = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  await addDomain(test, other, "own.example");
  const request = { local_part: "agent-one", domain: "own.example" };
  const [{ call }] = familiesOf(test, owner);
  const refused = failure(await call("POST", "/mailboxes", request));
  assert.deepEqual(refused.details, { domain: "own.example", plan: "enterprise" });
  dns.publish("own.example", { txt: [domain.verification_token] });
  assert.equal(failure(await verifyDomain(test, owner, domain)).code, "VERIFICATION_FAILED");
  assert.equal((await call("POST", "/mailboxes", request)).status, 201);
  assert.equal(
    failure(
      await familiesOf(test, other)[0].call("POST", "/mailboxes", {
        ...request,
        local_part: "agent-two",
      }),
    ).code,
    "DOMAIN_NOT_ALLOWED",
  );
  assert.equal((await listDomains(test, owner)).data[0].mailbox_count, 1);
  assert.equal((await deliver(test, "agent-one@OWN.example", message())).disposition, "accepted");
});

// SPEC: domains.delete, domains.delete_in_use, error.domain_has_mailboxes
Deno.test("DELETE /api/domains/{id} is refused while an active mailbox uses the domain", async () => {
  await using world = await start();
  const { test, dns } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  dns.publish("own.example", { txt: [domain.verification_token] });
  await verifyDomain(test, owner, domain);
  const boxes = [
    await mailbox(test, owner, "agent-one", "own.example"),
    await mailbox(test, owner, "agent-two", "own.example"),
  ];
  const { call } = sessionOf(test, owner);
  const remove = () => call("DELETE", `/domains/${domain.domain_id}`);
  assert.deepEqual(failure(await remove()), {
    status: 409,
    code: "DOMAIN_HAS_MAILBOXES",
    details: { mailbox_count: 2, domain_name: "own.example" },
  });
  await call("PATCH", `/mailboxes/${boxes[0].mailbox_id}`, {
    local_part: "agent-one",
    domain: "agents.test",
  });
  await call("DELETE", `/mailboxes/${boxes[1].mailbox_id}`, {
    confirm_email_address: boxes[1].email_address,
  });
  assert.deepEqual(await remove(), {
    status: 200,
    body: {
      success: true,
      data: { domain_id: domain.domain_id, domain_name: "own.example", deleted: true },
    },
  });
  assert.deepEqual(failure(await remove()), { status: 404, code: "NOT_FOUND", details: undefined });
  assert.deepEqual((await listDomains(test, owner)).data, []);
  await addDomain(test, owner, "own.example");
});

// SPEC: access.foreign_404, domains.not_in_v1
Deno.test("another account's domain is 404 on every route, and no v1 route has domains", async () => {
  await using world = await start();
  const { test } = world;
  const owner = await account(test), other = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  const { call } = sessionOf(test, other);
  const migrate = { target_domain: "agents.test", dry_run: true };
  for (
    const [method, path, body] of [
      ["POST", `/domains/${domain.domain_id}/verify`],
      ["POST", `/domains/${domain.domain_id}/migrate-mailboxes`, migrate],
      ["DELETE", `/domains/${domain.domain_id}`],
    ] as const
  ) {
    assert.deepEqual(await call(method, path, body), {
      status: 404,
      body: { success: false, error: { code: "NOT_FOUND", message: "There is no such domain." } },
    });
  }
  assert.deepEqual((await listDomains(test, other)).data, []);
  assert.equal((await familiesOf(test, owner)[0].call("GET", "/domains")).status, 404);
  assert.equal((await test.request("/api/domains", { token: owner.key })).status, 401);
});
