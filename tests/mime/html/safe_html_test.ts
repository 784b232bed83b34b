import assert from "node:assert/strict";
import { Parser } from "htmlparser2";
import { safeHtml, withoutLoads } from "../../../mime/html/safe_html.ts";
import { hostileHtml } from "./hostile_html.ts";

const attachments = [{ attachmentId: "att_2", contentId: "logo@example.net" }];
const attachmentBase = "/api/emails/e/attachments/";
const show = (html: string, remoteImages = false) =>
  safeHtml(html, attachments, { remoteImages, attachmentBase });

/** The faults of sanitised HTML according to a second parser. */
function faultsOf(html: string, remoteImages: boolean): string[] {
  const faults: string[] = [];
  const mayLoad = (url: string) =>
    url.startsWith(attachmentBase) || /^data:image\/(?:png|jpeg|gif|webp)[;,]/.test(url) ||
    (remoteImages && /^https?:/.test(url));
  let isStyle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      isStyle = name === "style";
      const banned = "script iframe frame object embed form input button meta base link svg math " +
        "video audio source picture template noscript area map marquee textarea title";
      if (banned.split(" ").includes(name)) faults.push(`<${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute.startsWith("on")) faults.push(attribute);
        if (attribute === "href" && !/^\s*(?:https?|mailto|tel):/i.test(value)) faults.push(value);
        if (attribute === "src" && !mayLoad(value)) faults.push(value);
        if (attribute === "srcset" && !remoteImages) faults.push(value);
        if (["background", "poster", "action", "formaction", "data"].includes(attribute)) {
          faults.push(attribute);
        }
        if (attribute === "style" && /url\s*\(|\\|image-set/i.test(value)) faults.push(value);
      }
    },
    ontext(text) {
      if (isStyle && /url\s*\(|\\|@import|image-set/i.test(text)) faults.push(text);
    },
    onclosetag: () => isStyle = false,
  });
  parser.end(html);
  return faults;
}

for (const remoteImages of [false, true]) {
  Deno.test(`nothing of hostile HTML runs, loads or leads away, ${remoteImages ? "with" : "without"} remote images`, () => {
    for (const html of [...hostileHtml, hostileHtml.join("\n")]) {
      assert.deepEqual(faultsOf(show(html, remoteImages).html, remoteImages), [], html);
    }
  });
}

Deno.test("the test of faults finds each kind", () => {
  const planted =
    "<script></script><p onclick=a style='a:url(b)'><a href='javascript:a'><img src=b>" +
    "<style>@import 'a'</style>";
  assert.equal(faultsOf(planted, false).length, 6);
});

Deno.test("the content of real mail stays: layout, styles, links that open outside, its own images", () => {
  const { html, blockedImages, problem } = show(
    "<style>.a{color:red}</style><table width=600 cellpadding=0><tr><td class=a colspan=2 style='color:#333'>" +
      "<a href='https://example.net/?a=1&amp;b=2'>Go</a><img src='cid:logo%40example.net' alt=Logo>" +
      "<img src='data:image/png;base64,AA=='></td></tr></table>",
  );
  assert.equal(problem, null);
  assert.equal(blockedImages, 0);
  assert.match(html, /<style>\.a\{color:red\}<\/style>/);
  assert.match(html, /<td class="a" colspan="2" style="color:#333">/);
  assert.match(
    html,
    /<a href="https:\/\/example\.net\/\?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">/,
  );
  assert.match(html, /src="\/api\/emails\/e\/attachments\/att_2"/);
  assert.match(html, /src="data:image\/png;base64,AA=="/);
});

Deno.test("remote images are blocked and counted, and loaded only if asked for", () => {
  const mail =
    "<img src='https://example.net/a.png' width=40 height=20><img src='//example.net/b'>" +
    "<img srcset='https://example.net/c 2x'><img src='cid:unknown'><img alt=none>";
  const blocked = show(mail);
  assert.equal(blocked.blockedImages, 3);
  assert.ok(!blocked.html.includes("example.net"));
  assert.match(blocked.html, /width="40" height="20"[^>]* data-blocked/);
  const loaded = show(
    "<img src='https://example.net/a.png' srcset='https://example.net/b 2x'>",
    true,
  );
  assert.equal(loaded.blockedImages, 0);
  assert.match(loaded.html, /src="https:\/\/example\.net\/a\.png"/);
  assert.match(loaded.html, /srcset="https:\/\/example\.net\/b 2x"/);
});

Deno.test("HTML that is too deep or too long is refused with a sentence", () => {
  for (const html of ["<div>".repeat(100_000), "a".repeat(2 * 2 ** 20 + 1)]) {
    const { html: shown, problem } = show(html);
    assert.equal(shown, "");
    assert.match(problem!, /^The HTML of this message is .*\.$/);
  }
  assert.equal(show("<div>".repeat(500) + "a").problem, null);
});

Deno.test("CSS without loads has no function that takes a URL, in any spelling", () => {
  const loads = [
    "url(a)",
    "URL (a)",
    "u\\72 l(a)",
    "\\55\\52\\4c(a)",
    "image-set('a')",
    "src('a')",
  ];
  for (const css of loads) {
    assert.doesNotMatch(withoutLoads(css), /\\|url\s*\(|image-set\s*\(|src\s*\(/i, css);
  }
  assert.equal(withoutLoads("color:red;width:calc(1px + 2px)"), "color:red;width:calc(1px + 2px)");
});

Deno.test("the colours of the body stay, on a block around its content", () => {
  const html = show(
    '<html><body bgcolor="#000" text="#eee" style="margin:0"><p style="color:#fff">Hi</p></body></html>',
  ).html;
  assert.equal(
    html,
    '<div style="background-color: #000; color: #eee; margin:0"><p style="color:#fff">Hi</p></div>',
  );
  assert.equal(show("<body><p>Hi</p></body>").html, "<div><p>Hi</p></div>");
  const hostile = show('<body bgcolor="red;background:url(https://t.example/x)">Hi</body>').html;
  assert.deepEqual(faultsOf(hostile, false), []);
});
