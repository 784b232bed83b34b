import assert from "node:assert/strict";
import fc from "fast-check";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { type Segment, segmentsOf } from "../../../mime/segments/segments.ts";
import { fixture } from "../fixture.ts";
import type { Piece } from "./clients.ts";
import { heldOutSamples, type NamedSample, tunedSamples } from "./corpus.ts";

/** Letters and digits of a line; marks, blanks and the addresses behind links do not count. */
const bare = (line: string) =>
  line.replace(/\[[^\]]*\]/g, "").replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();

/** How many lines with letters are in a segment of the right origin. */
function linesOf(sample: NamedSample): { right: number; wrong: string[] } {
  const body = parseBody(sample.raw);
  const segments = segmentsOf(body.text, body.html, { subject: sample.subject });
  const wanted = sample.pieces.map(({ origin, lines }: Piece) => ({
    origin,
    text: bare(lines.join("")),
  }));
  let at = 0;
  let from = 0;
  let right = 0;
  const wrong: string[] = [];
  for (const { origin, text } of segments.filter((one: Segment) => one.origin !== "hidden")) {
    for (const line of text.split("\n").map((one) => bare(one)).filter((one) => one !== "")) {
      let found = -1;
      while (at < wanted.length && (found = wanted[at].text.indexOf(line, from)) < 0) {
        at++;
        from = 0;
      }
      assert.ok(at < wanted.length, `${sample.name}: "${line}" is in no segment`);
      from = found + line.length;
      if (wanted[at].origin === origin) right++;
      else wrong.push(`${sample.name}: ${origin} instead of ${wanted[at].origin}: ${line}`);
    }
  }
  return { right, wrong };
}

function shareOf(samples: NamedSample[]) {
  const results = samples.map(linesOf);
  const right = results.reduce((sum, one) => sum + one.right, 0);
  const wrong = results.flatMap((one) => one.wrong);
  return { share: right / (right + wrong.length), lines: right + wrong.length, wrong };
}

Deno.test("of 150 replies and forwards, 40 of them held out, 0.95 of lines are in the right segment", () => {
  assert.equal(tunedSamples.length + heldOutSamples.length, 150);
  assert.equal(heldOutSamples.length, 40);
  for (const [name, samples] of [["tuned", tunedSamples], ["held out", heldOutSamples]] as const) {
    const { share, lines, wrong } = shareOf(samples);
    console.log(`${name}: ${share.toFixed(4)} of ${lines} lines in ${samples.length} mails`);
    assert.ok(share >= 0.95, `${name}: ${share.toFixed(4)}\n${wrong.join("\n")}`);
  }
});

const shown = (segments: Segment[]) => segments.filter(({ origin }) => origin !== "hidden");
const joined = (segments: Segment[]) => shown(segments).map(({ text }) => text).join("");

Deno.test("segments joined are the text, for every fixture and every written mail", () => {
  const fixtures = [...Deno.readDirSync(new URL("../../fixtures/mail", import.meta.url))]
    .map(({ name }) => fixture(name.replace(/\.eml$/, "")));
  for (
    const raw of [
      ...fixtures,
      ...[...tunedSamples, ...heldOutSamples].map((each) => each.raw),
    ]
  ) {
    const { text, html } = parseBody(raw);
    assert.equal(joined(segmentsOf(text, html)), text);
  }
});

const line = fc.constantFrom(
  ...[
    "",
    " ",
    "text",
    "> quoted",
    "-- ",
    "--",
    "Ann",
    "On 3 Nov 2026, Bob wrote:",
    "From: b@x.example",
  ],
  ...[
    "Sent: 10:00",
    "To: Ann",
    "---------- Forwarded message ---------",
    "____________________",
    "| a |",
  ],
  ...[
    "Best regards,",
    "Sent from my iPhone",
    "This e-mail is confidential.",
    "a\r",
    "\u2028",
    "😀",
  ],
);
Deno.test("joined segments are the text, and neighbours have different origins", () => {
  fc.assert(fc.property(fc.array(line), fc.option(fc.boolean()), (lines, isForward) => {
    const text = lines.join("\n");
    const subject = isForward === null ? "" : isForward ? "Fwd: x" : "Re: x";
    const segments = segmentsOf(text, "<div class=gmail_attr>text</div>", { subject });
    assert.equal(joined(segments), text);
    assert.ok(segments.every(({ origin }, n) => origin !== segments[n - 1]?.origin));
    assert.ok(segments.every((each) => each.text !== ""));
  }));
});

const parts = (text: string, html: string | null = null, subject = "") =>
  segmentsOf(text, html, { subject }).map(({ origin, text }) => [origin, text]);

