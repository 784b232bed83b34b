import { Buffer } from "node:buffer";

/** A part of a ZIP file, as it is stored. */
export interface PackedPart {
  bytes: Uint8Array;
  /** The size that the directory declares. */
  size: number;
  /** 0: not packed; 8: deflated. */
  method: 0 | 8;
}

/** A ZIP file of parts that are packed already (APPNOTE.TXT 4.3), without checksums. */
export function zipFile(parts: Record<string, PackedPart>): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = [], directory: Buffer[] = [];
  let at = 0;
  for (const [name, { bytes, size, method }] of Object.entries(parts)) {
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(bytes.length, 4);
    sizes.writeUInt32LE(size, 8);
    sizes.writeUInt16LE(name.length, 12);
    const start = Buffer.from([20, 0, 0, 0, method, 0, 0, 0, 0, 0]);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), start, sizes, Buffer.from(name)]);
    const offset = Buffer.alloc(14);
    offset.writeUInt32LE(at, 10);
    const entry = [Buffer.from("PK\x01\x02\x14\x00"), start, sizes, offset, Buffer.from(name)];
    directory.push(Buffer.concat(entry));
    files.push(local, Buffer.from(bytes));
    at += local.length + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(directory.reduce((sum, { length }) => sum + length, 0), 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...files, ...directory, end]));
}

/** A stream object (ISO 32000-1, 7.3.8). */
export function pdfStream(bytes: Uint8Array, filters: string, more = ""): Uint8Array {
  const filter = filters === "" ? "" : `/Filter [${filters}]`;
  const head = `<< /Length ${bytes.length} ${filter} ${more} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\nendstream")]);
}

/** A PDF (ISO 32000-1, 7.5). Its one page has `content`, which is also its form X, and `more` empty objects follow. */
export function pdfFile(
  { content = pdfStream(new Uint8Array(), ""), kids = "3 0 R", count = 1, more = 0 }: {
    content?: Uint8Array;
    kids?: string;
    count?: number;
    more?: number;
  },
): Uint8Array<ArrayBuffer> {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Parent 2 0 R /Kids [${kids}] /Count ${count} >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R " +
    "/Resources << /Font << /F1 5 0 R >> /XObject << /X 4 0 R >> >> >>",
    content,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...Array(more).fill("<< >>"),
  ];
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const rows: string[] = [];
  let size = parts[0].length;
  for (const [n, object] of objects.entries()) {
    rows.push(`${String(size).padStart(10, "0")} 00000 n \n`);
    const whole = Buffer.concat([
      Buffer.from(`${n + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(whole);
    size += whole.length;
  }
  parts.push(Buffer.from(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}` +
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`,
  ));
  return new Uint8Array(Buffer.concat(parts));
}
