import type { TextKind } from "../../mime/body/attachment_kinds.ts";
import { decodedText } from "../../mime/text/decoded_text.ts";
import { withoutUnseen } from "../../mime/text/unseen_characters.ts";
import { maxTextChars } from "./limits.ts";

/** Bytes of a text that are decoded: a character takes at most four. */
const maxTextBytes = 4 * maxTextChars;

/** How many of the first bytes of a file are read; undefined: all. */
export function usedBytes(kind: TextKind): number | undefined {
  return kind === "text" || kind === "html" ? maxTextBytes : undefined;
}

/** The text of a file; "" if it has none. Throws if the file is broken, encrypted or of another kind. */
export async function textOf(
  kind: TextKind,
  bytes: Uint8Array,
  declared: string | null = null,
): Promise<string> {
  return withoutUnseen(await wholeTextOf(kind, bytes, declared));
}

async function wholeTextOf(
  kind: TextKind,
  bytes: Uint8Array,
  declared: string | null,
): Promise<string> {
  // Each library is loaded with the first file that needs it.
  if (kind === "pdf") return await (await import("./pdf.ts")).pdfText(bytes);
  if (kind === "docx") return (await import("./docx.ts")).docxText(bytes);
  if (kind === "pptx") return (await import("./docx.ts")).pptxText(bytes);
  if (kind === "odf") return (await import("./odf.ts")).odfText(bytes);
  if (kind === "eml") return await messageText(bytes);
  if (kind === "xlsx") return (await import("./xlsx.ts")).xlsxText(bytes);
  if (kind === "rtf") return (await import("./rtf.ts")).rtfText(bytes);
  const text = decodedText(bytes.subarray(0, maxTextBytes), { declared, isHtml: kind === "html" });
  // NUL characters show that a file is not the text that its name promises.
  if (text.slice(0, 10_000).includes("\0")) throw new Error("no text");
  return (kind === "html" ? await textOfHtml(text) : text).slice(0, maxTextChars).toWellFormed()
    .trim();
}

async function textOfHtml(html: string): Promise<string> {
  const { htmlToText } = await import("../../mime/body/html_text.ts");
  return htmlToText(html);
}

async function messageText(bytes: Uint8Array): Promise<string> {
  const { forwardedText } = await import("../../mime/body/stand_in_text.ts");
  const { parseBody } = await import("../../mime/body/parse_body.ts");
  return forwardedText(bytes, (raw) => parseBody(raw).text).slice(0, maxTextChars).toWellFormed();
}
