import assert from "node:assert/strict";
import { addressParser } from "postal-mime";
import { plainAddresses } from "../../../mime/headers/plain_addresses.ts";
import { seeded } from "../../torture/seeded.ts";

const pieces = [
  ...['"', "<", ">", ",", ";", ":", "(", ")", "@", ".", " ", "  ", "\t", "\\", "'", "\u00a0", "é"],
  ...["Ann", "Ann Lee", "ann@example.com", "<ann@example.com>", '"Lee, Ann" ', "a b@c", "<>", '""'],
  ...["undisclosed-recipients:;", "<@a,@b:c@d>", "a@b@c", "[192.0.2.1]", "o'neil+x@a-b.example"],
];

Deno.test("addresses in their usual form are read as postal-mime reads them, others are left to it", () => {
  const random = seeded(1);
  let plain = 0;
  for (let n = 0; n < 50_000; n++) {
    const text = Array.from(
      { length: Math.floor(random() * 7) },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join("");
    const found = plainAddresses(text);
    if (found === null) continue;
    plain++;
    assert.deepEqual(found, addressParser(text, { flatten: true }), JSON.stringify(text));
  }
  assert.ok(plain > 3_000, `${plain}`);
});

Deno.test("usual addresses are plain", () => {
  const text = ' ann@example.com, "Lee, Bob (x)" <bob@example.com> ,\tCid  Lee <cid@example.com>,';
  assert.deepEqual(plainAddresses(text), [
    { address: "ann@example.com", name: "" },
    { address: "bob@example.com", name: "Lee, Bob (x)" },
    { address: "cid@example.com", name: "Cid  Lee" },
  ]);
  for (
    const other of [
      "Ann: a@b.c;",
      "a@b.c (Ann)",
      "<a b@c.d>",
      '"A \\B" <a@b.c>',
      '"A\\"b" <a@b.c>',
      "Ann",
    ]
  ) {
    assert.equal(plainAddresses(other), null, other);
  }
});
