import assert from "node:assert/strict";
import { answersIn, isAboveWhole } from "../../../mime/segments/answers.ts";
import { type Segment, segmentsOf } from "../../../mime/segments/segments.ts";
import { slowerThanLinear } from "../../growth.ts";

const asked = `Hi Bob,

could you tell me two things about the fair in Lyon?
When does the hall open for us on Thursday morning?
And who brings the folding chairs, since ours are at https://chairs.example/list/4471?

Best
Ann`;

/** Outlook's reply: nothing marks the quote but its header block. */
const reply = (quote: string, own = "See below.") =>
  `${own}

From: Ann <ann@example.org>
Sent: Monday, 2 November 2026 10:00
To: Bob <bob@example.com>
Subject: The fair

${quote}`;

const answered = (text: string, before = asked) => {
  const segments = segmentsOf(text, null, { subject: "RE: The fair" });
  const found = answersIn(segments, before);
  if (found) assert.equal(found.segments.map(({ text }) => text).join(""), text);
  return found;
};

const news = (segments: Segment[]) =>
  segments.filter(({ origin, text }) => origin === "new" && text.trim() !== "").map(({ text }) =>
    text.trim()
  );

Deno.test("answers between the lines of an unmarked quote are new, and stand below the lines that they answer", () => {
  const quote = asked.replace("morning?\n", "morning?\nAt seven, through the back door.\n")
    .replace("4471?\n", "4471?\nNora does.\n\nShe has a van.\n");
  const found = answered(reply(quote))!;
  assert.deepEqual(news(found.segments), [
    "See below.",
    "At seven, through the back door.",
    "Nora does.\n\nShe has a van.",
  ]);
  assert.equal(
    found.newText,
    `See below.

> When does the hall open for us on Thursday morning?
At seven, through the back door.

> And who brings the folding chairs, since ours are at https://chairs.example/list/4471?
Nora does.

She has a van.`,
  );
});

Deno.test("answers with the marks of the quote are new, without their marks in the new text", () => {
  const marked = asked.split("\n").map((line) => `> ${line}`).join("\n")
    .replace("morning?\n", "morning?\n> At seven.\n");
  const found = answered(
    `On Mon, 2 Nov 2026 at 10:00, Ann <ann@example.org> wrote:\n\n${marked}\n`,
  )!;
  assert.deepEqual(news(found.segments), ["> At seven."]);
  assert.equal(
    found.newText,
    "> When does the hall open for us on Thursday morning?\nAt seven.",
  );
});

for (
  const [title, before, line, answer] of [
    [
      "German",
      "Können wir die Lieferung auf Freitag verschieben?",
      "",
      "Ja, gern. Bitte vor zehn.",
    ],
    ["Japanese", "金曜日の会議は何時からですか。場所も教えてください。", "", "十時からです。"],
    ["Arabic", "هل يمكنك إرسال الفاتورة قبل يوم الخميس القادم؟", "", "نعم، سأرسلها غداً."],
    ["one word", "Shall we meet yesterday's visitors at the station again?", "", "Yes"],
    ["a picture", "Shall we take the early train to Lyon on Thursday?", "", "👍"],
  ]
) {
  Deno.test(`an answer inside a quote is new: ${title}`, () => {
    const quote = `${before}\n${answer}\n${line}Tell me soon, please, the train is nearly full.\n`;
    const found = answered(
      reply(quote, ""),
      `${before}\nTell me soon, please, the train is nearly full.`,
    );
    assert.deepEqual(found && news(found.segments), [answer]);
  });
}

for (
  const [title, quote] of [
    ["the quote as it was", asked],
    [
      "lines that another program wrapped",
      asked.replace("two things", "two\nthings").replace("for us on", "for\nus on"),
    ],
    ["lines that became one", asked.replaceAll(/(?<!\n)\n(?!\n)/g, " ")],
    [
      "a link that a gateway rewrote",
      asked.replace(
        "https://chairs.example/list/4471",
        "https://safelinks.example/?url=https%3A%2F%2Fchairs.example%2Flist%2F4471&data=05%7C01",
      ),
    ],
    [
      "the banner of a gateway",
      `CAUTION: This email originated from outside of the organisation. Do not click links.\n\n${asked}`,
    ],
    ["the footer of a list", `${asked}\n\nTo unsubscribe write to chairs-off@example.org\n`],
    [
      "a header block of which a line is in the mail",
      `From: Cy <cy@example.org>\nTo: chairs@example.org\nSubject: Chairs\n\n${asked}`,
    ],
    ["a part of the mail", asked.split("\n").slice(2, 5).join("\n")],
    ["other marks", asked.split("\n").map((line) => `>> ${line}`).join("\n")],
    [
      "the quote of another mail",
      "The invoice of March is paid.\nThe one of April is not.\nCan you look?",
    ],
    [
      "an older mail below",
      `${asked}\n\nFrom: Bob <bob@example.com>\nSent: Sunday, 1 November 2026 09:00\nTo: Ann <ann@example.org>\nSubject: The fair`,
    ],
  ] as const
) {
  Deno.test(`no answer is found in ${title}`, () => {
    assert.equal(answered(reply(quote)), null);
  });
}

