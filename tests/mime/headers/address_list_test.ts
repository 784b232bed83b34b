import assert from "node:assert/strict";
import { checkedAddress, parseAddressList } from "../../../mime/headers/address_list.ts";
import { mailboxForm } from "../../../domain/mailboxes/address.ts";

Deno.test("parseAddressList() reads bare addresses, names, quoted names and comma lists", () => {
  assert.deepEqual(parseAddressList('a@one.example, "Doe, Zoë" <Zoe.D@Two.Example>'), {
    ok: true,
    addresses: [{ address: "a@one.example" }, { name: "Doe, Zoë", address: "Zoe.D@two.example" }],
  });
});

Deno.test("parseAddressList() takes the address and never the name for the recipient", () => {
  assert.deepEqual(parseAddressList('"victim@one.example" <real@two.example>'), {
    ok: true,
    addresses: [{ name: "victim@one.example", address: "real@two.example" }],
  });
});

for (
  const [what, text] of [
    ["CRLF", "a@one.example\r\nBcc: b@two.example"],
    ["a bare LF", "A\n<a@one.example>"],
    ["a bare CR", "A\r<a@one.example>"],
    ["NUL", "a@one.example\0"],
    ["U+2028", "A\u2028 <a@one.example>"],
  ]
) {
  Deno.test(`parseAddressList() refuses ${what}`, () => {
    assert.deepEqual(parseAddressList(text), {
      ok: false,
      reason: "must not hold line breaks or control characters",
    });
  });
}

Deno.test("parseAddressList() refuses what is no address, naming it", () => {
  for (
    const text of [
      "nobody",
      "@one.example",
      "a@",
      "a@localhost",
      "a b@one.example",
      "a..b@one.example",
      "a@[192.0.2.1]",
      "a@192.0.2.1",
      "a@0x7f.1",
      "a@one.example>",
      "ü@one.example",
      `${"a".repeat(65)}@one.example`,
      `a@${"x".repeat(64)}.example`,
      `a@${"x.".repeat(130)}example`,
      "friends: a@one.example;",
      "",
    ]
  ) {
    const verdict = parseAddressList(text);
    // A stray bracket may be read as a name or dropped, but never end up in the address.
    if (verdict.ok) assert.deepEqual(verdict.addresses, [{ address: "a@one.example" }], text);
    else assert.match(verdict.reason, /^(is empty|must not be|is not an email address)/, text);
  }
});

Deno.test("checkedAddress() writes an international domain in ASCII and keeps the local part", () => {
  assert.equal(checkedAddress("Ann@Bücher.Example"), "Ann@xn--bcher-kva.example");
});

Deno.test("mailboxForm() folds case and takes the tag off", () => {
  assert.equal(mailboxForm("Agent+News@Agents.Example"), "agent@agents.example");
  assert.equal(mailboxForm("+odd@agents.example"), "+odd@agents.example");
});
