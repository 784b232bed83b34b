import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { attachmentContents, parseBody } from "../../../mime/body/parse_body.ts";
import { cmsContent } from "../../../mime/body/signed_content.ts";
import { fixture, message } from "../fixture.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

const text = (mail: string) => parseBody(message(mail)).text;

for (const name of ["smime_signed", "smime_signed_ber"]) {
  Deno.test(`the content of a file that is signed with S/MIME is text and attachments (${name})`, () => {
    const raw = fixture(name);
    const { text, snippet, attachments } = parseBody(raw);
    assert.deepEqual([text, snippet], [
      "The offer is signed: 420 €.",
      "The offer is signed: 420 €.",
    ]);
    assert.deepEqual(
      attachments.map((each) => [each.attachmentId, each.filename, each.contentType]),
      [["att_1_2", "offer.csv", "text/csv"], ["att_1", "smime.p7m", "application/pkcs7-mime"]],
    );
    const [csv, file] = attachmentContents(raw, ["att_1_2", "att_1"]);
    assert.equal(new TextDecoder().decode(csv!), "item;price\r\npen;420");
    assert.equal(file!.length, attachments[1].size);
  });
}

Deno.test("a file of S/MIME is known by its name too", () => {
  for (const name of ["smime_signed", "smime_encrypted"]) {
    const mail = new TextDecoder().decode(fixture(name));
    const renamed = mail.replace(/application\/(?:x-)?pkcs7-mime/, "application/octet-stream");
    assert.notEqual(renamed, mail);
    assert.equal(parseBody(new TextEncoder().encode(renamed)).text, parseBody(fixture(name)).text);
    const other = new TextEncoder().encode(renamed.replaceAll("smime.p7m", "smime.bin"));
    assert.equal(parseBody(other).text, "");
  }
});

Deno.test("mail that is encrypted says so", () => {
  const { text, attachments } = parseBody(fixture("smime_encrypted"));
  assert.equal(text, "[This message is encrypted (S/MIME): its text cannot be read here.]");
  assert.deepEqual(attachments.map((each) => each.filename), ["smime.p7m"]);
  const pgp = parseBody(message(
    'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n\n' +
      "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\n" +
      "Content-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----\n--b--\n",
  ));
  assert.equal(pgp.text, "[This message is encrypted (PGP): its text cannot be read here.]");
});

const element = (tag: number, ...content: (Uint8Array | number[])[]): Buffer => {
  const inner = Buffer.concat(content.map((each) => Buffer.from(each)));
  return Buffer.concat([
    Buffer.from([tag, 0x83, inner.length >> 16, inner.length >> 8, inner.length]),
    inner,
  ]);
};
const indefinite = (tag: number, ...content: (Uint8Array | number[])[]): Buffer =>
  Buffer.concat([
    Buffer.from([tag, 0x80]),
    ...content.map((each) => Buffer.from(each)),
    Buffer.from([0, 0]),
  ]);
const oid = (...last: number[]) => [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, ...last];
const signed = (digests: Buffer, ...content: Buffer[]) =>
  indefinite(
    0x30,
    oid(2),
    indefinite(0xa0, indefinite(0x30, [2, 1, 1], digests, element(0x30, oid(1), ...content))),
  );

Deno.test("cmsContent() joins the pieces of a content, and reads no file that is cut off, nested deep or of another kind", () => {
  const digests = indefinite(0x31, indefinite(0x30, oid(9)));
  const pieces = indefinite(
    0x24,
    element(4, Buffer.from("Subject: a\r\n")),
    element(4, Buffer.from("\r\nb")),
  );
  const file = signed(digests, element(0xa0, pieces));
  const found = cmsContent(file);
  assert.ok(found?.type === "signed" && found.content);
  assert.equal(Buffer.from(found.content).toString(), "Subject: a\r\n\r\nb");
  assert.deepEqual(cmsContent(signed(digests)), { type: "signed", content: null });
  // What is cut off behind the content, such as the certificates, is not needed.
  const needed = file.length - 8;
  for (let end = 0; end < needed; end++) {
    const cut = cmsContent(file.subarray(0, end));
    assert.ok(cut === null || cut.type === "signed" && cut.content === null, String(end));
  }
  assert.equal(cmsContent(Buffer.from("%PDF-1.4")), null);
  const deep = Buffer.alloc(2_000_000, Buffer.from([0x30, 0x80]));
  assert.equal(cmsContent(signed(deep, element(0xa0, pieces))), null);
});

nightly("an S/MIME file of very many pieces is read in time", () => {
  const piece = element(4, Buffer.from("x"));
  const many = Buffer.concat(Array.from({ length: 200_000 }, () => piece));
  const file = signed(element(0x31), indefinite(0xa0, indefinite(0x24, many)));
  const before = ownMs();
  assert.equal(cmsContent(file)?.type, "signed");
  assert.ok(ownMs() - before < 2_000);
});

