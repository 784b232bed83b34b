import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  attachmentContents,
  bodyLimits,
  type MessageBody,
  parseBody,
} from "../../../mime/body/parse_body.ts";
import { fixture, message } from "../fixture.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

for (const type of ["text/x-amp-html", "text/watch-html", "text/enriched"]) {
  Deno.test(`${type} beside the text is no attachment, and the text if there is no other`, () => {
    const part = (type: string) => `--b\nContent-Type: ${type}\n\n<b>${type}</b>\n`;
    const mail = (...types: string[]) =>
      message(
        `Content-Type: multipart/alternative; boundary=b\n\n${types.map(part).join("")}--b--\n`,
      );
    const both = parseBody(mail("text/plain", type));
    assert.equal(both.text, "<b>text/plain</b>");
    assert.deepEqual(both.attachments, []);
    assert.equal(parseBody(mail(type)).text, `<b>${type}</b>`);
  });
}

Deno.test("parseBody() gives text, snippet and excerpt of plain mail, and nothing else", () => {
  assert.deepEqual(parseBody(fixture("plain")), {
    text: "Grüße from the plain text.\n",
    html: null,
    newText: "Grüße from the plain text.",
    snippet: "Grüße from the plain text.",
    excerpt: "Grüße from the plain text.",
    attachments: [],
    attachedTexts: [],
    truncated: false,
    problem: null,
  });
});

const texts: [string, string, Partial<MessageBody>][] = [
  ["html_only", "turns HTML into text with its links, without what is hidden", {
    text:
      "Invoice\n\nPay here [https://pay.example.com/42] & now.\n\n* one\n* two\n\n> quoted\n\na b",
    // The mail answers nothing, so that the blockquote is the writer's.
    newText:
      "Invoice\n\nPay here [https://pay.example.com/42] & now.\n\n* one\n* two\n\n> quoted\n\na b",
  }],
  ["alternative", "keeps both representations apart, without preamble and epilogue", {
    text: "plain words",
    html: "<p>html words</p>",
  }],
  ["charset_utf7", "decodes UTF-7", { text: "Hi Mom -☺-! 1 + 1\n" }],
  ["charset_cp850", "decodes code page 850", { text: "Grüße, øre\n" }],
  ["html_charset_in_meta", "reads the charset that HTML declares itself", { text: "Привет" }],
  ["flowed", "joins flowed lines, each depth of quotes by itself", {
    text: "A line that flows on.\n> quoted too.\nFrom stuffed\n-- \nAnn\n",
    newText: "A line that flows on.\nFrom stuffed",
  }],
  ["bare_cr", "reads lines that end in a bare CR", { text: "one\ntwo\n" }],
  ["lf_only", "reads lines that end in LF", { text: "one\ntwo\n" }],
  ["no_header", "loses nothing of text without a header", {
    text: "Just text, no header at all.\nSecond line: with a colon.\n\nAfter an empty line.\n",
  }],
  ["no_empty_line", "begins the body at the first line that is no field", {
    text: "and here the text begins\nsecond line\n",
  }],
  ["empty_first_line", "takes everything after a leading empty line as text", {
    text: "From: not a header\n\nbody\n",
  }],
  ["nul_bytes", "leaves NUL out of the text", { text: "beforeafter\n" }],
  ["padded_base64_lines", "decodes base64 that is padded line by line", {
    text: "one two three",
  }],
  ["quoted_printable", "decodes quoted-printable, and keeps what is none of it", {
    text: "Grüße together \nbad =G1 and 1=2\n",
  }],
  ["missing_boundary_parameter", "guesses a boundary that was not declared", { text: "found" }],
  ["boundary_never_comes", "reads a multipart without its boundary as text", {
    text: "all of this is text\n",
  }],
  ["same_boundary_twice", "tells two multiparts with one boundary apart", {
    text: "inner\nouter",
  }],
  ["text_enriched", "reads any other text where there is no plain one", {
    text: "<bold>still</bold> text\n",
  }],
];
for (const [name, guarantee, expected] of texts) {
  Deno.test(`parseBody() ${guarantee} (${name}.eml)`, () => {
    const body = parseBody(fixture(name));
    for (const [field, value] of Object.entries(expected)) {
      assert.deepEqual(body[field as keyof MessageBody], value, field);
    }
    assert.deepEqual(body.attachments, []);
    assert.equal(body.problem, null);
    assert.equal(body.truncated, false);
  });
}

