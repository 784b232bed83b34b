import assert from "node:assert/strict";
import { listLinks, maxLinks, shortenUrls } from "../../../mime/verification/mail_links.ts";

const urls = (mail: { text: string; html?: string }) =>
  listLinks({ subject: "", html: null, ...mail }).map(({ url }) => url);

Deno.test("links of the text and those that only the HTML has are listed in order, each URL once", () => {
  const links = listLinks({
    subject: "",
    text: "See https://a.example/one, then https://b.example/two.\nAgain: https://a.example/one",
    html: `<a href="https://b.example/two">Two</a> <a href="HTTPS://C.example:8443/x?a=1&amp;b=2">
<img src="x.png" alt="A picture"></a> <a href="mailto:x@y.example">mail</a> <a href="/relative">r</a>
<map><area href="https://d.example/map"></map><form action="https://e.example/form"></form>
<img src="https://pixel.example/1.gif">`,
  });
  assert.deepEqual(links.map(({ n, url, text, host }) => [n, url, text, host]), [
    [1, "https://a.example/one", "https://a.example/one", "a.example"],
    [2, "https://b.example/two", "Two", "b.example"],
    [3, "HTTPS://C.example:8443/x?a=1&b=2", "A picture", "c.example"],
    [4, "https://d.example/map", "", "d.example"],
    [5, "https://e.example/form", "", "e.example"],
  ]);
});

Deno.test("the punctuation of a sentence does not belong to a URL in it", () => {
  const url = "https://a.example/x";
  for (
    const text of [
      `(${url})`,
      `"${url}"`,
      `<${url}>`,
      `${url}.`,
      `${url}...`,
      `[${url}]`,
      `点击${url}。`,
      `请点击${url}完成`,
      `**${url}**`,
    ]
  ) assert.deepEqual(urls({ text }), [url], text);
  const kept = [
    "https://a.example/wiki/Mail_(format)",
    "https://a.example/?q=[1]",
    "https://пример.example/путь",
    "https://a.example/~ann/#top",
  ];
  for (const text of kept) assert.deepEqual(urls({ text }), [text]);
});

Deno.test("HTML with a URL as its text is one link, and a bare URL in HTML is one too", () => {
  const html =
    `<a href="https://a.example/x">https://a.example/x</a><br>Or copy https://b.example/y into`;
  assert.deepEqual(urls({ text: "", html }), ["https://a.example/x", "https://b.example/y"]);
});

Deno.test("at most 500 links are listed", () => {
  const text = Array.from({ length: 600 }, (_, n) => `https://a.example/${n}`).join(" ");
  assert.equal(urls({ text }).length, maxLinks);
  assert.equal(urls({ text }).at(-1), "https://a.example/499");
});

Deno.test("a URL of more than 120 characters is shortened to 40 of its path and the number of its link", () => {
  const path = "/" + "p".repeat(60);
  const long = `https://a.example:8443${path}?t=${"x".repeat(60)}`;
  const exact = `https://a.example/${"y".repeat(120 - 18)}`;
  const text = `One ${exact} two ${long}, three.`;
  const links = listLinks({ subject: "", text, html: null });
  assert.equal(exact.length, 120);
  assert.equal(
    shortenUrls(text, links),
    `One ${exact} two https://a.example:8443/${"p".repeat(39)}…[link 2], three.`,
  );
  assert.equal(shortenUrls(`x ${long}`, []), `x https://a.example:8443/${"p".repeat(39)}…`);
});

Deno.test("a URL that the text of HTML shows in part gets the number of its whole link", () => {
  const long = `https://a.example/?t=${"x".repeat(3_000)}`;
  const links = listLinks({ subject: "", text: "", html: `<a href="${long}">Go</a>` });
  assert.equal(links[0].url, long);
  assert.equal(
    shortenUrls(`Go [${long.slice(0, 2000)}]`, links),
    "Go [https://a.example/…[link 1]]",
  );
});

Deno.test("the kind of a link comes from its words, its URL or the words around it", () => {
  const kindOf = (html: string, subject = "", senderDomain?: string) =>
    listLinks({ subject, text: "", html, senderDomain }).map(({ kind }) => kind).join();
  const to = (path: string, text: string) => `<a href="https://a.example${path}">${text}</a>`;
  assert.equal(kindOf(to("/x?t=8ad71k2", "Verify email")), "verify");
  assert.equal(kindOf(to("/x?t=8ad71k2", "Log in")), "sign_in");
  assert.equal(kindOf(to("/login", "Log in")), "other");
  assert.equal(kindOf(to("/x", "Unsubscribe")), "unsubscribe");
  assert.equal(kindOf(to("/u/optout?id=1", "here")), "unsubscribe");
  assert.equal(kindOf("To reset your password, click " + to("/x?t=8ad71k2", "here")), "reset");
  assert.equal(kindOf(to("/x?t=8ad71k2", "here") + " to verify your address"), "verify");
  assert.equal(kindOf(to("/x?t=8ad71k2", "Confirm your order")), "other");
  assert.equal(kindOf(to("/x?t=8ad71k2", "Continue"), "Verify your email"), "verify");
  assert.equal(kindOf(to("/__/auth/action?mode=resetPassword&oobCode=ab12cd34", "Go")), "reset");
  assert.equal(kindOf(to("/x?t=8ad71k2", "Verify email"), "", "4.example"), "verify");
});

Deno.test("a link to a host that imitates the sender's, or that hides its host, has no kind", () => {
  const kindOf = (url: string, text = "Verify email") =>
    listLinks({
      subject: "Verify your email",
      text: "",
      html: `<a href="${url}">${text}</a>`,
      senderDomain: "mail.paypost.example",
    })[0].kind;
  assert.equal(kindOf("https://www.paypost.example/verify?t=12345ab"), "verify");
  assert.equal(kindOf("https://ct.sendhub.example/ls/click?upn=u001.ab12"), "verify");
  assert.equal(kindOf("https://payp0st.example/verify?t=12345ab"), "other");
  assert.equal(kindOf("https://paypostt.example/verify?t=12345ab"), "other");
  assert.equal(kindOf("https://pаypost.example/verify?t=12345ab"), "other");
  assert.equal(kindOf("https://paypost.example.evil.test/verify?t=12345ab"), "other");
  assert.equal(kindOf("https://paypost.example@evil.test/verify?t=12345ab"), "other");
  assert.equal(
    kindOf("https://paypast.test/verify?t=12345ab", "https://paypost.test/verify"),
    "other",
  );
});
