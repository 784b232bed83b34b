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

Deno.test("the text of a workbook is its rows, with shared, inline and plain values", async () => {
  const file = xlsx(
    ["Item", "Price"],
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c t="inlineStr"><is><t>Pen</t></is></c><c><v>1.5</v></c></row>',
    '<row><c t="s"><v>7</v></c><c t="str"><f>A1</f><v>second</v></c></row>',
  );
  assert.equal(await textOf("xlsx", file), "Item\tPrice\nPen\t1.5\n\nsecond");
});

Deno.test("the text of an RTF file has its charset, its Unicode and no font table or hidden text", async () => {
  const file = "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}" +
    "Gr\\'fc\\'dfe \\u8364 ?12\\par{\\v obey}line\\~two \\{x\\}}";
  assert.equal(await textOf("rtf", bytes(file)), "Grüße €12\nline two {x}");
});

Deno.test("HTML, CSV and calendars are texts; a byte order mark names the charset", async () => {
  assert.equal(await textOf("html", bytes("<h1>Hi</h1><p hidden>x</p><p>there")), "Hi\n\nthere");
  assert.equal(await textOf("text", bytes("a;b\n1;2\n")), "a;b\n1;2");
  const wide = new Uint8Array([0xff, 0xfe, 0x41, 0x00, 0xac, 0x20]);
  assert.equal(await textOf("text", wide), "A€");
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
