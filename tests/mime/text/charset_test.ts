import assert from "node:assert/strict";
import { Buffer, isUtf8 } from "node:buffer";
import { decodeCharset } from "../../../mime/text/charset.ts";

const utf7 = (text: string) => decodeCharset(Buffer.from(text, "latin1"), "utf-7");

Deno.test("UTF-7 decodes runs with and without an end, a plus sign, pairs of surrogates, and what is no UTF-7", () => {
  for (
    const [encoded, text] of [
      ["Hi Mom -+Jjo--!", "Hi Mom -☺-!"],
      ["A+ImIDkQ.", "A≢Α."],
      ["+ZeVnLIqe", "日本語"],
      ["1 +- 1 +", "1 + 1 +"],
      ["+2D3eAA-", "😀"],
      ["+2D0-", "�"],
      ["a+b=+\xff", "a=+ÿ"],
      ["", ""],
    ]
  ) assert.equal(utf7(encoded), text, encoded);
});

Deno.test("text that is declared UTF-8 is read as windows-1252 if no character above ASCII is UTF-8", () => {
  const utf8 = (text: string) => decodeCharset(Buffer.from(text, "latin1"), "UTF-8");
  for (
    const [bytes, text] of [
      ["caf\xe9 \x80 5", "café € 5"],
      ["caf\xc3\xa9", "café"],
      ["caf\xc3\xa9 caf\xe9", "café caf�"],
      ["caf\xef\xbf\xbd", "caf�"],
    ]
  ) assert.equal(utf8(bytes), text, bytes);
});

Deno.test("text that is declared Latin is read as UTF-8 if its bytes can hardly be else", () => {
  for (const label of ["iso-8859-1", "ISO8859-1", "windows-1252", "latin1"]) {
    const latin = (text: string) => decodeCharset(Buffer.from(text, "latin1"), label);
    for (
      const [bytes, text] of [
        ["gr\xc3\xb6\xc3\x9fer", "größer"],
        ["it\xe2\x80\x99s", "it’s"],
        ["\xd0\x9f\xd1\x80", "Пр"],
        ["caf\xe9", "café"],
        ["caf\xc3\xa9 caf\xe9!", "cafÃ© café!"],
        // These bytes are UTF-8 by chance.
        ["JOS\xc9\x92S", "JOSÉ’S"],
        ["MALM\xd6\x92S", "MALMÖ’S"],
      ]
    ) assert.equal(latin(bytes), text, `${label} ${bytes}`);
  }
});

/** Bytes of a text in a charset of one byte a letter. */
function encoded(text: string, charset: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from(text, (letter) => bytes.get(letter)!);
}

const ownWords: [charset: string, text: string][] = [
  ["windows-1251", "Два стула отправлены сегодня"],
  ["koi8-r", "Два стула отправлены сегодня"],
  ["iso-8859-5", "Два стула отправлены сегодня"],
  ["windows-1253", "Οι δύο καρέκλες έφυγαν σήμερα"],
  ["windows-1255", "שני הכיסאות נשלחו היום"],
  ["windows-1256", "تم شحن الكرسيين اليوم"],
  ["windows-874", "เก้าอี้สองตัวถูกส่งแล้ววันนี้"],
  ["windows-1250", "Dvě židle odešly dnes, příští týden přijde stůl"],
  ["iso-8859-2", "Dwa krzesła wysłano dziś, stół będzie później"],
  ["windows-1254", "İki sandalye bugün gönderildi, masa haftaya çıkıyor"],
  ["windows-1252", "Die zwei Stühle kommen später, die Größe paßt"],
  ["windows-1252", "Les deux chaises ont été livrées à l’hôtel"],
];

Deno.test("text that is declared in another charset is read as UTF-8 if its bytes can hardly be else", () => {
  const labels = ["gb2312", "big5", "shift_jis", "euc-kr", "windows-1251", "koi8-r", "iso-8859-2"];
  for (const label of [...labels, "iso-8859-15", "windows-1256", "cp850", "iso-2022-jp"]) {
    for (const text of [...ownWords.map(([, text]) => text), "两把木椅", "의자 두 개", "Größe"]) {
      assert.equal(decodeCharset(Buffer.from(text), label), text, label);
    }
  }
});

Deno.test("text in the charset that is declared stays, also if its bytes are UTF-8 by chance", () => {
  for (const [charset, text] of ownWords) {
    assert.equal(decodeCharset(encoded(text, charset), charset), text, charset);
  }
  const polish = encoded("SPÓŁKA AKCYJNA", "windows-1250");
  assert.ok(isUtf8(polish));
  assert.equal(decodeCharset(polish, "windows-1250"), "SPÓŁKA AKCYJNA");
  assert.equal(decodeCharset(Buffer.from("c2a9", "hex"), "gbk"), "漏");
});

Deno.test("text that is declared ASCII, Latin or not at all is read as words of a language", () => {
  for (const [charset, text] of ownWords) {
    for (const label of [null, "us-ascii", "iso-8859-1", "unknown-8bit"]) {
      assert.equal(decodeCharset(encoded(text, charset), label), text, `${charset} as ${label}`);
    }
  }
});

Deno.test("a few bytes, signs and letters in many words of Latin are no other charset", () => {
  const texts = [
    ...["naïve", "Zoë", "5 µm ±½°", "°º¤ø,¸¸,ø¤º°`°º¤ø,¸", "×××× §§§§ ÷÷÷÷", "þ", "Ñandú"],
    ...["äöüÄÖÜß", "æøåÆØÅ", "éèàùçêî", "ñáéíóúü¿¡", "·.¸¸.·´¯`·.¸¸.·", "ver.³·³²"],
    "Frühstück für zwei, Übernachtung inklusive: 80 €",
    "Þetta er íslenska, og hún er með þorn og eð",
    "À bientôt, Noël à Besançon, ça été très bien",
    "Não há cadeiras, só mesas; a produção já começou",
  ];
  for (const text of texts) {
    for (const label of [null, "iso-8859-1"]) {
      assert.equal(decodeCharset(encoded(text, "windows-1252"), label), text, text);
    }
  }
});

Deno.test("the beginning of a UTF-8 text is read as such, wherever it was cut", () => {
  const whole = Buffer.from("a日本€");
  for (const label of [null, "iso-8859-1"]) {
    for (let end = 4; end <= whole.length; end++) {
      assert.match(decodeCharset(whole.subarray(0, end), label), /^a日本?\ufffd?€?$/);
    }
    assert.equal(decodeCharset(Buffer.from("caf\xe9", "latin1"), label), "café");
  }
});

Deno.test("ISO-8859-15 is known as Latin-9", () => {
  assert.equal(decodeCharset(Buffer.of(0xa4), "Latin-9"), "€");
});
