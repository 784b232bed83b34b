import assert from "node:assert/strict";
import { textOf } from "../../../adapters/attachment_text/text_of.ts";
import { docx, pdf, xlsx, zip } from "./files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("the text of a PDF is its lines, page after page", async () => {
  const text = await textOf("pdf", pdf("Invoice RX-88213", "Total (gross) 420.00 EUR"));
  assert.equal(text, "Invoice RX-88213\nTotal (gross) 420.00 EUR");
});

Deno.test("the text of a Word document has lines, tabs and cells, and no hidden or deleted text", async () => {
  const file = docx(
    "<w:p><w:r><w:t>Dear</w:t></w:r><w:r><w:tab/><w:t xml:space='preserve'> Ada &amp; Bob</w:t></w:r></w:p>" +
      "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>obey</w:t></w:r><w:r><w:t>shown</w:t></w:r></w:p>" +
      "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>" +
      "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
  );
  assert.equal(await textOf("docx", file), "Dear\t Ada & Bob\nshown\n\na \tb");
});

Deno.test("the text of a presentation is its slides by number, then its notes, without hidden slides", async () => {
  const slide = (text: string, attributes = "") =>
    `<p:sld ${attributes}><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r><a:br/><a:r><a:t>more</a:t></a:r></a:p></p:txBody></p:sld>`;
  const file = zip({
    "ppt/slides/slide10.xml": slide("ten"),
    "ppt/slides/slide2.xml": slide("two &amp; 2"),
    "ppt/slides/slide3.xml": slide("hidden", 'show="0"'),
    "ppt/notesSlides/notesSlide1.xml": slide("note"),
    "ppt/slideLayouts/slideLayout1.xml": slide("layout"),
  });
  assert.equal(await textOf("pptx", file), "two & 2\nmore\n\nten\nmore\n\nnote\nmore");
});

Deno.test("the text of an OpenDocument file has lines, tabs, spaces and cells, and no deleted text", async () => {
  const file = zip({
    "mimetype": "application/vnd.oasis.opendocument.text",
    "content.xml": "<office:document-content><office:body><office:text>" +
      "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>" +
      "<text:h>Title</text:h>\n<text:p>Dear<text:tab/>A<text:span>da</text:span>,<text:s text:c='2'/>hi<text:line-break/>you</text:p>" +
      "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>" +
      "</office:text></office:body></office:document-content>",
  });
  assert.equal(await textOf("odf", file), "Title\nDear\tAda,  hi\nyou\na \tb");
});

Deno.test("the text of a message is its header and its text", async () => {
  const file = bytes(
    "From: Ada <ada@example.net>\nTo: bob@example.net\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\nContent-Type: text/html\n\n<p>The <b>words</b></p>",
  );
  assert.equal(
    await textOf("eml", file),
    "---------- Forwarded message ----------\nFrom: Ada <ada@example.net>\nSubject: Grüße\nTo: bob@example.net\n\nThe words",
  );
});

Deno.test("the text of a workbook is its rows, with shared, inline and plain values", async () => {
  const file = xlsx(
    ["Item", "Price"],
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c t="inlineStr"><is><t>Pen</t></is></c><c><v>1.5</v></c></row>',
    '<row><c t="s"><v>7</v></c><c t="str"><f>A1</f><v>second</v></c></row>',
  );
  assert.equal(await textOf("xlsx", file), "Item\tPrice\nPen\t1.5\n\n\tsecond");
});

Deno.test("the text of an RTF file has its charset, its Unicode and no font table or hidden text", async () => {
  const file = "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}" +
    "Gr\\'fc\\'dfe \\u8364 ?12\\par{\\v obey}line\\~two \\{x\\}}";
  assert.equal(await textOf("rtf", bytes(file)), "Grüße €12\nline two {x}");
});

Deno.test("an empty cell of a workbook keeps its place, and a cell far to the right is near", async () => {
  const file = xlsx(
    [],
    '<row><c r="A1"><v>1</v></c><c r="B1" s="1"/><c r="C1"><v>3</v></c><c r="AA1"><v>27</v></c></row>' +
      '<row><c r="B2" t="b"><v>1</v></c><c r="XFD2" t="b"><v>0</v></c></row>',
  );
  assert.equal(
    await textOf("xlsx", file),
    `1\t\t3${"\t".repeat(24)}27\n\tTRUE${"\t".repeat(101)}FALSE`,
  );
});

