import assert from "node:assert/strict";
import {
  addressPattern,
  isBlocked,
  isListed,
} from "../../../../domain/mailboxes/policy/address_patterns.ts";

Deno.test("an entry is normalised; a text that is neither an address nor a domain is refused", () => {
  const kept: Record<string, string> = {
    " Ann@Example.NET ": "ann@example.net",
    "@Example.NET.": "@example.net",
    "@bücher.example": "@xn--bcher-kva.example",
    "ann+x@bücher.example": "ann+x@xn--bcher-kva.example",
  };
  for (const [text, pattern] of Object.entries(kept)) assert.equal(addressPattern(text), pattern);
  const refused = ["", "@", "ann", "ann@", "a@b@c.net", "a b@c.net", "<a@c.net>", "@a@c.net"];
  refused.push(
    "a@c.net, b@c.net",
    "a\r\nb@c.net",
    "@-x.net",
    "@1.2.3.4",
    "*@c.net",
    "news*@c.net",
    "@*.c.net",
    `${"x".repeat(65)}@c.net`,
  );
  for (const text of refused) assert.equal(addressPattern(text), null, JSON.stringify(text));
});

Deno.test("a domain includes its subdomains; an address with a tag is another address for an allow, the same for a block", () => {
  const domains = ["@example.net"];
  for (const each of ["a@example.net", "A@EXAMPLE.net", "a@x.y.example.net"]) {
    assert.equal(isListed(domains, each), true, each);
    assert.equal(isBlocked(domains, each), true, each);
  }
  for (const each of ["a@notexample.net", "a@net", "a@example.net.evil.org", "example.net", ""]) {
    assert.equal(isListed(domains, each), false, each);
    assert.equal(isBlocked(domains, each), false, each);
  }
  const one = ["ann@example.net"];
  assert.deepEqual(["ann@example.net", "ANN@example.net"].map((each) => isListed(one, each)), [
    true,
    true,
  ]);
  assert.equal(isListed(one, "ann+x@example.net"), false);
  assert.equal(isBlocked(one, "Ann+x@example.net"), true);
  assert.equal(isBlocked(["ann+x@example.net"], "ann@example.net"), false);
});