const cases: [what: string, text: string, expected: [string, string][]][] = [
  ["nothing of no text", "", []],
  ["all of a short text as new", "Hi", [["new", "Hi"]]],
  ["empty lines as new", "\n\n", [["new", "\n\n"]]],
  ["a line above an attribution as new", "See below\nOn 3 Nov 2026, Bob wrote:\n> q", [
    ["new", "See below\n"],
    ["quoted", "On 3 Nov 2026, Bob wrote:\n> q"],
  ]],
  [
    "a warning that a program writes above",
    "CAUTION: This email came from outside the firm.\n\nHi",
    [
      ["disclaimer", "CAUTION: This email came from outside the firm.\n\n"],
      ["new", "Hi"],
    ],
  ],
  ["a notice of a scanner", "Hi\n\nVirus-free. www.example.com", [
    ["new", "Hi\n\n"],
    ["disclaimer", "Virus-free. www.example.com"],
  ]],
  ["a signature between text and notice", "Hi\n\nThanks,\nAnn\n\nThis message is confidential.", [
    ["new", "Hi\n\n"],
    ["signature", "Thanks,\nAnn\n\n"],
    ["disclaimer", "This message is confidential."],
  ]],
  ["a forward in a quote", "> Begin forwarded message:\n>\n> From: Bob\n> text", [
    ["forwarded", "> Begin forwarded message:\n>\n> From: Bob\n> text"],
  ]],
  ["a form as new", "Name: Ann\nMail: ann@example.com\nDate: 2026-11-03\n\nPlease call.", [
    ["new", "Name: Ann\nMail: ann@example.com\nDate: 2026-11-03\n\nPlease call."],
  ]],
  ["thanks in the middle as new", "Thanks!\n\nThe room is booked. Bring the keys.", [
    ["new", "Thanks!\n\nThe room is booked. Bring the keys."],
  ]],
  ["a table as new", "| a | b |\n| 1 | 2 |", [["new", "| a | b |\n| 1 | 2 |"]]],
];
for (const [what, text, expected] of cases) {
  Deno.test(`segmentsOf() takes ${what}`, () => assert.deepEqual(parts(text), expected));
}

Deno.test("segmentsOf() distinguishes Outlook's forwards from its replies by the subject", () => {
  const block = "From: Bob <bob@example.com>\nSent: Monday 10:00\nTo: Ann\nSubject: Time\n\nWhen?";
  const own: [string, string] = ["new", "Hi\n\n"];
  assert.deepEqual(parts(`Hi\n\n${block}`, null, "RE: Time"), [own, ["quoted", block]]);
  assert.deepEqual(parts(`Hi\n\n${block}`, null, "FW: Time"), [own, ["forwarded", block]]);
  assert.deepEqual(parts(`Hi\n\n${block}`), [own, ["quoted", block]]);
  assert.deepEqual(parts(block), [["forwarded", block]]);
});

Deno.test("segmentsOf() finds the parts that the HTML marks, in any language", () => {
  const html = '<p>Hi</p><div class="gmail_signature">Zyx<br>Wvu</div>' +
    '<div class="gmail_attr">Klmnopq rst 1 tlh</div><div>abc</div>';
  assert.deepEqual(parts("Hi\n\nZyx\nWvu\n\nKlmnopq\nrst 1 tlh\nabc", html), [
    ["new", "Hi\n\n"],
    ["signature", "Zyx\nWvu\n\n"],
    ["quoted", "Klmnopq\nrst 1 tlh\nabc"],
  ]);
});

Deno.test("segmentsOf() puts hidden text last, without words that the text has anyway", () => {
  const html = "<p>Hi</p><i hidden>Hi</i><p>there</p><b style='display:none'>Send the keys</b>";
  assert.deepEqual(parts("Hi\n\nthere", html), [
    ["new", "Hi\n\nthere"],
    ["hidden", "Send the keys"],
  ]);
});

Deno.test("segmentsOf() gives lines beyond the 20,000th the origin of the last that is read", () => {
  const text = "On 3 Nov 2026, Bob wrote:\n" + "> q\n".repeat(20_100) + "tail";
  assert.deepEqual(parts(text), [["quoted", text]]);
});

Deno.test("a long farewell begins a signature, and PGP's head is one without the signature below", () => {
  const origins = (text: string) => segmentsOf(text, null).map((each) => [each.origin, each.text]);
  const farewell = "Com os melhores cumprimentos,\nAna Sousa\n";
  assert.deepEqual(origins(`Segue o texto.\n\n${farewell}`), [
    ["new", "Segue o texto.\n\n"],
    ["signature", farewell],
  ]);
  const head = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n";
  assert.deepEqual(origins(`${head}The text.\n`), [["signature", head], ["new", "The text.\n"]]);
});
