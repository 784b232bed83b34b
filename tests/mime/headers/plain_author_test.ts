import assert from "node:assert/strict";
import { plainAuthor } from "../../../mime/headers/plain_author.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

const of = (header: string) => plainAuthor(new TextEncoder().encode(`${header}\r\n\r\nText.\r\n`));

Deno.test("the author of a usual message without signatures is plain", () => {
  const plain = [
    "From: ada@example.net",
    "From:ada@example.net\r\nTo: b@example.org",
    "Received: from mx.example\r\nfrom: Ada Lovelace <ada@example.net> ",
    'To: b@example.org\r\nFROM: "Ada Lovelace" <ada@example.net>',
    "From: =?utf-8?q?Zo=C3=AB?= <ada@example.net>",
  ];
  for (const header of plain) assert.equal(of(header), "ada@example.net", header);
  assert.equal(plainAuthor(new TextEncoder().encode("From: a@b.example\n\nx")), "a@b.example");
});

Deno.test("a signature, or a From field that two programs could read in two ways, is not plain", () => {
  const other = [
    "From: ada@example.net\r\nDKIM-Signature: v=1",
    "dkim-signature : v=1\r\nFrom: ada@example.net",
    "ARC-Seal: i=1\r\nFrom: ada@example.net",
    "From: ada@example.net\r\nFrom: eve@evil.example",
    "From: ada@example.net\r\n From: eve@evil.example",
    "From: ada@example.net\r\nFrom : eve@evil.example",
    "From: ada@example.net,\r\n eve@evil.example",
    "From: ada@example.net\r\n , eve@evil.example",
    "From: ada@example.net\r\n\t<eve@evil.example>",
    "From: ada@example.net, eve@evil.example",
    'From: "ada@example.net" <eve@evil.example>',
    "From: ada@example.net <eve@evil.example>",
    "From: a@b@example.net",
    "From: @relay:ada@example.net",
    "From: team: ada@example.net;",
    "From: ada@example.net (eve@evil.example)",
    "From: ada@[192.0.2.1]",
    "From: Ada",
    "From: \rFrom: ada@example.net",
    "Subject: x\rFrom: eve@evil.example\r\nFrom: ada@example.net",
    "Subject: x\r\n\tFrom: eve@evil.example\r\nFrom: ada@example.net",
    "To: b@example.org",
    `X: ${"y".repeat(40_000)}\r\nFrom: ada@example.net`,
  ];
  for (const header of other) assert.equal(of(header), null, header.slice(0, 80));
  assert.equal(plainAuthor(new TextEncoder().encode("From: ada@example.net")), null);
});

nightly("the slowest 32 KiB take less than 100 ms", () => {
  const slow = [" ", '"', "<", "a@", "from", "From:", "\r\n", "\r\n from", "a.", "\t\r\n"];
  for (const piece of slow) {
    const raw = new TextEncoder().encode(`From:${piece.repeat(31_000 / piece.length)}\r\n\r\n`);
    const begunAt = ownMs();
    plainAuthor(raw);
    assert.ok(ownMs() - begunAt < 100, JSON.stringify(piece));
  }
});
