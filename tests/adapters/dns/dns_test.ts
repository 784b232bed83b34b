import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import type { Dns } from "../../../domain/ports/dns.ts";
import { systemDns } from "../../../adapters/dns/system.ts";
import { patience } from "../../nightly.ts";
import { FakeDns } from "./dns_fake.ts";
import { startDnsServer, type Zone } from "./dns_server.ts";
import { dnsSuite } from "./dns_suite.ts";

dnsSuite("the fake", () => {
  const dns = new FakeDns();
  return Promise.resolve({
    dns,
    publish: dns.publish.bind(dns),
    fail: (name: string) => void dns.unavailable.add(name),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});

dnsSuite("the resolver", async () => {
  const server = await startDnsServer();
  return {
    dns: systemDns({ server: server.address }),
    publish(name, { txt, mx }) {
      server.zones.set(name, {
        txt: txt?.map((text) => [text]),
        mx: mx?.map((exchange) => ({ preference: 10, exchange })),
      });
    },
    fail: (name) => void server.zones.set(name, { fault: "SERVFAIL" }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

function zones(database: Record<string, Zone>) {
  return startDnsServer(new Map(Object.entries(database)));
}

Deno.test("txt() joins the strings of a split record and keeps records apart", async () => {
  await using server = await zones({
    "own.example": { txt: [["letterbox-verify=", "abc", "def"], ["other"]] },
  });
  assert.deepEqual(await systemDns({ server: server.address }).txt("own.example"), {
    kind: "records",
    records: ["letterbox-verify=abcdef", "other"],
  });
});

Deno.test("mx() sorts by preference and writes exchanges in lower case without the final dot", async () => {
  await using server = await zones({
    "own.example": {
      mx: [{ preference: 20, exchange: "Backup.Example" }, {
        preference: 5,
        exchange: "MX.Example.",
      }],
    },
  });
  assert.deepEqual(await systemDns({ server: server.address }).mx("Own.Example."), {
    kind: "records",
    records: [
      { preference: 5, exchange: "mx.example" },
      { preference: 20, exchange: "backup.example" },
    ],
  });
});

Deno.test("an answer cut off over UDP is read whole over TCP", async () => {
  const txt = Array.from({ length: 200 }, (_, n) => [`record ${n} ${"x".repeat(200)}`]);
  await using server = await zones({
    "large.example": { txt },
    "cut.example": { txt: [["whole"]], fault: "truncated" },
  });
  const dns = systemDns({ server: server.address });
  const large = await dns.txt("large.example");
  assert.deepEqual(large, { kind: "records", records: txt.map(([text]) => text) });
  assert.deepEqual(await dns.txt("cut.example"), { kind: "records", records: ["whole"] });
  assert.deepEqual(server.asked, [
    "large.example TXT udp",
    "large.example TXT tcp",
    "cut.example TXT udp",
    "cut.example TXT tcp",
  ]);
});

Deno.test("SERVFAIL and REFUSED are unavailable at once, NXDOMAIN and no data are none", async () => {
  await using server = await zones({
    "servfail.example": { fault: "SERVFAIL" },
    "refused.example": { fault: "REFUSED" },
    "nx.example": { fault: "NXDOMAIN" },
    "nodata.example": {},
  });
  const dns = systemDns({ server: server.address });
  assert.deepEqual(await dns.txt("servfail.example"), {
    kind: "unavailable",
    reason: "the resolver answered SERVFAIL",
  });
  assert.deepEqual(await dns.mx("refused.example"), {
    kind: "unavailable",
    reason: "the resolver answered REFUSED",
  });
  assert.deepEqual(await dns.txt("nx.example"), { kind: "none" });
  assert.deepEqual(await dns.mx("nodata.example"), { kind: "none" });
  assert.deepEqual(server.asked, [
    "servfail.example TXT udp",
    "refused.example MX udp",
    "nx.example TXT udp",
    "nodata.example MX udp",
  ], "each asked once");
});

Deno.test("a silent server is unavailable at the deadline and not later", async () => {
  await using server = await zones({ "silent.example": { fault: "silent" } });
  const dns = systemDns({ server: server.address, deadlineMs: 300, retryMs: 100 });
  const started = performance.now();
  const answers = await Promise.all([dns.txt("silent.example"), dns.mx("silent.example")]);
  const tookMs = performance.now() - started;
  assert.deepEqual(answers.map((each) => each.kind), ["unavailable", "unavailable"]);
  assert.ok(tookMs >= 290 && tookMs < 5_000 * patience, `took ${tookMs} ms`);
});

Deno.test("a question that is given up ends at once, and frees its socket", async () => {
  await using server = await zones({ "silent.example": { fault: "silent" } });
  // Its timers would run longer than the test.
  const dns = systemDns({ server: server.address, deadlineMs: 60_000, retryMs: 60_000 });
  const given = new AbortController();
  const answer = dns.lookUp("silent.example", "TXT", given.signal);
  setTimeout(() => given.abort(), 20);
  assert.equal((await answer).kind, "unavailable");
  assert.equal((await dns.lookUp("silent.example", "TXT", given.signal)).kind, "unavailable");
});

Deno.test("a question whose datagram was lost is asked again", async () => {
  await using server = await zones({
    "lost.example": { txt: [["found"]], fault: "silent at first" },
  });
  const dns = systemDns({ server: server.address, retryMs: 50 });
  assert.deepEqual(await dns.txt("lost.example"), { kind: "records", records: ["found"] });
});

Deno.test("a port where nobody listens is unavailable", async () => {
  await using server = await zones({});
  const { address } = server;
  await server[Symbol.asyncDispose]();
  const dns = systemDns({ server: address, deadlineMs: 200, retryMs: 50 });
  assert.equal((await dns.txt("own.example")).kind, "unavailable");
});

/** A server that answers every datagram with the result of `reply`. */
async function hostile(reply: (request: Uint8Array) => Uint8Array[]) {
  const socket = createSocket("udp4");
  socket.on("message", (request, from) => {
    for (const each of reply(request)) socket.send(each, from.port, from.address);
  });
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound));
  const server = `127.0.0.1:${socket.address().port}`;
  return {
    dns: systemDns({ server, deadlineMs: 300, retryMs: 100 }),
    [Symbol.dispose]: () => void socket.close(),
  };
}

Deno.test("an answer with another id, another question or nonsense is ignored", async () => {
  const asResponse = (request: Uint8Array) => {
    const response = request.slice();
    response[2] |= 0x80;
    return response;
  };
  const cases: Record<string, (request: Uint8Array) => Uint8Array[]> = {
    "another id": (request) => {
      const response = asResponse(request);
      response[0] ^= 0xff;
      return [response];
    },
    "another question": (request) => {
      const response = asResponse(request);
      response[13] ^= 0x01;
      return [response];
    },
    "a query": (request) => [request],
    "counts beyond the end": (request) => {
      const response = asResponse(request);
      response[7] = 0xff;
      return [response];
    },
    "a name that points at itself": (request) => {
      const response = asResponse(request);
      response[7] = 1;
      const at = request.length;
      return [Uint8Array.of(...response, 0xc0, at, 0, 16, 0, 1, 0, 0, 0, 1, 0, 2, 1, 65)];
    },
    "three bytes": () => [Uint8Array.of(1, 2, 3)],
  };
  for (const [title, reply] of Object.entries(cases)) {
    using server = await hostile(reply);
    assert.equal((await server.dns.txt("own.example")).kind, "unavailable", title);
  }
});

Deno.test("systemDns() reads ip, ip:port and [ip6]:port, and refuses anything else", () => {
  for (const server of ["192.0.2.1", "192.0.2.1:5353", "[2001:db8::1]", "[2001:db8::1]:53"]) {
    assert.ok(systemDns({ server }));
  }
  for (
    const server of ["", "resolver.example:53", "192.0.2.1:0", "192.0.2.1:70000", "192.0.2:53"]
  ) {
    assert.throws(() => systemDns({ server }), RangeError, server);
  }
});

Deno.test("lookUp() gives records of each type with their TTL, and distinguishes a name without them from a name that does not exist", async () => {
  await using server = await startDnsServer();
  server.zones.set("host.example", { a: ["192.0.2.1"], aaaa: ["2001:db8::1"] });
  server.zones.set("text.example", { txt: [["v=spf1 ", "-all"]] });
  server.zones.set("1.2.0.192.in-addr.arpa", { ptr: ["host.example"] });
  server.zones.set("mail.example", { mx: [{ preference: 5, exchange: "Host.Example" }] });
  server.zones.set("down.example", { fault: "SERVFAIL" });
  const dns = systemDns({ server: server.address });
  const records = async (...question: Parameters<Dns["lookUp"]>) => {
    const answer = await dns.lookUp(...question);
    return answer.kind === "records" ? [...answer.records, answer.ttlSeconds] : answer;
  };
  assert.deepEqual(await records("host.example", "A"), ["192.0.2.1", 1]);
  assert.deepEqual(await records("host.example", "AAAA"), ["2001:db8::1", 1]);
  assert.deepEqual(await records("text.example", "TXT"), ["v=spf1 -all", 1]);
  assert.deepEqual(await records("1.2.0.192.in-addr.arpa", "PTR"), ["host.example", 1]);
  assert.deepEqual(await records("mail.example", "MX"), [
    { preference: 5, exchange: "host.example" },
    1,
  ]);
  const none = { kind: "none", ttlSeconds: 0 };
  assert.deepEqual(await records("text.example", "A"), { ...none, exists: true });
  assert.deepEqual(await records("nobody.example", "A"), { ...none, exists: false });
  const down = await records("down.example", "A");
  assert.equal(!Array.isArray(down) && down.kind, "unavailable");
});
