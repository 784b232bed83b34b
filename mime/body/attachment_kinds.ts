/** The kinds of files whose text is read; `odf`: OpenDocument, `eml`: a message. */
export type TextKind = "pdf" | "docx" | "xlsx" | "pptx" | "odf" | "rtf" | "eml" | "html" | "text";

const kindsOfTypes: Record<string, TextKind> = {
  ...{ "application/pdf": "pdf", "application/x-pdf": "pdf" },
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.oasis.opendocument.text": "odf",
  "application/vnd.oasis.opendocument.spreadsheet": "odf",
  "application/vnd.oasis.opendocument.presentation": "odf",
  ...{ "application/rtf": "rtf", "text/rtf": "rtf" },
  ...{ "message/rfc822": "eml", "message/global": "eml" },
  ...{ "text/html": "html", "application/xhtml+xml": "html" },
  ...{ "application/json": "text", "application/x-ndjson": "text", "application/xml": "text" },
  ...{ "application/yaml": "text", "application/x-yaml": "text", "application/sql": "text" },
  ...{ "application/ics": "text", "application/csv": "text" },
};
const kindsOfNames: Record<string, TextKind> = {
  ...{ pdf: "pdf", docx: "docx", xlsx: "xlsx", pptx: "pptx", rtf: "rtf", eml: "eml" },
  ...{ odt: "odf", ods: "odf", odp: "odf", html: "html", htm: "html" },
  ...{ txt: "text", csv: "text", tsv: "text", ics: "text", md: "text", log: "text" },
  ...{ json: "text", xml: "text", yaml: "text", yml: "text" },
};

/**
 * How the text of an attachment is read: by its type, or by its name if the type is a general one; null if it is not read.
 */
export function textKindOf(
  { contentType, filename }: { contentType: string; filename: string | null },
): TextKind | null {
  const known = kindsOfTypes[contentType];
  if (known) return known;
  const named = kindsOfNames[/\.([a-z]{2,5})$/i.exec(filename ?? "")?.[1].toLowerCase() ?? ""];
  if (contentType === "application/octet-stream" || contentType === "") return named ?? null;
  // Delivery reports are message/delivery-status.
  if (/^(?:text|message)\//.test(contentType)) return "text";
  // Types that say nothing: some programs send a workbook as application/vnd.ms-excel, or a PDF as
  // application/download.
  return contentType.startsWith("application/") ? named ?? null : null;
}

/** The same for a file whose text is read with the message itself. */
export function readAtOnce(
  file: { contentType: string; filename: string | null },
): "text" | "html" | null {
  const kind = file.contentType.startsWith("message/") ? null : textKindOf(file);
  return isPlain(kind) ? kind : null;
}

/** Kinds whose text the parsed message does not have: it is read and indexed after the mail itself. */
export function isReadApart(kind: TextKind | null): boolean {
  return kind !== null && !isPlain(kind);
}

/** Whether a file needs no more than to be decoded. */
function isPlain(kind: TextKind | null): kind is "text" | "html" {
  return kind === "text" || kind === "html";
}
