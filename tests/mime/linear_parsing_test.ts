import assert from "node:assert/strict";
import { parseAddressList } from "../../mime/headers/address_list.ts";
import { bouncedRecipients } from "../../mime/body/delivery_report.ts";
import { parseDate } from "../../mime/headers/date_field.ts";
import { htmlToText } from "../../mime/body/html_text.ts";
import { idsOfReply, messageIds } from "../../mime/headers/message_ids.ts";
import { newTextOf } from "../../mime/body/new_text.ts";
import { parseBody } from "../../mime/body/parse_body.ts";
import { segmentsOf } from "../../mime/segments/segments.ts";
import { parseHead } from "../../mime/headers/parse_head.ts";
import { replySubject } from "../../domain/mail/send/reply_rules.ts";
import { parseStructuredField } from "../../mime/headers/structured_field.ts";
import { normalisedSubject } from "../../domain/mail/record/threads/subject_threads.ts";
import { chunks } from "../../domain/indexing/chunks.ts";
import { exactTermsOf } from "../../fulltext/analysis/exact_terms.ts";
import { bestPassage, wantedWords } from "../../fulltext/analysis/best_passage.ts";
import { listLinks, shortenUrls } from "../../mime/verification/mail_links.ts";
import { findVerification } from "../../mime/verification/verification.ts";
import { tokenize } from "../../fulltext/analysis/tokens.ts";
import { message } from "./fixture.ts";
import { slowerThanLinear } from "../growth.ts";
import { nightly } from "../nightly.ts";

type Worst = (length: number) => string;
const of = (unit: string): Worst => (length) => unit.repeat(Math.ceil(length / unit.length));
const field = (name: string, unit: string, before = "", after = ""): Worst => (length) =>
  `${name}: ${before}${of(unit)(length)}${after}\n\nx`;
const html = (unit: string, before = ""): Worst => (length) =>
  `Content-Type: text/html\n\n${before}${of(unit)(length)}`;
const mixed = (unit: string, before = ""): Worst => (length) =>
  `Content-Type: multipart/mixed; boundary=b\n\n${before}${of(unit)(length)}`;
const encoded = (encoding: string, unit: string, before = ""): Worst => (length) =>
  `Content-Transfer-Encoding: ${encoding}\n\n${before}${of(unit)(length)}`;
const charset = (name: string, unit: string): Worst => (length) =>
  `Content-Type: text/plain; charset=${name}\n\n${of(unit)(length)}`;
const part = (fields: string) => `--b\n${fields}\n\nx\n`;

/** Every loop of the mail path with its worst texts, by step. */
const headers: Record<string, Worst[]> = {
  "header fields": [of("X: y\n"), of("To: a@b.example\n"), of("X\n"), of(" \n"), of("\r")],
  "folded fields": [field("Subject", "\r"), field("Subject", "\r\n "), field("Subject", " ")],
  "encoded words": [
    "=?utf-8?B?gICA?= ",
    "=?utf-8?Q?=80?=",
    "=?utf-8?Q?=C3?=g:",
    "=?utf-7?Q?+AAA?= ",
    "=?",
    "=?a*a",
  ]
    .flatMap((unit) => [field("Subject", unit), field("To", unit), field("List-Id", unit)]),
  "address lists": ["a:", "<", "@", ",", '"', "(", "a@b.example,", "a b ", "<a> ", "(a)b ", "a:b;"]
    .map((unit) => field("To", unit, "", "x@y.example")),
  "message ids": ["<a@b> ", "<", ">", "a ", "<a>b", "=?", "<\u0001 "]
    .flatMap((unit) => [field("References", unit, "", "x"), field("In-Reply-To", unit, "a", "x")]),
  "structured fields": ["a=b;", "(", " (", " (a)", '"', "\\", "a*0*=utf-8''%;", "%", ";", "= "]
    .map((unit) => field("Content-Type", unit, "text/plain; ")),
};
const calendar = (unit: string, before = ""): Worst => (length) =>
  `Content-Type: text/calendar\n\nBEGIN:VEVENT\n${before}${of(unit)(length)}\nEND:VEVENT\n`;
