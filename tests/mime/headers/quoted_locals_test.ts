import assert from "node:assert/strict";
import { parseHead } from "../../../mime/headers/parse_head.ts";
import { shortestAddress } from "../../../mime/headers/quoted_locals.ts";

function addresses(field: string) {
  const head = parseHead(new TextEncoder().encode(`From: ${field}\r\nTo: ${field}\r\n\r\n`));
  assert.deepEqual(head.from, head.to[0]);
  return head.to.map(({ address, name }) => name ? `${name} | ${address}` : address);
}

Deno.test("a local part that needs quotes is shown with them, and another without", () => {
  for (
    const [field, ...expected] of [
      ['"odd user"@example.com', '"odd user"@example.com'],
      ['Ann <"odd user"@example.com>', 'Ann | "odd user"@example.com'],
      ['"a@b"@example.com, bob@x.example', '"a@b"@example.com', "bob@x.example"],
      ['"noreply@bank.example"@evil.example', '"noreply@bank.example"@evil.example'],
      ['"x\\"y\\\\z"@example.com', '"x\\"y\\\\z"@example.com'],
      ['"a (b)"@example.com', '"a (b)"@example.com'],
      ['"ada" @ example.com', "ada@example.com"],
      [
        '"Lee, Ann" <ann@example.com>, "b c"@x.example',
        "Lee, Ann | ann@example.com",
        '"b c"@x.example',
      ],
      ['"a b"@x <real@y.example>', "a b@x | real@y.example"],
      ['"a"."b"@example.com', "a.b@example.com"],
      ['"a"."b c"@example.com', '"a.b c"@example.com'],
      ['x"noreply@bank.example"@evil.example', '"xnoreply@bank.example"@evil.example'],
      // Somebody else's marks are text.
      [
        '\ue0000\ue001@evil.example, "b c"@x.example',
        "\ue0000\ue001@evil.example",
        "b c@x.example",
      ],
    ]
  ) assert.deepEqual(addresses(field), expected, field);
});

Deno.test("shortestAddress() removes quotes that are not needed, and nothing else", () => {
  for (
    const [text, expected] of [
      ['"ada"@example.com', "ada@example.com"],
      ['"a\\da"@example.com', "ada@example.com"],
      ['"odd user"@example.com', '"odd user"@example.com'],
      ['"a\\"b"@example.com', '"a\\"b"@example.com'],
      ['"a.b"@example.com', "a.b@example.com"],
      ...['""@example.com', '"a"b@example.com', "ada@example.com", "", "@", '"a\nb"@example.com']
        .map((same) => [same, same]),
    ]
  ) assert.equal(shortestAddress(text), expected);
});
