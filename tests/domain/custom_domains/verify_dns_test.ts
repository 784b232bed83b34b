import assert from "node:assert/strict";
import type { Dns } from "../../../domain/ports/dns.ts";
import { systemDns } from "../../../adapters/dns/system.ts";
import { failure, familiesOf } from "../mailboxes/families.ts";
import { startDnsServer } from "../../adapters/dns/dns_server.ts";
import { account, testService } from "../../service.ts";
import { addDomain, flagsOf, verifyDomain } from "./domains.ts";

/** The service with its real resolver, and a DNS server on loopback. */
async function start() {
  const server = await startDnsServer();
  let current = systemDns({ server: server.address });
  const dns: Dns = {
    txt: (name) => current.txt(name),
    mx: (name) => current.mx(name),
    lookUp: (name, type) => current.lookUp(name, type),
  };
  const test = await testService({ parts: { dns } });
  return {
    server,
    test,
    /** Replaces the timeout of 9.5 s for a silent resolver. */
    waitAtMost(deadlineMs: number) {
      current = systemDns({ server: server.address, deadlineMs });
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const mx = [{ preference: 10, exchange: "mx.agents.test" }];

Deno.test("over a real DNS: missing, partial, split and complete records verify accordingly", async () => {
  await using world = await start();
  const { server, test } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  const token = domain.verification_token;
  const attempt = async () => {
    const { status, body } = await verifyDomain(test, owner, domain);
    const { error } = body as { error?: { code: string } };
    return [status, error?.code, ...await flagsOf(test, owner)];
  };
  const failed = "VERIFICATION_FAILED";
  assert.deepEqual(await attempt(), [400, failed, false, false], "NXDOMAIN");
  server.zones.set("own.example", {});
  assert.deepEqual(await attempt(), [400, failed, false, false], "no data");
  server.zones.set("own.example", { txt: [["v=spf1 -all"], [token]] });
  assert.deepEqual(await attempt(), [400, failed, true, false], "TXT alone");
  server.zones.set("own.example", { mx });
  assert.deepEqual(await attempt(), [400, failed, false, true], "MX alone");
  server.zones.set("own.example", { txt: [[token.slice(0, 20), token.slice(20)]], mx });
  assert.deepEqual(await attempt(), [200, undefined, true, true], "split TXT");
  server.zones.set("own.example", {
    txt: [[token.toUpperCase()]],
    mx: [{ preference: 5, exchange: "other.example" }, {
      preference: 20,
      exchange: "MX.Agents.Test",
    }],
  });
  assert.deepEqual(await attempt(), [200, undefined, true, true], "other case, other preference");
  server.zones.set("own.example", { txt: [[`${token}, ${token}`]], mx });
  assert.deepEqual(await attempt(), [400, failed, false, true], "a record that contains it");
});

// SPEC: domain.dns_silent, error.unavailable
Deno.test("over a real DNS: SERVFAIL, REFUSED and silence are 503 and leave the domain as it was", async () => {
  await using world = await start();
  const { server, test } = world;
  const owner = await account(test);
  const domain = await addDomain(test, owner, "own.example");
  server.zones.set("own.example", { txt: [[domain.verification_token]], mx });
  assert.equal((await verifyDomain(test, owner, domain)).status, 200);
  for (const fault of ["SERVFAIL", "REFUSED", "silent"] as const) {
    server.zones.set("own.example", { fault });
    if (fault === "silent") world.waitAtMost(200);
    const answer = await test.request(`/api/domains/${domain.domain_id}/verify`, {
      method: "POST",
      token: owner.accessToken,
    });
    assert.equal(answer.headers.get("retry-after"), "10");
    assert.deepEqual(failure({ status: answer.status, body: await answer.json() }), {
      status: 503,
      code: "SERVICE_UNAVAILABLE",
      details: undefined,
    }, fault);
    assert.deepEqual(await flagsOf(test, owner), [true, true], fault);
  }
});

// SPEC: domain.one_owner
Deno.test("over a real DNS: a domain moves to the account whose TXT record is published", async () => {
  await using world = await start();
  const { server, test } = world;
  const first = await account(test), second = await account(test);
  const ofFirst = await addDomain(test, first, "own.example");
  const ofSecond = await addDomain(test, second, "own.example");
  const [firstToken, secondToken] = [ofFirst.verification_token, ofSecond.verification_token];
  assert.notEqual(firstToken, secondToken);

  server.zones.set("own.example", { txt: [[firstToken]], mx });
  assert.equal((await verifyDomain(test, first, ofFirst)).status, 200);
  assert.equal(
    failure(await verifyDomain(test, second, ofSecond)).code,
    "VERIFICATION_FAILED",
    "the second has not proved it",
  );

  server.zones.set("own.example", { txt: [[firstToken], [secondToken]], mx });
  assert.deepEqual(failure(await verifyDomain(test, second, ofSecond)), {
    status: 409,
    code: "CONFLICT",
    details: { domain: "own.example" },
  }, "both records stand: the first keeps it");
  assert.deepEqual(await flagsOf(test, first), [true, true]);
  assert.deepEqual(await flagsOf(test, second), [false, true]);

  server.zones.set("own.example", { txt: [[secondToken]], mx });
  assert.equal((await verifyDomain(test, second, ofSecond)).status, 200);
  assert.deepEqual(await flagsOf(test, second), [true, true]);
  assert.deepEqual(
    await flagsOf(test, first),
    [false, true],
    "the same check made the first one lapse",
  );
  const request = { local_part: "agent-one", domain: "own.example" };
  const [{ call: asFirst }] = familiesOf(test, first);
  const [{ call: asSecond }] = familiesOf(test, second);
  assert.equal(failure(await asFirst("POST", "/mailboxes", request)).code, "DOMAIN_NOT_ALLOWED");
  assert.equal((await asSecond("POST", "/mailboxes", request)).status, 201);
});
