import { Buffer } from "node:buffer";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { type PackedPart, pdfFile, pdfStream, zipFile } from "./file_formats.ts";

/** A file that is made to cost its reader much. */
export interface HostileFile {
  /** Its ending is its kind. */
  name: string;
  make(): Uint8Array<ArrayBuffer>;
}

const mebibyte = 2 ** 20;

/** Bombs, files that refer to themselves, and large ones. */
export const hostileFiles: HostileFile[] = [
  word("1 GB of blanks", () => packed(" ", 1024)),
  word("1 GB, declared as 1 kB", () => ({ ...packed(" ", 1024), size: 1_000 })),
  word("60 MB of paragraphs", () => packed("<w:p><w:r><w:t>word word</w:t></w:r></w:p>", 60)),
  word("4,000,000 nested elements", () => part("<p>".repeat(4_000_000))),
  word("4,000,000 empty elements", () => part(`<p>${"<r/>".repeat(4_000_000)}</p>`)),
  word("an attribute of 60 MB", () => packed("a", 60, '<p a="', '"/>')),
  word("entities that contain entities", () => part(`${entities()}<w:t>&e29;</w:t>`)),
  word("a million uses of an entity of 1 MB", () => part(largeEntity())),
  file("60,000 parts.docx", () => zipFile(numbered("word/header", 60_000, part("<w:p/>")))),
  file("itself in itself.docx", () => nested(6)),
  sheet("50 MB of rows", () => packed('<row><c t="n"><v>12345.678</v></c></row>', 50)),
  file(
    "50 MB of shared strings.xlsx",
    () => zipFile({ "xl/sharedStrings.xml": packed("<si><t>a shared text</t></si>", 50) }),
  ),
  file("a long string in a million cells.xlsx", sharedString),
  file(
    "a thousand sheets.xlsx",
    () => zipFile(numbered("xl/worksheets/sheet", 1_000, part("<row><c><v>1</v></c></row>"))),
  ),
  sheet("35 MB of rows, not packed", () => stored("<row><c><v>12345</v></c></row>", 35)),
  file("1 GB of lines.pdf", () => inflating(packed("BT (word) Tj ET\n", 1024))),
  file("1 GB, packed twice.pdf", () => inflating(packed(" ", 1024), 2)),
  file(
    "30 MB of hex digits.pdf",
    () => pdfFile({ content: pdfStream(bytesOf("20".repeat(15 * mebibyte)), "/ASCIIHexDecode") }),
  ),
  file(
    "a form that draws itself.pdf",
    () => pdfFile({ content: pdfStream(bytesOf("/X Do ".repeat(100_000)), "", "/Subtype /Form") }),
  ),
  file("pages in themselves.pdf", () => pdfFile({ kids: "2 0 R 2 0 R", count: 1e9 })),
  file(
    "one page a million times.pdf",
    () => pdfFile({ kids: "3 0 R ".repeat(1_000_000), count: 1_000_000 }),
  ),
  file("500,000 objects.pdf", () => pdfFile({ more: 500_000 })),
  file("30 MB of noise.pdf", () => noise("%PDF-1.4\n", 30)),
  file("30 MB of noise.docx", () => noise("PK\x03\x04", 30)),
  file("10 MB of nested groups.rtf", () => bytesOf(`{\\rtf1 ${"{\\b a".repeat(2_000_000)}`)),
  file("4,000,000 nested elements.html", () => bytesOf("<div>x".repeat(4_000_000))),
  file("35 MB of rows.csv", () => bytesOf("number;word;1234567\r\n".repeat(1_750_000))),
];

function file(name: string, make: () => Uint8Array<ArrayBuffer>): HostileFile {
  return { name, make };
}

function word(name: string, document: () => PackedPart): HostileFile {
  return file(`${name}.docx`, () => zipFile({ "word/document.xml": document() }));
}

function sheet(name: string, rows: () => PackedPart): HostileFile {
  return file(`${name}.xlsx`, () => zipFile({ "xl/worksheets/sheet1.xml": rows() }));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

function part(text: string): PackedPart {
  return { bytes: deflateRawSync(text, { level: 1 }), size: text.length, method: 8 };
}

/** A text again and again, as long as `mebibytes` say. A block of it is deflated once. */
function packed(text: string, mebibytes: number, before = "", after = ""): PackedPart {
  const block = text.repeat(Math.floor(mebibyte / text.length));
  const open = (each: string) => deflateRawSync(each, { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array(mebibytes).fill(open(block));
  const size = block.length * mebibytes + before.length + after.length;
  return {
    bytes: Buffer.concat([open(before), ...blocks, deflateRawSync(after)]),
    size,
    method: 8,
  };
}

function stored(text: string, mebibytes: number): PackedPart {
  const bytes = bytesOf(text.repeat(mebibytes * mebibyte / text.length));
  return { bytes, size: bytes.length, method: 0 };
}

function numbered(name: string, count: number, each: PackedPart): Record<string, PackedPart> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}.xml`, each]));
}

/** Thirty entities; each is the one before it ten times. */
function entities(): string {
  const lines = Array.from(
    { length: 30 },
    (_, n) => `<!ENTITY e${n} "${n === 0 ? "ha" : `&e${n - 1};`.repeat(10)}">`,
  );
  return `<!DOCTYPE x [${lines.join("")}]>`;
}

function largeEntity(): string {
  return `<!DOCTYPE x [<!ENTITY e "${"a".repeat(mebibyte)}">]><w:t>${
    "&e;".repeat(1_000_000)
  }</w:t>`;
}

/** A ZIP file whose document is ten ZIP files whose documents are ten. */
function nested(levels: number): Uint8Array<ArrayBuffer> {
  let inner = part("<w:t>word</w:t>");
  for (let level = 0; level < levels; level++) {
    const parts = { "word/document.xml": inner, ...numbered("word/header", 9, inner) };
    const whole = zipFile(parts);
    inner = { bytes: deflateRawSync(whole), size: whole.length, method: 8 };
  }
  return zipFile({ "word/document.xml": inner });
}

function sharedString(): Uint8Array<ArrayBuffer> {
  return zipFile({
    "xl/sharedStrings.xml": part(`<si><t>${"a".repeat(mebibyte)}</t></si>`),
    "xl/worksheets/sheet1.xml": part('<c t="s"><v>0</v></c>'.repeat(1_000_000)),
  });
}

/** A PDF whose content unpacks to `part`, packed `times`. */
function inflating({ bytes }: PackedPart, times = 1): Uint8Array<ArrayBuffer> {
  // The header of zlib (RFC 1950); readers do not require the checksum.
  let content: Uint8Array = Buffer.concat([bytesOf("\x78\x9c"), bytes]);
  for (let n = 1; n < times; n++) content = deflateSync(content);
  return pdfFile({ content: pdfStream(content, "/FlateDecode ".repeat(times)) });
}

function noise(start: string, mebibytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(mebibytes * mebibyte);
  for (let n = 0, state = 1; n < bytes.length; n++) {
    state = Math.imul(state, 1_103_515_245) + 12_345 | 0;
    bytes[n] = state >>> 16;
  }
  bytes.set(bytesOf(start));
  return bytes;
}
