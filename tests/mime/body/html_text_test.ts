import assert from "node:assert/strict";
import { htmlToText } from "../../../mime/body/html_text.ts";

const texts: [html: string, text: string][] = [
  // The address of a link is shown if it is not its text, apart from a scheme and a slash at the end.
  ['<a href="https://x.example/">x.example</a>', "x.example"],
  ['<a href="mailto:a@x.example">a@x.example</a>', "a@x.example"],
  ['<a href="http://x.example/a">https://x.example/a/</a>', "https://x.example/a/"],
  ['<a href="https://x.example/a">x.example/b</a>', "x.example/b [https://x.example/a]"],
  ["<pre>a&nbsp;b &amp;nbsp;</pre>", "a\u00a0b &nbsp;"],
  ["a&nbsp; &nbsp;b", "a b"],
  ["a\u200b\u00adb \u034f c", "ab c"],
  ["ha&shy;ft \u00ad pflicht\u200c\u200c", "haft pflicht"],
  ["\u200cmi\u200cr \u{1f469}\u200d\u{1f467}", "mi\u200cr \u{1f469}\u200d\u{1f467}"],
  ["<p hidden>a</p><p>b</p>", "b"],
  ["<p style='display:none' style=''>a</p>b", "b"],
  ["<p style='' style='display:none'>a</p>b", "a\n\nb"],
  ["<ul><li><b>a</b><li>b</ul>c", "* a\n* b\n\nc"],
];

Deno.test("HTML is read as its visible text", () => {
  for (const [html, text] of texts) assert.equal(htmlToText(html), text, html);
});
