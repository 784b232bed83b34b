import { zipSync } from "fflate";

const encoder = new TextEncoder();

/** A PDF of one page with these lines (ISO 32000-1, 7.5). */
export function pdf(...lines: string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`).join(" ");
  return pdfOf(`BT /F1 12 Tf 14 TL 20 700 Td ${shown} ET`);
}

/** A PDF of one page with this content stream; `filter` names how the stream is packed. */
export function pdfOf(content: string | Uint8Array, filter = ""): Uint8Array<ArrayBuffer> {
  const stream = typeof content === "string" ? encoder.encode(content) : content;
  const objects: (string | Uint8Array)[][] = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R " +
      "/Resources << /Font << /F1 5 0 R >> >> >>",
    ],
    [
      `<< /Length ${stream.length}${filter && ` /Filter /${filter}`} >>\nstream\n`,
      stream,
      "\nendstream",
    ],
    ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"],
  ];
  const parts: Uint8Array[] = [encoder.encode("%PDF-1.4\n")];
  const offsets: number[] = [];
  let size = parts[0].length;
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    parts.push(bytes);
    size += bytes.length;
  };
  for (const [n, object] of objects.entries()) {
    offsets.push(size);
    add(`${n + 1} 0 obj\n`);
    object.forEach(add);
    add("\nendobj\n");
  }
  const start = size;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function zip(parts: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(parts).map(([name, content]) => [
    name,
    typeof content === "string" ? encoder.encode(content) : content,
  ]);
  return zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>;
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const sheets = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** A Word document with this content of its body. */
export const docx = (body: string): Uint8Array<ArrayBuffer> =>
  zip({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml":
      `<?xml version="1.0" encoding="UTF-8"?><w:document ${word}><w:body>${body}</w:body></w:document>`,
  });

/** A workbook with these shared strings and the rows of its sheets. */
export const xlsx = (strings: string[], ...rows: string[]): Uint8Array<ArrayBuffer> =>
  zip({
    "xl/sharedStrings.xml": `<sst ${sheets}>${
      strings.map((text) => `<si><t>${text}</t></si>`).join("")
    }</sst>`,
    ...Object.fromEntries(rows.map((row, n) => [
      `xl/worksheets/sheet${n + 1}.xml`,
      `<worksheet ${sheets}><sheetData>${row}</sheetData></worksheet>`,
    ])),
  });
