import assert from "node:assert/strict";
import { hostileKinds, hostileSizes } from "./kinds.ts";
import { hostileMessage } from "./message.ts";
import { seeded } from "../seeded.ts";

const decode = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

Deno.test("there are at least 60 kinds of hostile mail in four sizes, each by its own name", () => {
  assert.ok(hostileKinds.length >= 60);
  assert.equal(new Set(hostileKinds.map(({ name }) => name)).size, hostileKinds.length);
  assert.equal(hostileSizes.length, 4);
});

Deno.test("a message has the requested size, is equal for the same seed, and differs for another mark", () => {
  for (const kind of hostileKinds) {
    const make = (mark: string) => hostileMessage(kind, 20_000, mark, seeded(1)).bytes;
    const bytes = make("one");
    assert.ok(bytes.length >= 20_000, kind.name);
    assert.deepEqual(bytes, make("one"), kind.name);
    assert.notDeepEqual(bytes, make("two"), kind.name);
  }
});

Deno.test("a kind keeps its own header fields, and gets the usual ones in addition", () => {
  const kind = { name: "own", before: "From: me\nX-A: b\n\n{mark}", piece: "é" };
  const { bytes, marked } = hostileMessage(kind, 10, "word", seeded(1));
  const text = decode(bytes);
  assert.equal(text.match(/^From:/gm)?.length, 1);
  assert.match(text, /^Subject: word\r\n/m);
  assert.match(text, /\r\n\r\nword/);
  assert.ok(marked);
  const raw = {
    name: "raw",
    before: "a\n",
    piece: "\xff\r",
    latin1: true,
    keepsLineEnds: true,
  } as const;
  const plain = hostileMessage({ ...raw, bare: true }, 5, "word", seeded(1));
  assert.equal(decode(plain.bytes), "a\n\xff\r\xff\r");
  assert.ok(!plain.marked);
});
