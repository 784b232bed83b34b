import assert from "node:assert/strict";
import { Buffer, isAscii } from "node:buffer";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { parseHead } from "../../../mime/headers/parse_head.ts";
import { attachmentContents } from "../../../mime/body/parse_body.ts";
import { isTaken, relayForm } from "../../../mime/compose/relay_form.ts";

const sevenBit = { eightBit: false };

/** A message of these lines; `bytes` writes characters up to 255 as one byte each. */
const lines = (...all: string[]) => Buffer.from(all.join("\r\n"), "utf8");
const bytes = (...all: string[]) => Buffer.from(all.join("\r\n"), "latin1");

function form(message: Uint8Array, takes = sevenBit): Buffer {
  const found = relayForm(message, takes);
  assert.ok(found, "it has a form");
  assert.ok(isTaken(found, takes), "the relay takes it");
  return found;
}

/** What a reader sees of a message. */
function readOf(message: Uint8Array) {
  const { text, html, attachments } = parseBody(message);
  const ids = attachments.map(({ attachmentId }) => attachmentId);
  const { subject, from, to } = parseHead(message);
  return {
    ...{ subject, from, to, text, html },
    names: attachments.map(({ filename }) => filename),
    files: attachmentContents(message, ids, {}).map((each) => Buffer.from(each!).toString("hex")),
  };
}