const bodies: Record<string, Worst[]> = {
  "calendars": [
    ...["BEGIN:VEVENT\n", "END:VEVENT\nBEGIN:VEVENT\n", "SUMMARY:a\n", "ATTENDEE;CN=a:b\n"]
      .map((unit) => calendar(unit)),
    ...[";CN=", '"', ";", "\\n", "\n "].map((unit) => calendar(unit, "ATTENDEE;A=")),
    calendar("\\n", "DESCRIPTION:"),
  ],
  "messages in messages": [
    of("Content-Type: message/rfc822\n\n"),
    of("Subject: a\nContent-Type: message/rfc822\n\n"),
    mixed(part("Content-Type: message/rfc822")),
    mixed(part("Content-Type: application/pkcs7-mime")),
    (length) => `Content-Type: application/pkcs7-mime\n${encoded("base64", "MIAwgDCA")(length)}`,
  ],
  "multiparts": [
    ...["--b\nX: y\n", "--b\n\nx\n", "--b--\n", "--\n", "--c\n", part("Content-Type: a/b")].map((
      unit,
    ) => mixed(unit)),
    mixed("X: y\n", "--b\n"),
    mixed("--b\nContent-Type: multipart/mixed\n\n--c\n"),
    mixed(
      "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\nContent-Type: text/html\n\n<p>",
    ),
    of("Content-Type: multipart/mixed; boundary=b\n\n--b\n"),
    of("Content-Type: message/rfc822\n\n"),
  ],
  "part fields": [
    mixed(part(`Content-Type: a/b; name="${"=?utf-8?B?gICA?= ".repeat(400)}"`)),
    mixed(part(`Content-Type: a/b; ${"a*0*=utf-8''%41; ".repeat(400)}`)),
    mixed(part(`Content-Type: text/plain${"; (".repeat(2_000)}`)),
    mixed("--b\nContent-Type: text/plain; charset=x-none; format=flowed\n\nx \n"),
  ],
  "headers without an end": [of("a: b\n"), mixed(" x\n"), of("a"), of(" \n")],
  "transfer encodings": [
    ...["begin 644 a\n", "\n", "M\n", "a"].map((unit) => encoded("x-uuencode", unit)),
    ...["=\n", "= ", "=", " \n", " "].map((unit) => encoded("quoted-printable", unit, "=")),
    ...["=", "A=", "A*", "AAAA\n"].map((unit) => encoded("base64", unit)),
  ],
  "charsets": [
    charset("utf-7", "+"),
    charset("utf-7", "+A-"),
    charset("hz-gb-2312", "~{"),
    charset("iso-2022-kr", "\x0e"),
    charset("iso-2022-kr", "\x0ea\x0f"),
    charset("cp437", "a"),
    charset("x-none", "é"),
  ],
  "plain text": ["\r", ">", "> a \n>> a \n", "a \n"].map((unit) => (length) =>
    `Content-Type: text/plain; format=flowed\n\n${of(unit)(length)}`
  ),
};
const markup = [
  ...["<", "<a", "</", "<!", "<!--", "<![CDATA[", "<?", "<div>", "<p>a", "<td>a", "<img alt=a>"],
  ...["&", "&a", "&amp;", "&#1;", "<a href=x>", '<a href="x">y</a>', "\u200b\u200c", " ", "<li>a"],
  ...["<pre> ", "<blockquote>a", "<script>", "<title>", "<meta charset", "</blockquote>", "<ol>"],
  ...[
    '<p style="display  :">y',
    "<div></b>",
    "<b><p></b>",
    "<p><b></p>",
    "<font color=red><p></p>",
  ],
  ...["<table>", "<table><tr>", "<td><div></td>", "<table>a", "</div><div>", "<span><div></span>"],
  ...["<i hidden>a</i>b", '<p class="a b c d e">x', "<style>.a{color:red}</style>", "<a><p></a>"],
].map((unit) => html(unit));
const sheets = [
  ".a{top:0}",
  ".a .a{color:red}",
  "a,",
  "@media{",
  "{",
  "/*",
  "'",
  ".a{",
  "\\61",
  ":not(",
]
  .flatMap((unit) => [
    html(unit, "<style>"),
    (length: number) =>
      `Content-Type: text/html\n\n<style>${of(unit)(length)}</style>${of("<p class=a>x")(length)}`,
  ]);
