/** Mail that strains a page: long names and words, other scripts, wide HTML, many files, nothing at all. Lines end in CRLF. */
export const oddMail: readonly string[] = [
  mail(
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenversicherung, Rechtsschutzabteilung <post@donau.example>",
    "Rechtsschutzversicherungsgesellschaftsvertragsänderungsmitteilung und Lieferbedingungen 2026/2027",
    "Sehr geehrte Damen und Herren,\n\nbitte beachten Sie die Lebensmittelunverträglichkeitskennzeichnungsverordnung.\n\nMit freundlichen Grüßen",
  ),
  mail(
    "山田 太郎 <taro@bunko.example>",
    "ご注文の書籍について確認のお願い(注文番号 2026-1120)在庫と配送日のご連絡",
    "いつもお世話になっております。ご注文いただいた書籍の在庫を確認いたしましたところ、三冊のうち一冊が欠品しておりました。",
  ),
  mail(
    "مكتبة الفانوس <orders@fanous.example>",
    "استفسار عن الطلب رقم 2026-77 وموعد التسليم",
    "مرحبا،\n\nهل يمكن تسليم الكتب يوم الخميس؟ العنوان: 12 Quay Street.\n\nشكرا",
  ),
  mail(
    "Very Long Link <links@news.example>",
    "Your weekly reading list",
    `Read it here: https://news.example/r/${"a1b2c3d4e5".repeat(40)}?utm_source=mail\n\nAnd ${
      "unbroken".repeat(30)
    }`,
  ),
  mail("", "", ""),
  mail(
    "Wide Report <report@tables.example>",
    "Stock by shelf, all columns",
    `<table border=1><tr>${
      Array.from({ length: 24 }, (_, n) => `<th>Shelf number ${n}</th>`).join("")
    }</tr><tr>${
      Array.from({ length: 24 }, (_, n) => `<td>${n * 137}</td>`).join("")
    }</tr></table><img src="https://images.tables.example/a.png" width=900 height=60>`,
    "text/html",
  ),
  files(),
];

function mail(from: string, subject: string, text: string, type = "text/plain"): string {
  const head = [
    `From: ${from}`,
    "To: desk",
    `Subject: ${subject}`,
    `MIME-Version: 1.0`,
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: 8bit",
  ];
  return [...head, "", text, ""].join("\n").replaceAll("\n", "\r\n");
}

/** Twelve attachments, one with a long name. */
function files(): string {
  const names = [
    "Bestandsaufnahme-und-Inventurdifferenzen-der-Zweigstelle-am-alten-Markt-2026.csv",
    ...Array.from({ length: 11 }, (_, n) => `scan-${n + 1}.txt`),
  ];
  const parts = names.map((name) =>
    `--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename="${name}"\n\nabc\n`
  );
  return [
    "From: Scanner <scanner@lantern-books.example>",
    "To: desk",
    "Subject: Twelve scans",
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b\nContent-Type: text/plain\n\nSee the files.\n",
    ...parts,
    "--b--",
    "",
  ].join("\n").replaceAll("\n", "\r\n");
}
