import assert from "node:assert/strict";
import { isPublicAddress, literalAddress } from "../../../adapters/webhook_target/address.ts";

const notPublic = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.7",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "",
  "example.com",
  "127.0.0.1.nip.io",
];

const isPublic = [
  "1.1.1.1",
  "8.8.8.8",
  "11.0.0.1",
  "100.63.0.1",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.167.255.255",
  "198.17.0.1",
  "223.255.255.254",
  "2606:4700::1111",
  "2a00:1450:4001::200e",
  "::ffff:8.8.8.8",
];

Deno.test("isPublicAddress() is false for every special-purpose address and for names", () => {
  for (const address of notPublic) assert.equal(isPublicAddress(address), false, address);
});

Deno.test("isPublicAddress() is true for the neighbours of special ranges and for the internet", () => {
  for (const address of isPublic) assert.equal(isPublicAddress(address), true, address);
});

Deno.test("literalAddress() finds IPv6 in a URL's brackets, and no address in a name", () => {
  assert.equal(literalAddress("[2606:4700::1111]"), "2606:4700::1111");
  assert.equal(literalAddress("8.8.8.8"), "8.8.8.8");
  assert.equal(literalAddress("example.com"), null);
});