const ruledElements = [
  "p:has(a){display:none}",
  "p:last-child{display:none}i:empty b:empty p:empty{color:red}",
  "b ~ p ~ i ~ p{display:none}",
  "p:nth-child(3n+1){color:red}",
  "p{color:var(--a);width:calc(1px + var(--b));margin:var(--c)}",
].map((css) => html("<p style=--a:1>x</p><b></b>", `<style>${css}</style>`));
const styles = [";", "a:b;", "color:red;", "(", "'", "/*", "\\61", "font:0 ", "clip:rect(", "!"]
  .map((unit): Worst => (length) =>
    `Content-Type: text/html\n\n<p style="${of(unit)(length)}">x${
      of(`<b style="${unit}">`)(length)
    }`
  );
const deep = "<blockquote>".repeat(20);
const written = [
  ...[
    "a wrote 1:\n>q\n",
    "a wrote 1:\n",
    "a wrote 1\n\n",
    "From: x\n",
    "---- \n",
    "\n",
    " \n",
    "-",
  ],
  ...[
    "_ \n",
    "--\n",
    "best\n",
    "x\n\nlegal legal \n",
    "x\n\nthis message\n\n",
    "> ",
    ">\n",
    " ",
    "\t\u00a0",
  ],
  ..."x\n\nlegal |x\n\nthis a |sent from |a\u2028|re: ".split("|"),
];
const framed = [
  "---- a ----\n",
  "---- a ----\na: 1:20\n",
  "a: 1:20\n",
  "a:\n> b: c\n",
  "| a\n",
  "thanks\nAnn\n",
  "Yes. On 1 Jan 2026 10:00, b@c.d wrote:\n> q\n",
  "On 1 Jan 2026 10:00 a\n\n<\nb@c.d\n> wrote:\n",
  ">>> a@b.c 1/1/26 10:00 >>>\n",
  "From: a@b.c\nTo: a\n\n",
  "> a:\n> b: a@b.c\n> c: 10:20\n",
  "a b@c.d>\n",
];
const marked = [
  '<p class="gmail_attr">a b c d e f',
  '<div id="Signature">Ann',
  "gmail_attr",
  "<i hidden>x</i>y",
];
const words = [
  ...'a |a-|a\'|1 |11 |11,|a.b@c.d |"ab" |"|\n |\n|漢|漢 |é|e\u0301|\u0301|😀|AB-CD |x1-|&|abc1234 '
    .split("|"),
];
const verifying = [
  ...[
    "1234 ",
    "1 ",
    "code 1234 ",
    "your code is ",
    "1234\n",
    "A1B2-",
    "https://a.b/c ",
    "https://a.漢",
  ],
  ...["https://((((", "https://a.b)", "<a href=https://a.b/c?1>", "<td>1", "<style>.a{b:c}", "<p>"],
  ...[
    "<b style=color:red>",
    "<blockquote class=quote>1",
    "<style>@media{",
    "<form action=http://a>",
  ],
  ...["１", "٤ ", "#", "a@b ", "<style>/*", "<b class=a><i>", "</b>", "&#1;", "FW: "],
];
const wanted = wantedWords("abc 123 漢字 ab", () => 1);

