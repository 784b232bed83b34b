import assert from "node:assert/strict";
import { isPublicHost, normaliseHost } from "../../../domain/core/host_name.ts";

Deno.test("normaliseHost() writes every spelling of a host in one way", () => {
  for (
    const [text, host] of [
      ["Example.COM", "example.com"],
      [" example.com. ", "example.com"],
      ["bücher.example", "xn--bcher-kva.example"],
      ["BÜCHER.example", "xn--bcher-kva.example"],
      ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
      ["localhost", "localhost"],
      ["3com.example", "3com.example"],
      [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
    ]
  ) assert.equal(normaliseHost(text), host, text);
});

Deno.test("normaliseHost() refuses what is no host name", () => {
  for (
    const text of [
      "",
      ".",
      "example..com",
      ".example.com",
      "example.com..",
      "-a.example",
      "a-.example",
      "foo_bar.example",
      "exa mple.com",
      "http://example.com",
      "example.com/path",
      "example.com:25",
      "user@example.com",
      "ex%61mple.com",
      "192.0.2.1",
      "[192.0.2.1]",
      "::1",
      "a.0x7f",
      `${"a".repeat(64)}.example`,
      `${"abcdefg.".repeat(32)}example`,
      "a".repeat(2000),
      "a\u0000.example",
    ]
  ) assert.equal(normaliseHost(text), null, JSON.stringify(text));
});

Deno.test("isPublicHost() refuses single labels and names kept for local use", () => {
  for (const host of ["example.com", "a.b.example", "xn--bcher-kva.example"]) {
    assert.equal(isPublicHost(host), true, host);
  }
  for (const host of ["com", "localhost", "a.localhost", "printer.local", "a.internal", "x.arpa"]) {
    assert.equal(isPublicHost(host), false, host);
  }
});

Deno.test("an A-label that is none is no host, also in a name that looks plain", () => {
  for (const host of ["xn--.example", "xn--a.example", "a.xn--0.example"]) {
    assert.equal(normaliseHost(host), null, host);
  }
  assert.equal(normaliseHost("xn--bcher-kva.example"), "xn--bcher-kva.example");
});
