import assert from "node:assert/strict";
import { listLinks, maxLinks, shortenUrls } from "../../../mime/verification/mail_links.ts";
import { findVerification } from "../../../mime/verification/verification.ts";

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

/** Links that confirm a deed, by language. */
const deeds = [
  "Confirm account deletion|Yes, confirm closing my account|Verify and delete my data",
  "Confirm withdrawal|Confirm transfer of 1,000 EUR|Confirm new API key|Confirm payment approval",
  "Confirm cancellation|Confirm deactivation|Verify removal of your device|Yes, confirm: pay €20",
  "Löschung bestätigen|Auszahlung bestätigen|Überweisung bestätigen|Kündigung bestätigen",
  "Konto deaktivieren|Kontoschließung bestätigen|API-Schlüssel bestätigen|Zahlung bestätigen",
  "Confirmer la suppression|Confirmer le virement|Confirmer le retrait|Désactiver mon compte",
  "Confirmar eliminación|Confirmar el retiro|Confirmar transferencia|Confirmar el pago",
  "Confirmar exclusão da conta|Confirmar saque|Confirmar pagamento",
  "Conferma eliminazione|Conferma il bonifico|Conferma il prelievo|Conferma il pagamento",
  "Bevestig verwijderen van account|Bevestig overschrijving|Bevestig betaling",
  "Potwierdź usunięcie konta|Potwierdź przelew|Potwierdź wypłatę",
  "Подтвердить удаление|Подтвердить перевод|Подтвердить оплату|Підтвердити видалення",
  "Hesabı silmeyi onayla: sil|Para çekimini onayla|Ödemeyi onayla",
  "تأكيد حذف الحساب|تأكيد التحويل|אישור מחיקת חשבון – אשר את המחיקה|पुष्टि करें: खाता डिलीट",
  "确认您的提现|验证并删除账户|驗證並刪除帳戶|削除を確認する|退会を確認する|送金を確認する",
  "계정 삭제 확인하기|송금 인증|Xác nhận xóa tài khoản|Konfirmasi penghapusan: hapus akun",
  "Bekräfta radera konto|Bekræft sletning|Bekreft sletting|Vahvista tilisiirto|Potvrdit platbu",
].flatMap((line) => line.split("|"));

Deno.test("a link that confirms a deletion, a withdrawal, a transfer or a key has no kind", () => {
  const read = (
    text: string,
    subject = "Acme",
    url = "https://app.acme.example/v/abc123def456ghi7",
  ) => findVerification({ subject, text: "", html: `<a href="${url}">${text}</a>` }).best_link;
  for (const text of deeds) assert.equal(read(text), null, text);
  assert.equal(read("Confirm", "Confirm your account deletion"), null);
  assert.equal(read("Continue", "Confirm your account deletion"), null);
  assert.equal(read("Delete it", "", "https://a.example/confirm?token=8ad71k2"), null);
  assert.equal(read("", "", "https://a.example/delete-account/confirm?token=8ad71k2"), null);
  const around = (before: string) =>
    read(`</a>${before}<a href="https://a.example/x?t=8ad71k2">here`);
  assert.equal(around("To confirm the deletion of your account, click "), null);
});

Deno.test("a link that confirms an address keeps its kind beside words about deeds", () => {
  const to = (text: string) => `<a href="https://a.example/x?t=8ad71k2">${text}</a>`;
  const texts = [
    `Click ${to("here")} to verify your email, or your account will be deleted.`,
    `Please confirm your address: ${to("here")}. If you ignore this, we delete your data.`,
    `Klicken Sie ${to("hier")}, um Ihre Adresse zu bestätigen, sonst wird das Konto gelöscht.`,
    to("Confirm subscription"),
    to("Verify ownership of acme.example"),
    to("Verify your WeTransfer account"),
    to("Verify email to get your API key"),
    to("Registrierung abschließen"),
    to("2 steps left: verify your email"),
    `Follow these 3 steps to verify your account: ${to("open")}`,
  ];
  for (const html of texts) {
    const [{ kind }] = listLinks({ subject: "Welcome", text: "", html });
    assert.equal(kind, "verify", html);
  }
  const [{ kind }] = listLinks({
    subject: "Cancel the trial any time",
    text: "",
    html: to("Verify email"),
  });
  assert.equal(kind, "verify");
});

Deno.test("the title of an article about verifying is no link that verifies", () => {
  const titles = [
    "10 ways to verify your email list",
    "The 7 best tips to validate addresses",
    "Five simple steps to confirm a lead",
    "10 Tipps, wie Sie Adressen verifizieren",
    "5 façons de vérifier vos adresses",
    "8 formas de verificar tu lista",
    "10个方法验证邮箱",
  ];
  for (const title of titles) {
    const html = `<a href="https://a.example/x?upn=u001.ab12cd34">${title}</a>`;
    assert.equal(listLinks({ subject: "Digest", text: "", html })[0].kind, "other", title);
    const more = `<a href="https://a.example/x?upn=u001.ab12cd34">Continue</a>`;
    assert.equal(listLinks({ subject: title, text: "", html: more })[0].kind, "other", title);
  }
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

Deno.test("a link is hidden only by what is around it in a browser: a block ends a hidden paragraph", () => {
  const textOf = (html: string) => listLinks({ subject: "", text: "", html })[0].text;
  const link = '<a href="https://a.example/">Go</a>';
  assert.equal(textOf(`<p style="display:none">x<div>${link}</div>`), "Go");
  assert.equal(textOf(`<table><tr><td style="display:none">x<td>${link}</table>`), "Go");
  assert.equal(textOf(`<div hidden><table></div><tr><td>${link}</table>`), null);
});
