import assert from "node:assert/strict";
import { candidatesOf } from "../../../mime/verification/code_candidates.ts";
import { listLinks } from "../../../mime/verification/mail_links.ts";
import { findVerification } from "../../../mime/verification/verification.ts";
import { casesOf, messageOf } from "./corpus.ts";
import { measure, precision, readMail, recall, shown } from "./measure.ts";

const leastPrecision = 0.98;
const leastRecall = 0.97;

const made = ["western", "eastern", "decoys", "more", "round_one", "round_two", "deeds"];

for (
  const [title, files] of [
    ["the corpus", made],
    ["the held-out mails", ["held_out", "deeds_held_out"]],
  ] as const
) {
  Deno.test(`codes and kinds of links of ${title} are found with precision 0.98 and recall 0.97`, () => {
    const cases = files.flatMap(casesOf);
    const { codes, links, mistakes } = measure(cases);
    const languages = new Set(cases.map(({ language }) => language)).size;
    console.log(`${title}: ${cases.length} mails in ${languages} languages`);
    console.log(`  codes: ${shown(codes)}\n  links: ${shown(links)}`);
    for (const mistake of mistakes) console.log(`  ${mistake}`);
    for (const score of [codes, links]) {
      assert.ok(precision(score) >= leastPrecision, shown(score));
      assert.ok(recall(score) >= leastRecall, shown(score));
    }
  });
}

Deno.test("the corpus has at least 120 mails for developing the rules, 30 held-out ones, and twelve languages", () => {
  const cases = made.flatMap(casesOf);
  const held = ["held_out", "deeds_held_out"].flatMap(casesOf);
  assert.ok(cases.length >= 120 && held.length >= 30, `${cases.length}, ${held.length}`);
  assert.ok(new Set(cases.map(({ language }) => language)).size >= 12);
  const ids = [...cases, ...held].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("a found code has its writing, kind, confidence and one line of context", () => {
  const found = findVerification({
    subject: "Sign in",
    text: "Hello,\n\nyour sign-in code is\n\n482 913\n\nIt expires in 10 minutes.",
    html: null,
  });
  assert.deepEqual(found, {
    best_code: "482913",
    best_link: null,
    codes: [{
      code: "482913",
      as_written: "482 913",
      kind: "numeric",
      confidence: 0.95,
      context: "Hello, your sign-in code is 482 913 It expires in 10 minutes.",
    }],
    links: [],
  });
});

Deno.test("blanks are removed from every code, hyphens from numeric ones, and a prefix G- too", () => {
  const codeOf = (written: string) =>
    findVerification({ subject: "", text: `Your verification code is: ${written}`, html: null })
      .codes.map(({ code, kind }) => `${code} ${kind}`).join();
  assert.equal(codeOf("482-913"), "482913 numeric");
  assert.equal(codeOf("4 8 2 9"), "4829 numeric");
  assert.equal(codeOf("G-482913"), "482913 numeric");
  assert.equal(codeOf("X7K-9QP"), "X7K-9QP alphanumeric");
  assert.equal(codeOf("X7K 9QP"), "X7K9QP alphanumeric");
  assert.equal(codeOf("a81bQ9"), "a81bQ9 alphanumeric");
  assert.equal(codeOf("٤٨٢٩١٣"), "482913 numeric");
  assert.equal(codeOf("𝟒𝟖𝟐𝟗𝟏𝟑"), "482913 numeric");
  assert.equal(codeOf("482913"), "482913 numeric");
});

Deno.test("text that the HTML hides has no code, and its link is listed as hidden", () => {
  const html = `<p>Your login code is 482913</p>
<div style="display:none">Your login code is 111222
<a href="https://trap.example/verify?token=a1b2c3d4e5">Verify</a></div>
<p style="color:#fff;background:#ffffff">Your login code is 333444</p>
<a href="https://a.example/">Home</a>`;
  const mail = { subject: "Login", text: "", html };
  assert.deepEqual(findVerification(mail).codes.map(({ code }) => code), ["482913"]);
  assert.deepEqual(findVerification(mail).links.map(({ url }) => url), ["https://a.example/"]);
  assert.deepEqual(listLinks(mail), [
    {
      n: 1,
      url: "https://trap.example/verify?token=a1b2c3d4e5",
      text: null,
      host: "trap.example",
      kind: "other",
      hidden: true,
    },
    { n: 2, url: "https://a.example/", text: "Home", host: "a.example", kind: "other" },
  ]);
});

Deno.test("every way to hide a code hides it, and a class of a style block does too", () => {
  const ways = [
    'style="display:none"',
    'style="visibility:hidden"',
    'style="opacity:0"',
    'style="font-size:0"',
    'style="position:absolute;left:-9999px"',
    'style="max-height:0;overflow:hidden"',
    "hidden",
    'class="x"',
    'style="color:#ffffff"',
  ];
  for (const way of ways) {
    const html =
      `<style>.x{display:none}</style><div ${way}>Your login code is 111222</div><p>Hi</p>`;
    assert.deepEqual(findVerification({ subject: "", text: "", html }).codes, [], way);
  }
  const late = '<p class="y">Your login code is 111222</p><style>.y{display:none}</style>';
  assert.deepEqual(findVerification({ subject: "", text: "", html: late }).codes, []);
});

Deno.test("a code is found among many numbers, of which 200 are rated", () => {
  const numbers = (count: number) => "ya 48291 Sent: Mond\n".repeat(count);
  const code = "Your verification code is 739204.\n";
  const read = (text: string) => findVerification({ subject: "", text, html: null }).best_code;
  assert.equal(read(numbers(199) + code), "739204");
  assert.equal(read(code + numbers(10_000)), "739204");
  assert.equal(candidatesOf(numbers(10_000)).length, 200);
});

Deno.test("a message of nothing, of noise and of a megabyte is read", () => {
  const none = { best_code: null, best_link: null, codes: [], links: [] };
  assert.deepEqual(findVerification({ subject: "", text: "", html: null }), none);
  assert.deepEqual(findVerification({ subject: "\0\ud800", text: "\udfff", html: "<" }), none);
  const long = "Your code is 482913. " + "x ".repeat(500_000);
  assert.equal(
    findVerification({ subject: "", text: long, html: `<p>${long}` }).best_code,
    "482913",
  );
});

Deno.test("every mail of the corpus gives the same result twice", () => {
  for (const one of made.flatMap(casesOf)) {
    const mail = readMail(messageOf(one));
    assert.deepEqual(findVerification(mail), findVerification(mail), one.id);
  }
});
