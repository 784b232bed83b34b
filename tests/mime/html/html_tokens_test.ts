import assert from "node:assert/strict";
import { Tokenizer } from "htmlparser2";
import { readTokens } from "../../../mime/html/html_tokens.ts";
import { seeded } from "../../torture/seeded.ts";
import { hostileHtml } from "./hostile_html.ts";

type Token = string[];

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const cut = (start: number, end: number) => source.slice(start, end);
  readTokens(source, {
    text: (start, end) => tokens.push(["text", cut(start, end)]),
    tagName: (start, end) => tokens.push(["name", cut(start, end)]),
    attribute: (start, end, valueStart, valueEnd) =>
      tokens.push(["attribute", cut(start, end), cut(valueStart, valueEnd)]),
    startTag: () => tokens.push(["start"]),
    endTag: (start, end) => tokens.push(["end", cut(start, end)]),
    cdata: (start, end) => tokens.push(["cdata", cut(start, end)]),
    declaration: (start, end) => tokens.push(["declaration", cut(start, end)]),
  });
  return tokens;
}

/** The same by htmlparser2. */
function expectedTokens(source: string): Token[] {
  const tokens: Token[] = [];
  const cut = (start: number, end: number) => source.slice(start, end);
  let name = "", value = "";
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, {
    ontext: (start, end) => tokens.push(["text", cut(start, end)]),
    onopentagname: (start, end) => tokens.push(["name", cut(start, end)]),
    onattribname: (start, end) => [name, value] = [cut(start, end), ""],
    onattribdata: (start, end) => value += cut(start, end),
    onattribend: () => tokens.push(["attribute", name, value]),
    onopentagend: () => tokens.push(["start"]),
    onselfclosingtag: () => tokens.push(["start"]),
    onclosetag: (start, end) => tokens.push(["end", cut(start, end)]),
    oncdata: (start, end) => tokens.push(["cdata", cut(start, end)]),
    ondeclaration: (start, end) => tokens.push(["declaration", cut(start, end)]),
    ontextentity: () => assert.fail(),
    onattribentity: () => assert.fail(),
    oncomment: () => {},
    onprocessinginstruction: () => {},
    onend: () => {},
  });
  tokenizer.write(source);
  tokenizer.end();
  return tokens;
}

const pieces = [
  ..."<>/='\"! \n\t-?[]ax",
  ...["<p>", "</p>", "</p ", "<br/", "/ >", "<p a=b c='d' e=\"f\" g", "</>", "</ p>", "</1>", "<1"],
  ...["<style>", "</style>", "</STYLE ", "<style/>", "<Script", "</script>", "<title>", "</title>"],
  ...["<textarea>", "</textarea>", "<xmp>", "</xmp>", "<s", "<st", "<span", "<t", "<tr", "<x"],
  ...[
    "<!--",
    "-->",
    "<!-->",
    "<!--->",
    "<!-",
    "<!>",
    "<![CDATA[",
    "]]>",
    "<![CD",
    "<!doctype html>",
  ],
  ...["<?xml", "<", "</", "text", "=", "a=", 'href="x>y"', "&amp;", "é", "\0"],
];

Deno.test("the tokens of HTML, also of broken HTML and of every beginning of it, are those of htmlparser2", () => {
  const random = seeded(1);
  const mixed = Array.from(
    { length: 20_000 },
    () =>
      Array.from(
        { length: Math.floor(random() * 12) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join(""),
  );
  const whole = hostileHtml.join("\n");
  const beginnings = Array.from({ length: whole.length }, (_, end) => whole.slice(0, end));
  for (const source of [...mixed, ...beginnings, ...hostileHtml]) {
    assert.deepEqual(tokensOf(source), expectedTokens(source), source);
  }
});

Deno.test("a tag that differs from a text element in its first letter is a tag, and control characters end no element", () => {
  for (const name of ["tmp", "xitle", "xextarea", "ttyle"]) {
    assert.deepEqual(tokensOf(`<${name}>a<b>`).slice(2), [["text", "a"], ["name", "b"], ["start"]]);
  }
  assert.deepEqual(tokensOf("<style>a\x1c\x0fstyle><b>").slice(2), [[
    "text",
    "a\x1c\x0fstyle><b>",
  ]]);
});