interface ExpectedAttachment {
  id: string;
  filename: string | null;
  type: string;
  charset?: string;
  disposition?: string;
  contentId?: string;
  content: string;
}
const attachments: [string, string, string, ExpectedAttachment[]][] = [
  ["rfc2231_filename", "puts names in pieces together and takes folders off", "", [
    {
      id: "att_1",
      filename: "€ invoice (1).pdf",
      type: "application/pdf",
      disposition: "attachment",
      content: "%PDF-1",
    },
    {
      id: "att_2",
      filename: 're"port.txt',
      type: "text/plain",
      disposition: "attachment",
      content: "x",
    },
  ]],
  ["nested_message", "keeps a message inside as an attachment, as it came", "see attached", [{
    id: "att_2",
    filename: null,
    type: "message/rfc822",
    content: "From: carl@example.com\r\nSubject: inner\r\nContent-Type: multipart/mixed; " +
      "boundary=inner\r\n\r\n--inner\r\nContent-Type: text/plain\r\n\r\ninner text\r\n--inner--\r\n",
  }]],
  ["calendar", "keeps an invitation as an attachment", "Please come.", [{
    id: "att_2",
    filename: null,
    type: "text/calendar",
    charset: "utf-8",
    content: "BEGIN:VCALENDAR\r\nSUMMARY:Talk\r\nEND:VCALENDAR",
  }]],
  ["tnef", "leaves TNEF as it is", "text beside", [{
    id: "att_2",
    filename: "winmail.dat",
    type: "application/ms-tnef",
    content: "\x78\x9f\x3e\x22\x01\x00",
  }]],
  ["line_ends_in_attachment", "keeps line ends of parts without transfer encoding", "text", [{
    id: "att_2",
    filename: "a.patch",
    type: "text/x-patch",
    content: "crlf\r\nlf\ncr\rend\r\n",
  }]],
  ["inline_image", "names inline parts as links name them", "See a chart", [{
    id: "att_2",
    filename: "pic.png",
    type: "image/png",
    disposition: "inline",
    contentId: "pic@x",
    content: "\x89PNG\r\n\x1a\n",
  }]],
  ["unclosed_multipart", "reads a message that was cut off", "still here", [{
    id: "att_2",
    filename: "a.bin",
    type: "application/octet-stream",
    content: "\x00\x01\x02",
  }]],
];
for (const [name, guarantee, text, expected] of attachments) {
  Deno.test(`parseBody() ${guarantee} (${name}.eml)`, () => {
    const body = parseBody(fixture(name));
    assert.equal(body.text, text);
    assert.deepEqual(
      body.attachments,
      expected.map((one) => {
        const content = Uint8Array.from(one.content, (c) => c.charCodeAt(0));
        return {
          attachmentId: one.id,
          filename: one.filename,
          contentType: one.type,
          charset: one.charset ?? null,
          size: content.length,
          contentDisposition: one.disposition ?? null,
          contentId: one.contentId ?? null,
          sha256: createHash("sha256").update(content).digest("hex"),
        };
      }),
    );
    assert.deepEqual(
      body.attachments.map(({ attachmentId }) =>
        String.fromCharCode(...attachmentContents(fixture(name), [attachmentId])[0] ?? [])
      ),
      expected.map(({ content }) => content),
    );
    assert.equal(attachmentContents(fixture(name), ["att_99"])[0], null);
  });
}

Deno.test("parseBody() takes the text of HTML if the plain text has only invisible characters", () => {
  for (const plain of ["", "\u00a0 \u200b\n", "\u034f\u00ad \u200c\ufeff"]) {
    const body = parseBody(message(
      "Content-Type: multipart/alternative; boundary=b\n\n" +
        `--b\nContent-Type: text/plain; charset=utf-8\n\n${plain}\n` +
        "--b\nContent-Type: text/html\n\n<p>Your code is 482913\n--b--\n",
    ));
    assert.equal(body.text, "Your code is 482913");
  }
});

Deno.test("parseBody() takes the text of HTML if the plain text only says that the mail is HTML", () => {
  const textOf = (plain: string, html: string) =>
    parseBody(message(
      "Content-Type: multipart/alternative; boundary=b\n\n" +
        `--b\nContent-Type: text/plain; charset=utf-8\n\n${plain}\n` +
        `--b\nContent-Type: text/html\n\n${html}\n--b--\n`,
    )).text;
  const html = "<p>Your order has been <b>sent</b>.</p>";
  for (
    const note of [
      "This is an HTML message!",
      "Ihr Programm zeigt kein HTML an.\nhttps://a.example",
    ]
  ) {
    assert.equal(textOf(note, html), `Your order has been sent.\n\n${note}`);
  }
  const written = "Please send it\nas HTML.";
  assert.equal(textOf(written, "<p>Please  send it as <b>HTML</b>.</p><p>Ann</p>"), written);
  assert.equal(textOf("Sent.", html), "Sent.");
});

