import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { composeMessage, type OutgoingMessage } from "../../../mime/compose/compose.ts";
import { isTaken } from "../../../mime/compose/relay_form.ts";

const plain: OutgoingMessage = {
  messageId: "<018f-a@agents.example>",
  dateMs: Date.UTC(2026, 10, 21, 8, 0, 0),
  from: { name: "Zoë's agent", address: "zoe-agent@agents.example" },
  to: [{ address: "ann@one.example" }, { name: "Bo, Jr.", address: "bo@two.example" }],
  cc: [{ address: "cy@three.example" }],
  bcc: [{ name: "Hidden", address: "hidden@four.example" }],
  subject: "Prüfung — 検査",
  text: "Grüße\nfrom an agent\n",
  attachments: [],
};

async function composed(change: Partial<OutgoingMessage>) {
  const raw = await composeMessage({ ...plain, ...change });
  return { raw, text: new TextDecoder("latin1").decode(raw), mail: await PostalMime.parse(raw) };
}

Deno.test("composeMessage() writes headers that another parser reads back whole", async () => {
  const { mail } = await composed({
    html: "<p>Grüße</p>",
    replyTo: [{ address: "desk@agents.example" }],
    inReplyTo: "<parent@one.example>",
    references: ["<root@one.example>", "<parent@one.example>"],
  });
  assert.equal(mail.messageId, "<018f-a@agents.example>");
  assert.equal(mail.date, "2026-11-21T08:00:00.000Z");
  assert.deepEqual(mail.from, { name: "Zoë's agent", address: "zoe-agent@agents.example" });
  assert.deepEqual(mail.to, [
    { name: "", address: "ann@one.example" },
    { name: "Bo, Jr.", address: "bo@two.example" },
  ]);
  assert.deepEqual(mail.cc, [{ name: "", address: "cy@three.example" }]);
  assert.deepEqual(mail.replyTo, [{ name: "", address: "desk@agents.example" }]);
  assert.equal(mail.subject, "Prüfung — 検査");
  assert.equal(mail.inReplyTo, "<parent@one.example>");
  assert.equal(mail.references, "<root@one.example> <parent@one.example>");
  assert.equal(mail.text?.trim(), "Grüße\nfrom an agent");
  assert.equal(mail.html?.trim(), "<p>Grüße</p>");
});

Deno.test("composeMessage() never writes a Bcc recipient into the message", async () => {
  const { text, mail } = await composed({});
  assert.equal(mail.bcc, undefined);
  assert.doesNotMatch(text, /hidden/i);
});

Deno.test("composeMessage() ends every line with CRLF, whatever the body brought", async () => {
  const { raw } = await composed({ text: "one\ntwo\r\nthree\rfour\n", html: "<p>\n</p>\n" });
  for (const [index, byte] of raw.entries()) {
    if (byte === 0x0a) assert.equal(raw[index - 1], 0x0d, `bare LF at ${index}`);
    if (byte === 0x0d) assert.equal(raw[index + 1], 0x0a, `bare CR at ${index}`);
  }
});

Deno.test("composeMessage() carries attachments byte for byte, with names in any script", async () => {
  const content = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256);
  const { mail } = await composed({
    attachments: [
      { filename: 'Übersicht "1".pdf', contentType: "application/pdf", content },
      { filename: "empty.txt", contentType: "text/plain", content: new Uint8Array() },
    ],
  });
  assert.deepEqual(
    mail.attachments.map((part) => [part.filename, part.mimeType, part.disposition]),
    [
      ['Übersicht "1".pdf', "application/pdf", "attachment"],
      ["empty.txt", "text/plain", "attachment"],
    ],
  );
  assert.deepEqual(new Uint8Array(mail.attachments[0].content as ArrayBuffer), content);
});

Deno.test("composeMessage() keeps text that looks like an encoded word as text", async () => {
  const subject = "=?utf-8?Q?a=0D=0ABcc:_x@evil.example?=";
  const { text, mail } = await composed({ subject, from: { ...plain.from, name: subject } });
  assert.equal(mail.subject, subject);
  assert.equal(mail.from?.name, subject);
  assert.equal(text.match(/^subject:/gim)?.length, 1);
});

