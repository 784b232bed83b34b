import assert from "node:assert/strict";
import { KeptBodies } from "../../../../../domain/mail/read/parsing/kept_bodies.ts";
import { type MessageBody, parseBody } from "../../../../../mime/body/parse_body.ts";
import { message } from "../../../../service.ts";

const body: MessageBody = {
  text: "Hello\n\n> quoted\n",
  html: null,
  newText: "Hello",
  snippet: "Hello",
  excerpt: "Hello",
  attachments: [{
    attachmentId: "att_2",
    filename: "a\0b.txt",
    contentType: "text/plain",
    charset: null,
    size: 3,
    contentDisposition: null,
    contentId: null,
    sha256: "ab",
  }],
  attachedTexts: ["NUL \0 and \ud800"],
  truncated: false,
  problem: null,
};

Deno.test("a kept body is the body that was given", () => {
  const bodies: MessageBody[] = [
    body,
    { ...body, text: "", newText: "" },
    { ...body, html: "" },
    { ...body, html: "<p>Grüße 🎉</p>".repeat(1_000), text: "Grüße 🎉\n".repeat(1_000) },
    { ...body, newText: "other words than those of the text" },
    { ...body, text: "half a pair \udc00" },
    { ...body, text: "\ufeffa mark at the beginning" },
    { ...body, html: "<p>long</p>".repeat(50_000) },
    parseBody(new TextEncoder().encode(message({ Subject: "Real" }, "Hi\n\n-- \nAda\n"))),
  ];
  const kept = new KeptBodies();
  bodies.forEach((each, n) => kept.set(String(n), each));
  bodies.forEach((each, n) => assert.deepEqual(kept.get(String(n)), each, String(n)));
  kept.clear();
  assert.equal(kept.get("0"), undefined);
});

Deno.test("kept bodies have bounded bytes: the one that was not read for the longest time goes", () => {
  const kept = new KeptBodies();
  const count = 60;
  for (let n = 0; n < count; n++) {
    kept.set(String(n), { ...body, text: "x".repeat(250_000) });
    kept.get("0");
  }
  const there = Array.from({ length: count }, (_, n) => kept.get(String(n)) !== undefined);
  assert.equal(there[0], true);
  assert.equal(there[1], false);
  assert.equal(there[count - 1], true);
});
