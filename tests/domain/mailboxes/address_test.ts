import assert from "node:assert/strict";
import fc from "fast-check";
import {
  normaliseAddress,
  parseEnvelopeAddress,
  routingAddress,
  splitEnvelopeList,
} from "../../../domain/mailboxes/address.ts";
import { ownMs } from "../../own_time.ts";

Deno.test("normaliseAddress() gives one spelling for every case, IDNA form and final dot", () => {
  const expected = {
    local: "agent",
    domain: "xn--bcher-kva.example",
    address: "agent@xn--bcher-kva.example",
  };
  for (
    const text of [
      "agent@bücher.example",
      "AGENT@BÜCHER.EXAMPLE",
      " Agent@xn--bcher-kva.example. ",
    ]
  ) assert.deepEqual(normaliseAddress(text), expected, text);
  for (const text of ["", "agent", "@host.example", "agent@", "agent@a b"]) {
    assert.equal(normaliseAddress(text), null, text);
  }
});

Deno.test("routingAddress() takes a plus tag off, and only a tag", () => {
  for (
    const [from, to] of [
      ["agent+orders@host.example", "agent@host.example"],
      ["agent+a+b@host.example", "agent@host.example"],
      ["agent+@host.example", "agent@host.example"],
      ["agent@host.example", "agent@host.example"],
      ["+agent@host.example", "+agent@host.example"],
    ]
  ) {
    const address = normaliseAddress(from);
    assert.ok(address !== null);
    assert.equal(routingAddress(address).address, to);
  }
});

Deno.test("parseEnvelopeAddress() reads brackets, source routes and quoted local parts", () => {
  for (
    const [text, address] of [
      ["agent@host.example", "agent@host.example"],
      ["<Agent@Host.Example>", "agent@host.example"],
      [" <agent@host.example> ", "agent@host.example"],
      ["<@relay.example,@other.example:agent@host.example>", "agent@host.example"],
      ['"agent"@host.example', "agent@host.example"],
      ['<"ag\\ent"@host.example>', "agent@host.example"],
      ["agent+tag@host.example.", "agent+tag@host.example"],
      ["a..b@host.example", "a..b@host.example"],
      ["o'brien!#$%&*/=?^`{|}~@host.example", "o'brien!#$%&*/=?^`{|}~@host.example"],
      ["агент@host.example", "агент@host.example"],
      ["agent@bücher.example", "agent@xn--bcher-kva.example"],
    ]
  ) assert.equal(parseEnvelopeAddress(text)?.address, address, text);
});

Deno.test("parseEnvelopeAddress() keeps the quotes of a local part that no mailbox can have", () => {
  assert.equal(parseEnvelopeAddress('"two words"@host.example')?.local, "two words");
  assert.equal(parseEnvelopeAddress('"a@b"@host.example')?.local, "a@b");
  assert.equal(parseEnvelopeAddress('"a@b"@host.example')?.domain, "host.example");
});

Deno.test("parseEnvelopeAddress() refuses what is malformed", () => {
  for (
    const text of [
      "",
      "<>",
      "agent",
      "<postmaster>",
      "@host.example",
      "agent@",
      "<agent@host.example",
      "agent@host.example>",
      "agent@@host.example",
      "a@b@host.example",
      "agent @host.example",
      "agent@host .example",
      '"agent@host.example',
      '""@host.example',
      '"a\u0000b"@host.example',
      "agent\r\nX: y@host.example",
      "agent@[192.0.2.1]",
      "agent@192.0.2.1",
      "Agent <agent@host.example>",
      "agent@host.example, other@host.example",
      `${"a".repeat(500)}@host.example`,
    ]
  ) assert.equal(parseEnvelopeAddress(text), null, JSON.stringify(text));
});

Deno.test("parseEnvelopeAddress() reads any text at once, and reading its result again changes nothing", () => {
  fc.assert(fc.property(
    fc.oneof(fc.string(), fc.emailAddress(), fc.emailAddress().map((each) => `<${each}>`)),
    (text) => {
      const parsed = parseEnvelopeAddress(text);
      if (parsed === null || /["\\\s(),:;<>[\]@]/.test(parsed.local)) return;
      assert.deepEqual(parseEnvelopeAddress(parsed.address), parsed);
    },
  ));
  const started = ownMs();
  parseEnvelopeAddress(`"${"\\".repeat(100_000)}`);
  parseEnvelopeAddress(`<@${"a,@".repeat(100)}x`);
  parseEnvelopeAddress(`${"a".repeat(100_000)}@`);
  assert.ok(ownMs() - started < 2_000);
});

Deno.test("splitEnvelopeList() cuts at commas that separate addresses only", () => {
  assert.deepEqual(
    splitEnvelopeList(
      'a@x.example, <@r.example,@s.example:b@x.example>,"c,\\"d"@x.example,, e@x.example ',
    ),
    [
      "a@x.example",
      "<@r.example,@s.example:b@x.example>",
      '"c,\\"d"@x.example',
      "e@x.example",
    ],
  );
  assert.deepEqual(splitEnvelopeList(" , "), []);
});
