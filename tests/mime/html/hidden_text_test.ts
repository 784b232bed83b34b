import assert from "node:assert/strict";
import { htmlTexts } from "../../../mime/body/html_text.ts";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { readPage } from "../../../mime/verification/page.ts";
import { message } from "../fixture.ts";
import { seen, unseen } from "./css_cases.ts";
import { secret, visible, ways } from "./hidden_ways.ts";

Deno.test("htmlTexts() separates text that is hidden in many ways, and keeps the text around it", () => {
  assert.ok(Object.keys(ways).length >= 60);
  const wrong = Object.entries(ways).flatMap(([way, html]) => {
    const { shown, hidden } = htmlTexts(`<div>Before</div>${html}<div>After</div>`);
    const isRight = /^Before\s+After$/.test(shown) && hidden.join("|") === secret;
    return isRight ? [] : [{ way, shown, hidden }];
  });
  assert.deepEqual(wrong, []);
});

Deno.test("hidden text is in no field of a parsed message but its HTML", () => {
  for (const [way, html] of Object.entries(ways)) {
    const body = parseBody(message(`Content-Type: text/html; charset=utf-8\n\n<p>Hi</p>${html}`));
    assert.equal(body.text, "Hi", way);
    assert.ok(body.html?.includes(secret), way);
    assert.ok(!JSON.stringify({ ...body, html: null }).includes(secret), way);
  }
});

Deno.test("hidden text of an attached page is not among the texts for the index", () => {
  const part = "--b\nContent-Type: text/html; name=a.html\nContent-Disposition: attachment\n\n";
  const body = parseBody(message(
    `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n${part}<p>Page</p>${
      ways["a class"]
    }\n--b--\n`,
  ));
  assert.deepEqual(body.attachedTexts, ["Page"]);
});

Deno.test("htmlTexts() keeps what merely looks hidden", () => {
  const wrong = Object.entries(visible).flatMap(([what, html]) => {
    const { shown, hidden } = htmlTexts(html);
    return shown.includes(secret) && !hidden.join().includes(secret)
      ? []
      : [{ what, shown, hidden }];
  });
  assert.deepEqual(wrong, []);
});

Deno.test("htmlTexts() has no text of comments, scripts, styles and titles", () => {
  const html = "<title>title</title><!-- comment --><script>script()</script><style>p{}</style>" +
    "<p>shown</p><style>.late{display:none}</style><script>more";
  assert.deepEqual(htmlTexts(html), { shown: "shown", hidden: [] });
});

Deno.test("htmlTexts() separates hidden texts that have visible text between them, and keeps their lines", () => {
  const html =
    '<div style="display:none"><p>one</p><p>two &amp; three</p></div><i hidden>four</i>' +
    "shown<b hidden> five</b><i hidden> </i>";
  assert.deepEqual(htmlTexts(html), {
    shown: "shown",
    hidden: ["one\n\ntwo & three\n\nfour", "five"],
  });
});

Deno.test("a text part of a message is never hidden", () => {
  const body = parseBody(message(
    `Content-Type: multipart/alternative; boundary=b\n\n--b\n\n${secret}\n` +
      `--b\nContent-Type: text/html\n\n<p hidden>${secret}</p><p>Hi</p>\n--b--\n`,
  ));
  assert.equal(body.text, secret);
});

Deno.test("htmlTexts() and readPage() hide what Chromium does not show, and show what it shows", () => {
  const wrong: unknown[] = [];
  for (const [cases, isSeen] of [[unseen, false], [seen, true]] as const) {
    for (const [what, html] of Object.entries(cases)) {
      const { shown, hidden } = htmlTexts(html);
      const page = readPage(html).text;
      const isRight = shown.includes(secret) === isSeen &&
        hidden.join().includes(secret) !== isSeen &&
        page.includes(secret) === isSeen;
      if (!isRight) wrong.push({ what, isSeen, shown, page });
    }
  }
  assert.deepEqual(wrong, []);
});