Deno.test("a date of a workbook is a date, and any other number is as it is stored", async () => {
  const formats = [
    "yyyy\\-mm\\-dd",
    "[$-407]d. mmmm yyyy",
    '0.0 "days"',
    "[h]:mm",
    "#,##0.00 [$€-407]",
  ];
  const ids = [0, 14, 20, 22, 9, ...formats.keys().map((n) => 164 + n)];
  const styles = `<numFmts>${
    formats.map((code, n) =>
      `<numFmt numFmtId="${164 + n}" formatCode="${code.replaceAll('"', "&quot;")}"/>`
    ).join("")
  }</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${
    ids.map((id) => `<xf numFmtId="${id}"/>`).join("")
  }</cellXfs>`;
  const cells = (value: string) =>
    `<row>${ids.map((_, n) => `<c s="${n}"><v>${value}</v></c>`).join("")}</row>`;
  const file = (workbook: string) =>
    zip({
      "xl/styles.xml": `<styleSheet>${styles}</styleSheet>`,
      "xl/workbook.xml": `<workbook>${workbook}</workbook>`,
      "xl/worksheets/sheet1.xml": `<sheetData>${cells("46349.4375")}${cells("46349")}${
        cells("0.5")
      }${cells("-1")}</sheetData>`,
    });
  const [moment, day] = ["2026-11-23 10:30", "2026-11-23"];
  const row = (value: string, date: string) =>
    [value, date, date, date, value, date, date, value, value, value].join("\t");
  assert.equal(
    await textOf("xlsx", file("<workbookPr/>")),
    [row("46349.4375", moment), row("46349", day), row("0.5", "12:00"), row("-1", "-1")].join("\n"),
  );
  const mac = await textOf("xlsx", file('<workbookPr date1904="1"/>'));
  assert.equal(mac.split("\n")[1], row("46349", "2030-11-24"));
});

Deno.test("RTF is read in the charsets of its fonts, also if the second byte of a character is a letter", async () => {
  const file =
    "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 MS;}}" +
    "Gr\\'fc\\'dfe {\\f1 \\'cf\\'f0\\'e8}\\f2 \\'83e\\'83X\\'83g\\f0 \\'e9}";
  assert.equal(await textOf("rtf", bytes(file)), "Grüße Приテストé");
  assert.equal(await textOf("rtf", bytes("{\\rtf1 a\\u0 ?b}")), "ab");
  // Every object of JavaScript has a property of this name.
  assert.equal(await textOf("rtf", bytes("{\\rtf1 a\\constructor b}")), "ab");
  const chinese = "{\\rtf1\\ansi\\ansicpg936 \\'c4\\'e3\\'ba\\'c3}";
  assert.equal(await textOf("rtf", bytes(chinese)), "你好");
});

Deno.test("HTML, CSV and calendars are texts; a byte order mark names the charset", async () => {
  assert.equal(await textOf("html", bytes("<h1>Hi</h1><p hidden>x</p><p>there")), "Hi\n\nthere");
  assert.equal(await textOf("text", bytes("a;b\n1;2\n")), "a;b\n1;2");
  const wide = new Uint8Array([0xff, 0xfe, 0x41, 0x00, 0xac, 0x20]);
  assert.equal(await textOf("text", wide), "A€");
});

Deno.test("a calendar and a card are unfolded, also inside a character, and their escapes are read", async () => {
  const fold = (text: string, every: number, end: string) => {
    const all = bytes(text);
    const pieces: number[] = [];
    all.forEach((byte, n) => {
      if (n > 20 && n % every === 0) pieces.push(...bytes(`${end} `));
      pieces.push(byte);
    });
    return new Uint8Array(pieces);
  };
  for (const kind of ["VCALENDAR", "VCARD"]) {
    const written = `BEGIN:${kind} x-SUMMARY:Grüße an Überflugmeister\\, Prüfung \\n tomorrow`;
    for (const end of ["\r\n", "\n", "\r"]) {
      const text = await textOf("text", fold(written, 3, end));
      assert.equal(text, `BEGIN:${kind} x-SUMMARY:Grüße an Überflugmeister, Prüfung \n tomorrow`);
    }
  }
  assert.equal(await textOf("text", bytes("a\n b\\nc")), "a\n b\\nc");
});

Deno.test("a file that is broken or of another kind is an error, never another text", async () => {
  const broken = [
    ["pdf", bytes("%PDF-1.4\nnothing")],
    ["docx", bytes("PK\u0003\u0004 no")],
    ["rtf", bytes("plain")],
    ["text", bytes("a\0b")],
  ] as const;
  for (const [kind, file] of broken) await assert.rejects(textOf(kind, file), kind);
  assert.equal(await textOf("docx", zip({ "other.xml": "<a>text</a>" })), "");
});

Deno.test("of a file with very many parts, a thousand are read", async () => {
  const footers = Array.from({ length: 1_100 }, (_, n) => [
    `word/footer${n}.xml`,
    `<w:p><w:r><w:t>part ${n}</w:t></w:r></w:p>`,
  ]);
  const lines = (await textOf("docx", zip(Object.fromEntries(footers)))).split("\n\n");
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [1_000, "part 0", "part 999"]);
});

Deno.test("entities of a DTD are not expanded, and a part with a declared size above 64 MiB is not read", async () => {
  const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
  const file = zip({ "word/document.xml": `${laughs}<w:p><w:r><w:t>x &b; y</w:t></w:r></w:p>` });
  const text = await textOf("docx", file);
  assert.ok(text.startsWith("x ") && !text.includes("ha"), text);
  const bomb = zip({ "word/document.xml": new Uint8Array(65 * 1024 * 1024) });
  assert.ok(bomb.length < 100_000);
  assert.equal(await textOf("docx", bomb), "");
  // A directory that declares too small a size; nested elements.
  const lying = docx(`<w:p><w:r><w:t>${"word ".repeat(100_000)}</w:t></w:r></w:p>`);
  const view = new DataView(lying.buffer);
  for (let at = 0; at < lying.length - 28; at++) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1_000, true);
  }
  await assert.rejects(textOf("docx", lying), { code: "ERR_BUFFER_TOO_LARGE" });
  const deep = zip({ "word/document.xml": "<w:p>".repeat(1_000_000) });
  await assert.rejects(textOf("docx", deep), { message: "nested too deep" });
});
