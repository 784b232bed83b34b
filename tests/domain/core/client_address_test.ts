import assert from "node:assert/strict";
import {
  clientAddress,
  limitSubject,
  parseNetworks,
  tooWide,
} from "../../../domain/core/client_address.ts";

const proxies = parseNetworks(["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]);

Deno.test("without trusted proxies X-Forwarded-For is ignored, because anybody can send it", () => {
  assert.equal(clientAddress("203.0.113.5", "1.2.3.4", []), "203.0.113.5");
  assert.equal(clientAddress("203.0.113.5", "1.2.3.4", proxies), "203.0.113.5");
});

Deno.test("behind trusted proxies the client is the last hop that is not one of them", () => {
  assert.equal(clientAddress("10.0.0.2", "203.0.113.5", proxies), "203.0.113.5");
  assert.equal(clientAddress("10.0.0.2", "6.6.6.6, 203.0.113.5, 10.9.9.9", proxies), "203.0.113.5");
  assert.equal(clientAddress("192.0.2.1", "2001:db8::1", proxies), "2001:db8::1");
  assert.equal(clientAddress("2001:db8::7", "203.0.113.5", proxies), "203.0.113.5");
});

Deno.test("if a proxy sends no header, or nonsense, the proxy itself is the client", () => {
  assert.equal(clientAddress("10.0.0.2", null, proxies), "10.0.0.2");
  assert.equal(clientAddress("10.0.0.2", "6.6.6.6, unknown", proxies), "10.0.0.2");
  assert.equal(clientAddress("10.0.0.2", "1", proxies), "10.0.0.2");
});

Deno.test("ports, brackets and IPv4 in IPv6 are read as the address they name", () => {
  assert.equal(clientAddress("::ffff:10.0.0.2", "203.0.113.5:4711", proxies), "203.0.113.5");
  assert.equal(clientAddress("10.0.0.2", "[2001:DB9::1]:443", proxies), "2001:db9::1");
});

Deno.test("a header of a thousand hops costs no more than one of thirty-two", () => {
  const hops = Array(1000).fill("10.0.0.3").join(",");
  assert.equal(clientAddress("10.0.0.2", `203.0.113.5,${hops}`, proxies), "10.0.0.3");
});

Deno.test("limits count an IPv4 address whole and an IPv6 address by its /64", () => {
  assert.equal(limitSubject("203.0.113.5"), "203.0.113.5");
  assert.equal(limitSubject("2001:db9:1:2:3::4"), "20010db900010002/64");
  assert.equal(limitSubject("2001:db9:1:2:ffff::9"), "20010db900010002/64");
  assert.equal(limitSubject("unknown"), "unknown");
});

Deno.test("parseNetworks() names the entry that is wrong", () => {
  assert.throws(() => parseNetworks(["10.0.0.0/8", "proxy.example"]), /proxy\.example/);
});

Deno.test("a block that has clients in it is too wide for TRUSTED_PROXIES, a provider's or a private one is not", () => {
  const wide = ["0.0.0.0/0", "::/0", "128.0.0.0/1", "2000::/3"];
  const usual = [
    "10.0.0.0/8",
    "127.0.0.1",
    "::1",
    "fd00::/16",
    "173.245.48.0/20",
    "2400:cb00::/32",
  ];
  assert.deepEqual(tooWide(parseNetworks([...wide, ...usual])), wide);
});