Deno.test("composeMessage() marks an automatic reply and nothing else", async () => {
  assert.match((await composed({ autoSubmitted: true })).text, /^Auto-Submitted: auto-replied\r$/m);
  assert.doesNotMatch((await composed({})).text, /auto-submitted/i);
});

Deno.test("composeMessage() keeps every header line within 998 characters", async () => {
  const references = Array.from({ length: 100 }, (_, n) => `<${n}.${"x".repeat(60)}@one.example>`);
  const { text, mail } = await composed({ references, subject: "long ".repeat(190) });
  const longest = Math.max(...text.split("\r\n").map((line) => line.length));
  assert.ok(longest <= 998, `${longest}`);
  assert.equal(mail.references?.split(/\s+/).length, 100);
});

Deno.test("composeMessage() writes seven bits and short lines, whatever the fields, bodies and files are called and hold", async () => {
  const texts = [
    "x".repeat(1_000),
    "漢".repeat(1_000),
    "a b ".repeat(250),
    "\u{1f600}".repeat(500),
  ];
  for (const text of texts) {
    const people = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        name: text.slice(0, 200),
        address: `${n}${"y".repeat(60)}@${"z.".repeat(90)}example`,
      }));
    const { raw, mail } = await composed({
      ...{ subject: text, from: people(1)[0], to: people(20), cc: people(30), replyTo: people(50) },
      ...{ text: `${text}\r${text}\0\n`, html: `<p>${text}</p>` },
      headers: { [`X-${"n".repeat(74)}`]: text.slice(0, 900) },
      attachments: ["application/pdf", "text/calendar; charset=utf-8", "text/html", "text/plain"]
        .map((contentType) => ({
          ...{ filename: text.slice(0, 254), contentType },
          content: new TextEncoder().encode(`${text}\r${text}\0`),
        })),
    });
    assert.ok(isTaken(raw, { eightBit: false }), text.slice(0, 9));
    assert.equal(mail.subject, text.trimEnd());
    assert.equal(mail.to?.length, 20);
    const own = { name: text.slice(0, 200).trim(), address: people(1)[0].address };
    assert.deepEqual(mail.from, own);
    for (const { filename } of mail.attachments) assert.equal(filename, text.slice(0, 254));
  }
});

Deno.test("composeMessage() carries a message that is lines of mail unchanged, of another each word, and never as base64", async () => {
  const head = "From: ann@one.example\r\nSubject: s\r\n\r\n";
  const lines = { "7bit": ["text\r\n", `${"x".repeat(998)}\r\n`], "8bit": ["Grüße\r\n"] };
  const others = { "7bit": ["a\rb\r\n", "a\r", "a\0b\r\n", `${"x".repeat(999)}\r\n`] };
  const cases = [...Object.entries(lines), ...Object.entries(others)];
  for (const [encoding, bodies] of cases) {
    for (const body of bodies) {
      const content = new TextEncoder().encode(head + body);
      const attachment = { filename: "m.eml", contentType: "message/rfc822", content };
      const { raw, text } = await composed({ text: "see below", attachments: [attachment] });
      const [, found] = /message\/rfc822[^]*?Content-Transfer-Encoding: (\w+)/.exec(text)!;
      assert.equal(found, encoding, JSON.stringify(body.slice(0, 20)));
      assert.doesNotMatch(text, /\0|\r(?!\n)|[^\n]{1000}/);
      if (bodies !== others["7bit"]) {
        assert.ok(text.includes(new TextDecoder("latin1").decode(content)));
        continue;
      }
      const { attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true });
      const inner = await PostalMime.parse(attachments[0].content as ArrayBuffer);
      assert.deepEqual([inner.subject, inner.text?.trimEnd()], ["s", body.trimEnd()]);
    }
  }
});
