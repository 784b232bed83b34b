import assert from "node:assert/strict";
import { copyOf, repeated } from "../../bench/mail.ts";
import { parseHead } from "../../mime/headers/parse_head.ts";
import { ratioOf } from "../../bench/figure.ts";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const reply = bytes(
  "Message-ID: <2@example.net>\r\nReferences: <0@example.net>\r\n <1@example.net>\r\n" +
    "Subject: caf\x82\r\nTo: <ada@example.net>\r\n\r\nbody <1@example.net> \x80\x9f\r\n",
);

Deno.test("a copy of a message has other ids in the header, and otherwise the same bytes", () => {
  const [first, second, third] = repeated([reply], 3);
  assert.equal(first, reply);
  assert.deepEqual(
    [second, third].map((raw) => {
      const { messageId, references } = parseHead(raw);
      return [messageId, ...references];
    }),
    [1, 2].map((copy) => ["2", "0", "1"].map((id) => `<${id}.copy${copy}@example.net>`)),
  );
  const latin1 = String.fromCharCode(...second);
  assert.ok(latin1.endsWith("\r\nX-Copy: 1\r\n\r\nbody <1@example.net> \x80\x9f\r\n"));
  assert.ok(latin1.includes("Subject: caf\x82\r\nTo: <ada@example.net>\r\n"));
});

Deno.test("copies of a message without an id differ too", () => {
  assert.notDeepEqual(copyOf(bytes("Subject: a\n\nb\n"), 1), copyOf(bytes("Subject: a\n\nb\n"), 2));
});

Deno.test("a ratio is of the medians, with the least and the greatest of a round", () => {
  const rounds = { ours: [2, 6, 4], bare: [4, 4, 4] };
  assert.equal(ratioOf({ name: "", unit: "", ours: 4, bare: 4, rounds }), "1.00 (0.50 to 1.50)");
  assert.equal(ratioOf({ name: "", unit: "", ours: 4, bare: 8 }), "0.50");
  assert.equal(ratioOf({ name: "", unit: "", ours: 4 }), null);
});