/** The work of each step with a text; the lengths reach its limits and beyond. */
const steps: [what: string, length: number, worst: Worst[], run: (text: string) => unknown][] = [
  ...Object.entries(headers).map(([what, worst]): typeof steps[number] => [
    what,
    20_000,
    worst,
    (text) => parseHead(message(text)),
  ]),
  ...Object.entries(bodies).map(([what, worst]): typeof steps[number] => [
    what,
    20_000,
    worst,
    (text) => parseBody(message(text)),
  ]),
  ["HTML to text", 20_000, markup, (text) => parseBody(message(text))],
  ["style sheets", 20_000, sheets, (text) => parseBody(message(text))],
  ["elements with rules", 20_000, ruledElements, (text) => parseBody(message(text))],
  ["styles of elements", 20_000, styles, (text) => parseBody(message(text))],
  [
    "text flow",
    20_000,
    [html(" ", "<pre>"), html("a \n", "<pre>a"), html("a\n", `${deep}<pre>`), html("<p>a", deep)],
    (text) => htmlToText(text + "x"),
  ],
  ["new text", 20_000, written.map(of), newTextOf],
  ["segments", 20_000, [...written, ...framed].map(of), (text) => segmentsOf(text, null)],
  ["segments of HTML", 20_000, marked.map(of), (text) => segmentsOf(`Ann\n${text}`, text)],
  ["snippet and excerpt", 20_000, written.map(of), (text) => parseBody(message(`a: b\n\n${text}`))],
  ["subject prefixes", 20_000, ["re:", "re ", " ", "re[1]", "re[1] :"].map(of), (text) => [
    replySubject(`re${text}x`),
    normalisedSubject(`re${text}x`),
  ]],
  ["dates", 20_000, ["1 ", "1 Jan ", "a", "+00", " "].map(of), (text) => [
    parseDate(`${text}x`),
    parseDate(text.slice(0, 200)),
  ]],
  ["message ids", 20_000, ["<a@b> ", "<", ">", "a ", "a,", "=?"].map(of), (text) => [
    messageIds(`a${text}x`),
    idsOfReply(`message from ${text}`),
  ]],
  ["comments", 20_000, ["(", " (", " (a", "\\(", ")"].map(of), parseStructuredField],
  [
    "addresses of requests",
    10_000,
    ["<", "@", ",", "a@b.example,", "a:", " ", '"'].map(of),
    (text) => parseAddressList(`${text}x`),
  ],
  [
    "delivery reports",
    20_000,
    ["a: b\n", "\n ", "\r", "<a", "Action: failed\n\n", "a", " "].map((unit): Worst => (length) =>
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n" +
      `Content-Type: message/delivery-status\n\nx: y\n\n${of(unit)(length)}`
    ),
    (text) => bouncedRecipients(message(text)),
  ],
  ["words of the index", 20_000, words.map(of), tokenize],
  ["words to the letter", 20_000, words.map(of), (text) => exactTermsOf(text, 60)],
  [
    "codes and links",
    20_000,
    verifying.map(of),
    (text) => findVerification({ subject: text, text, html: `${text} ` }),
  ],
  [
    "short URLs",
    20_000,
    verifying.map(of),
    (text) => shortenUrls(text, listLinks({ subject: "", text, html: null })),
  ],
  ["passages", 20_000, words.map(of), (text) => bestPassage(text, wanted)],
  ["chunks", 20_000, [...words, "\n ", " \n\n", "a\n\n"].map(of), chunks],
];
for (const [what, length, worst, run] of steps) {
  nightly(`${what}: 1, 2 and 4 lengths of the worst texts take linear time`, () => {
    const slow = worst.flatMap((textOf) => {
      const slower = slowerThanLinear(length, textOf, run);
      return slower ? [`${JSON.stringify(textOf(40).slice(0, 150))}: ${slower}`] : [];
    });
    assert.deepEqual(slow, []);
  });
}