Deno.test("parseBody() shows the end of a file name as it is, whatever turns the direction of its text", () => {
  const disposition = "Content-Disposition: attachment; filename*=UTF-8''photo%E2%80%AEgpj.exe";
  const { attachments } = parseBody(message(`Content-Type: image/jpeg\n${disposition}\n\nx\n`));
  assert.equal(attachments[0].filename, "photogpj.exe");
});

Deno.test("parseBody() cuts snippet and excerpt to one line each", () => {
  const body = parseBody(message("Subject: x\n\n" + "word and\n ".repeat(200)));
  assert.equal(body.snippet, "word and ".repeat(200).slice(0, 200).trimEnd());
  assert.equal(body.excerpt, "word and ".repeat(200).slice(0, 500).trimEnd());
  const spread = parseBody(message(`Subject: x\n\na${" ".repeat(900)}b\n`));
  assert.equal(spread.excerpt, "a b");
});

// SPEC: emails.record_caps
Deno.test("parseBody() shows 500 of more attachments, and says so", () => {
  const part = "--b\nContent-Type: application/x\n\nx\n";
  const body = parseBody(
    message(`Content-Type: multipart/mixed; boundary=b\n\n${part.repeat(501)}--b--\n`),
  );
  assert.equal(body.attachments.length, 500);
  assert.equal(body.truncated, true);
});

Deno.test("parseBody() cuts text at its limit, and says so", () => {
  const body = parseBody(message("Subject: x\n\n" + "x".repeat(1000)), {
    ...bodyLimits,
    maxTextChars: 100,
  });
  assert.equal(body.text, "x".repeat(100));
  assert.equal(body.truncated, true);
});

function nested(depth: number): string {
  let text = "Content-Type: multipart/mixed; boundary=b0\n\n";
  for (let n = 0; n < depth; n++) {
    text += `--b${n}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n\n`;
  }
  return text + `--b${depth}\nContent-Type: text/plain\n\ninnermost\n`;
}

Deno.test("parseBody() reads 99 levels of multiparts", () => {
  assert.equal(parseBody(message(nested(99))).text, "innermost\n");
});

const html = (content: string) => `Content-Type: text/html\n\n${content}`;
const mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
const bombs: [string, () => string][] = [
  ["10,000 levels of multiparts", () => nested(10_000)],
  ["100,000 parts", () => mixed + "--b\n\nx\n".repeat(100_000)],
  ["100,000 headers", () => "X-Junk: 1\n".repeat(100_000) + "\nbody"],
  ["a megabyte of dashes", () => mixed + "--\n".repeat(350_000)],
  ["a megabyte of open tags", () => html("<div>".repeat(200_000))],
  [
    "open tags and closing tags of others",
    () => html("<div>".repeat(90_000) + "</b>".repeat(90_000)),
  ],
  ["a megabyte of angle brackets", () => html("<".repeat(1_000_000))],
  ["a megabyte of ampersands", () => html("&".repeat(1_000_000))],
  ["a megabyte of open links", () => html('<a href="x">'.repeat(85_000))],
  ["a megabyte of attributes", () => html("<a " + "b=c ".repeat(250_000))],
  ["a megabyte of quotes", () => "Subject: x\n\n" + ">".repeat(1_000_000)],
  ["500,000 empty lines", () => "Subject: x\n\n" + "\n".repeat(500_000) + "x"],
  ["a megabyte of colons at line ends", () => "Subject: x\n\n" + "a wrote 1:\n".repeat(100_000)],
  [
    "a megabyte of soft line breaks",
    () => "Content-Transfer-Encoding: quoted-printable\n\n" + "=\n".repeat(350_000),
  ],
  [
    "a megabyte of equals signs",
    () => "Content-Transfer-Encoding: quoted-printable\n\n" + "= ".repeat(500_000),
  ],
  ["a megabyte of padding", () => "Content-Transfer-Encoding: base64\n\n" + "=".repeat(1_000_000)],
  [
    "a megabyte of UTF-7 shifts",
    () => "Content-Type: text/plain; charset=utf-7\n\n" + "+".repeat(1_000_000),
  ],
  [
    "a megabyte of flowed blanks",
    () => "Content-Type: text/plain; format=flowed\n\n" + "a \n".repeat(350_000),
  ],
  [
    "1,000 messages inside one another",
    () => "Content-Type: message/rfc822\n\n".repeat(1_000) + "x",
  ],
];
for (const [what, text] of bombs) {
  nightly(`parseBody() reads ${what} fast`, () => {
    const raw = message(text());
    const started = ownMs();
    const body = parseBody(raw);
    const ms = ownMs() - started;
    assert.equal(body.problem, null);
    assert.ok(ms < 6000, `${ms.toFixed(0)} ms`);
  });
}