Deno.test("the line that is answered is cut to 200 characters", () => {
  const long = `Tell me please whether ${
    "the chairs and the tables and ".repeat(20)
  }the lamps come.`;
  const found = answered(reply(`${long}\nThey do.\n`, ""), long)!;
  assert.equal(found.newText, `> ${long.slice(0, 200).trimEnd()}\nThey do.`);
});

Deno.test("answers are searched in linear time, in long texts not at all", () => {
  const words = "the chairs and tables of the hall are here\nno they are not\n";
  const slower = slowerThanLinear(
    20_000,
    (length) => words.repeat(length / words.length),
    (text) => {
      answersIn([{ origin: "quoted", text }], text.replaceAll("not", "now"));
    },
  );
  assert.equal(slower, null);
  const long = `${words.repeat(10_000)}`;
  assert.equal(answersIn([{ origin: "quoted", text: `${long}Yes, they are.` }], long), null);
});

Deno.test("answers that the program left unmarked between marked lines stand below the lines that they answer", () => {
  const marked = asked.split("\n").map((line) => `> ${line}`).join("\n");
  const text = `On Mon, 2 Nov 2026 at 10:00, Ann <ann@example.org> wrote:\n\n${
    marked.replace("morning?\n", "morning?\n\nAt seven.\n\n")
  }\n\nSee you there.\n`;
  const found = answered(text)!;
  assert.deepEqual(news(found.segments), ["At seven.", "See you there."]);
  assert.equal(
    found.newText,
    "> When does the hall open for us on Thursday morning?\nAt seven.\n\nSee you there.",
  );
  assert.equal(answered(text, "Another mail altogether, about lamps and their shades."), null);
});

Deno.test("an answer behind a sentence of the quote, in its line, is new", () => {
  const quote = asked.replace("morning?\n", "morning? Already at seven.\n");
  const found = answered(reply(quote))!;
  assert.deepEqual(news(found.segments), ["See below.", "Already at seven."]);
  assert.equal(
    found.newText,
    "See below.\n\n> When does the hall open for us on Thursday morning?\nAlready at seven.",
  );
  const japanese = "金曜日の会議は何時からですか。場所も教えてください。";
  assert.deepEqual(
    news(answered(reply(`${japanese}十時からです。\n`, ""), japanese)!.segments),
    ["十時からです。"],
  );
});

Deno.test("the end of a marked line that a program wrapped without its mark is no answer; what stands below it is", () => {
  const marked = asked.split("\n").map((line) => `> ${line}`).join("\n");
  const wrote = "On Mon, 2 Nov 2026 at 10:00, Ann <ann@example.org> wrote:";
  const wrapped = marked.replace("the fair in Lyon?", "the\nfair in Lyon?")
    .replace("open for us on", "open\nfor us on");
  assert.equal(answered(`Thanks!\n\n${wrote}\n\n${wrapped}\n`)?.newText, "Thanks!");
  const between = wrapped.replace("morning?\n", "morning?\n\nAt seven.\n\n");
  assert.equal(
    answered(`Thanks!\n\n${wrote}\n\n${between}\n`)?.newText,
    "Thanks!\n\n> for us on Thursday morning?\nAt seven.",
  );
  const below = wrapped.replace("morning?\n", "morning?\nAt seven.\n");
  assert.match(answered(`${wrote}\n\n${below}\n`)!.newText, /morning\?\nAt seven\.$/);
  assert.equal(isAboveWhole(`Thanks!\n\n${wrote}\n\n${wrapped}\n`, "Thanks!", asked), true);
  assert.equal(
    isAboveWhole(`Thanks!\n\n${wrote}\n\n${wrapped}\n`, "Thanks!\n\nfair in Lyon?", asked),
    false,
  );
});

Deno.test("an own line that begins as a line of the quote does, and goes on otherwise, is an answer", () => {
  const marked = asked.split("\n").map((line) => `> ${line}`).join("\n");
  const text = `On Mon, 2 Nov 2026 at 10:00, Ann <ann@example.org> wrote:\n\n${
    marked.replace("morning?\n", "morning?\nThursday morning at seven it opens.\n")
  }\n`;
  assert.equal(
    answered(text)?.newText,
    "> When does the hall open for us on Thursday morning?\nThursday morning at seven it opens.",
  );
});
