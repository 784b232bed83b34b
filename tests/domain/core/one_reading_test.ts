import assert from "node:assert/strict";
import { normaliseHost, unambiguousHost } from "../../../domain/core/host_name.ts";
import { loadMailauth } from "../../../adapters/sender_checks/mailauth_parts.ts";

Deno.test("unambiguousHost() gives the name that the check of a sender asks the DNS for, and refuses what it reads differently", async () => {
  const { getAuthorDomain } = await loadMailauth();
  let one = 0, two = 0;
  for (let code = 0x80; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const name = `ba${String.fromCodePoint(code)}nk.example`;
    const host = normaliseHost(name);
    if (host === null) {
      assert.equal(unambiguousHost(name), null);
      continue;
    }
    const asked = getAuthorDomain([`a@${name}`]).authorDomain;
    // Both read the ideographic full stop U+3002 as a dot; other programs do not.
    const isOne = host === asked && host.split(".").length === 2;
    assert.equal(unambiguousHost(name), isOne ? host : null, code.toString(16));
    isOne ? one++ : two++;
  }
  assert.ok(one > 10_000 && two > 1_000, `${one} ${two}`);
});

Deno.test("a name in capitals, decomposed, with a final dot or as A-label has one reading", () => {
  const host = "xn--bcher-kva.example";
  for (const name of ["BÜCHER.example", "bu\u0308cher.example", `${host}.`, host.toUpperCase()]) {
    assert.equal(unambiguousHost(name), host, name);
  }
  assert.equal(unambiguousHost("Bank.Example."), "bank.example");
  for (
    const name of [
      "ｂank.example",
      "ba\u00adnk.example",
      "ba\u200bnk.example",
      "ba\u2060nk.example",
    ]
  ) {
    assert.equal(normaliseHost(name), "bank.example");
    assert.equal(unambiguousHost(name), null);
  }
});