const long = "y".repeat(1_200);
const top = (type: string, encoding: string) => [
  ...["From: ann@example.net", "To: bo@example.net", "Subject: s", "MIME-Version: 1.0"],
  ...[`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, ""],
];

const messages: Record<string, Uint8Array> = {
  "text in ISO-8859-1": bytes(...top("text/plain; charset=iso-8859-1", "8bit"), "Gr\xfc\xdfe", ""),
  "text in UTF-8 without a label": lines("From: ann@example.net", "", "Grüße", "=3D -- a", ""),
  "text of other letters": lines(...top("text/plain; charset=utf-8", "8bit"), "Привет ".repeat(40)),
  "a long line": lines(...top("text/html; charset=utf-8", "7bit"), `<p>${long}</p>`, ""),
  "a long line of quoted-printable": lines(...top("text/plain", "quoted-printable"), `=41${long}`),
  "base64 in one line": lines(
    ...top("text/plain; charset=utf-8", "base64"),
    Buffer.from(`Grüße ${long}`).toString("base64"),
  ),
  "a text called base64": lines(...top("text/plain; charset=utf-8", "base64"), "Grüße an alle."),
  "bytes": bytes(...top("application/octet-stream; name=a.bin", "binary"), "a\0b\rc\nd\xff"),
  "UTF-16": Buffer.concat([
    lines(...top("text/plain; charset=utf-16le", "8bit"), ""),
    Buffer.from("Grüße\r\nan alle", "utf16le"),
  ]),
  "blanks at the ends of lines": lines(
    ...top("text/plain; charset=utf-8", "8bit"),
    "ä ",
    "b\t",
    " ",
  ),
  "parts of all kinds": lines(
    ...top('multipart/mixed; boundary="o"', "8bit"),
    ...["Vorspann ü", "--o", 'Content-Type: multipart/alternative; boundary="oo"', ""],
    ...["--oo", "Content-Type: text/plain; charset=utf-8", "", "Grüße", "--o-o", "--oo"],
    ...["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: 8bit", ""],
    ...["<p>Grüße</p>", "--oo--", "--o", "Content-Type: text/calendar; charset=utf-8; name=a.ics"],
    ...["", "BEGIN:VCALENDAR", "SUMMARY:Grüße", "END:VCALENDAR", "--o"],
    ...['Content-Type: application/pdf; name="b.pdf"', "Content-Transfer-Encoding: base64", ""],
    ...["JVBERi0=", "--o--", "Abspann ü", ""],
  ),
  "a part whose text begins at once, and no end": lines(
    ...top("multipart/mixed; boundary=b", "8bit"),
    ...["--b", "Grüße: an alle", "--b", "", "zwei ü", ""],
  ),
  "a boundary at which a soft line break could stand": lines(
    ...top("multipart/mixed; boundary=b", "8bit"),
    ...["--b", "", `ü${"x".repeat(71)}--b--`, `${"x".repeat(74)}--b`, "--b--", ""],
  ),
};

Deno.test("relayForm() writes a message in seven bits and short lines, and a reader sees the same", () => {
  for (const [what, message] of Object.entries(messages)) {
    const written = form(message);
    assert.deepEqual(readOf(written), readOf(message), what);
    assert.doesNotMatch(
      written.toString("latin1"),
      /^Content-Transfer-Encoding: (?:8bit|binary)/im,
    );
  }
});

Deno.test("relayForm() changes only long lines, NUL and CR for a relay of 8 bits", () => {
  for (const [what, message] of Object.entries(messages)) {
    assert.deepEqual(readOf(form(message, { eightBit: true })), readOf(message), what);
  }
  const kept = messages["text in ISO-8859-1"];
  assert.deepEqual(form(kept, { eightBit: true }), Buffer.from(kept));
});

Deno.test("relayForm() never encodes a multipart or a message, but the parts inside, at any depth", () => {
  const inner = messages["parts of all kinds"];
  const wrapped = (message: Uint8Array, encoding: string) =>
    Buffer.concat([
      lines(...top("multipart/mixed; boundary=w", "8bit"), "--w", "", "see", "--w", ""),
      lines("Content-Type: message/rfc822; name=m.eml", `Content-Transfer-Encoding: ${encoding}`),
      lines("", "", ""),
      message,
      lines("", "--w--", ""),
    ]);
  const written = form(wrapped(wrapped(inner, "8bit"), "binary")).toString("latin1");
  for (const [header] of written.matchAll(/Content-Type: (?:multipart|message)[^]*?\r\n\r\n/g)) {
    assert.doesNotMatch(header, /base64|quoted/);
  }
  assert.match(written, /Gr=C3=BC=C3=9Fe/);
  assert.match(written, /JVBERi0=/);
});

Deno.test("relayForm() writes a header beyond ASCII as encoded words and parameters", () => {
  const message = bytes(
    'From: "M\xfcller, J\xf6rg" <joerg@example.net>',
    "To: Zo\xeb <zoe@example.net>, bo@example.net",
    `Subject: Gr\xfc\xdfe ${"und so weiter ".repeat(30)}`,
    "MIME-Version: 1.0",
    'Content-Type: text/plain; charset=iso-8859-1; name="Gr\xfc\xdfe.txt"',
    'Content-Disposition: attachment; filename="Gr\xfc\xdfe.txt"',
    `X-Long: ${"word ".repeat(300)}`,
    "",
    "x",
  );
  const written = form(message);
  assert.ok(isAscii(written));
  assert.deepEqual(readOf(written), readOf(message));
  assert.deepEqual(readOf(written).from, { name: "Müller, Jörg", address: "joerg@example.net" });
  assert.deepEqual(readOf(written).names, ["Grüße.txt"]);
});

Deno.test("relayForm() reads a header that no charset is declared for as other readers do", () => {
  const subject = Buffer.from("d0d7d2c9d7c5d42c20cbc1cb20c4c5ccc13f20eff2eff7", "hex");
  const message = Buffer.concat([
    ...[Buffer.from("From: "), Buffer.from("d0c5d4d2", "hex"), Buffer.from(" <p@example.org>\r\n")],
    ...[Buffer.from("Reply-To: "), subject, Buffer.from(" <>\r\n")],
    ...[Buffer.from("Subject: "), subject, Buffer.from("\r\n\r\nx\r\n")],
  ]);
  assert.deepEqual(readOf(form(message)), readOf(message));
  assert.match(readOf(message).subject, /как дела/);
});

Deno.test("relayForm() has none for a signed part and for an address beyond ASCII; in a message inside they go as a file", () => {
  const signed = lines(
    ...top('multipart/signed; protocol="application/pgp-signature"; boundary=s', "8bit"),
    ...["--s", "Content-Type: text/plain; charset=utf-8", "", "Grüße", "--s"],
    ...["Content-Type: application/pgp-signature", "", "x", "--s--", ""],
  );
  const address = lines("From: jörg@example.net", "", "x", "");
  for (const message of [signed, address]) {
    assert.equal(relayForm(message, sevenBit), null);
    const outer = Buffer.concat([
      lines(...top("multipart/mixed; boundary=w", "8bit"), "--w", ""),
      lines('Content-Type: message/rfc822; name="m.eml"', "", ""),
      message,
      lines("", "--w--", ""),
    ]);
    const { files, names } = readOf(form(outer));
    assert.deepEqual([files, names], [[Buffer.from(message).toString("hex")], ["m.eml"]]);
  }
  const plain = Buffer.from(signed.toString().replace("Grüße", "Hi").replace("8bit", "7bit"));
  assert.deepEqual(relayForm(plain, sevenBit), plain, "a signed part of seven bits stays as it is");
});

Deno.test("relayForm() ends for a thousand levels, and for what is no message", () => {
  const deep = "Content-Type: message/rfc822\r\n\r\n".repeat(1_000) + "ü";
  const multiparts = Array.from(
    { length: 200 },
    (_, n) => `Content-Type: multipart/mixed; boundary=${n}\r\n\r\n--${n}\r\n`,
  );
  for (const text of [deep, multiparts.join("") + "ü", "", "ü", "\r\n\r\nü", "\0", ":\r\nü"]) {
    const found = relayForm(Buffer.from(text), sevenBit);
    if (found) assert.ok(isTaken(found, sevenBit), JSON.stringify(text.slice(0, 40)));
  }
  // Too much to write anew: each takes some microseconds.
  const parts = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${
    "--b\r\n\r\nü\r\n".repeat(2_001)
  }`;
  const fields = `${"Subject: ü\r\n".repeat(2_001)}\r\nx`;
  for (const text of [parts, fields]) assert.equal(relayForm(Buffer.from(text), sevenBit), null);
});