Deno.test("an invitation without text is what, when, where and who", () => {
  const calendar = [
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VTIMEZONE",
    "TZID:Europe/Berlin",
    "BEGIN:STANDARD",
    "DTSTART:19701025T030000",
    "END:STANDARD",
    "END:VTIMEZONE",
    "BEGIN:VEVENT",
    "DTSTART;TZID=Europe/Berlin:20261124T100000",
    "DTEND:20261124T100000Z",
    "SUMMARY;LANGUAGE=de:Planung\\, Teil 2: Gr",
    " öße",
    'ORGANIZER;CN="Ada; the first":MAILTO:ada@example.net',
    "ATTENDEE;PARTSTAT=NEEDS-ACTION;CN=Agent:mailto:agent@agents.test",
    "LOCATION:https://meet.example/ab",
    "RRULE:FREQ=WEEKLY;COUNT=3",
    "DESCRIPTION:Bring:\\n- numbers\\n- coffee",
    "BEGIN:VALARM",
    "DESCRIPTION:Alarm",
    "SUMMARY:Alarm",
    "END:VALARM",
    "END:VEVENT",
    "BEGIN:VEVENT",
    "SUMMARY:All day",
    "DTSTART;VALUE=DATE:20261125",
    "STATUS:CANCELLED",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\n");
  const expected = [
    "Invitation",
    "",
    "What: Planung, Teil 2: Größe",
    "Starts: 2026-11-24 10:00 Europe/Berlin",
    "Ends: 2026-11-24 10:00 UTC",
    "Repeats: FREQ=WEEKLY;COUNT=3",
    "Where: https://meet.example/ab",
    "Organizer: Ada; the first <ada@example.net>",
    "Attendee: Agent <agent@agents.test> (needs-action)",
    "",
    "Bring:",
    "- numbers",
    "- coffee",
    "",
    "What: All day",
    "Starts: 2026-11-25",
    "Status: CANCELLED",
  ].join("\n");
  assert.equal(
    text(`Content-Type: text/calendar; charset=utf-8; method=REQUEST\n\n${calendar}`),
    expected,
  );
  assert.equal(
    text(`Content-Type: application/ics; charset=utf-8; name=invite.ics\n\n${calendar}`),
    expected,
  );
  const cutOff = calendar.slice(0, calendar.indexOf("DESCRIPTION"));
  assert.equal(
    text(`Content-Type: text/calendar\n\n${cutOff}`),
    expected.slice(0, expected.indexOf("\n\nBring")),
  );
  const blank =
    `Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n \n--b\nContent-Type: text/calendar; charset=utf-8\n\n${calendar}--b--\n`;
  assert.equal(text(blank), expected);
  assert.equal(text(blank.replace("plain\n\n \n", "plain\n\nSee you\n")), "See you");
  assert.equal(text("Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n"), "");
});

const inner =
  "From: Ada <ada@example.net>\nTo: bob@example.net\nDate: Mon, 23 Nov 2026 10:05:15 +0000\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\nContent-Type: text/html\n\n<p>The <b>words</b></p>\n";
const shown =
  "---------- Forwarded message ----------\nFrom: Ada <ada@example.net>\nDate: Mon, 23 Nov 2026 10:05:15 GMT\nSubject: Grüße\nTo: bob@example.net\n\nThe words";

Deno.test("a message that is forwarded as a file, without text, is the text", () => {
  for (
    const mail of [
      `Content-Type: message/rfc822\n\n${inner}`,
      `Content-Type: message/partial; number=1; total=2; id=a\n\n${inner}`,
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<div dir="ltr"><br></div>\n--b\nContent-Type: message/rfc822\n\n${inner}--b--\n`,
    ]
  ) {
    const body = parseBody(message(mail));
    assert.deepEqual([body.text, body.newText], [shown, shown]);
    assert.ok(body.attachments[0].contentType.startsWith("message/"));
  }
  assert.equal(
    text("Content-Type: message/partial; number=2; total=2; id=a\n\nthe rest of the words\n"),
    "the rest of the words",
  );
  const own = text(
    `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nLook:\n--b\nContent-Type: message/rfc822\n\n${inner}--b--\n`,
  );
  assert.equal(own, "Look:");
});

Deno.test("of a message in a message in a message, the header is shown, and no deeper text", () => {
  const nested = `From: eve@example.net\nSubject: outer\nContent-Type: message/rfc822\n\n${inner}`;
  const found = text(`Content-Type: message/rfc822\n\n${nested}`);
  assert.equal(
    found,
    "---------- Forwarded message ----------\nFrom: eve@example.net\nSubject: outer\nTo:",
  );
});

Deno.test("a delivery report without a sentence is its status", () => {
  const report =
    "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; bob@example.net\nAction: failed\nStatus: 5.1.1";
  assert.equal(
    text(
      `Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n${report}\n--b--\n`,
    ),
    report,
  );
});
