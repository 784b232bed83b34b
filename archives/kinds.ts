import { textOf } from "./byte_reader.ts";
import { isTarHeader } from "./containers/tar.ts";
import { isMmdfLine } from "./mbox.ts";
import { startsWith } from "./mbox_parts.ts";

/** What a file is, by its first bytes. */
export type Kind = "mbox" | "mmdf" | "message" | "lines" | "zip" | "gzip" | "tar" | "other";

/** So many bytes show what a file is. */
export const headBytes = 4_096;

const bytes = (hex: string) => Uint8Array.from(hex.split(" "), (each) => parseInt(each, 16));
/** How files begin: of zip, of a zip without files, of gzip, of Outlook's stores, and of its messages. */
const zip = bytes("50 4b 03 04"), emptyZip = bytes("50 4b 05 06"), gzip = bytes("1f 8b");
const pst = bytes("21 42 44 4e"), ole = bytes("d0 cf 11 e0 a1 b1 1a e1");
/** RFC 5322 fields of which every message has one. */
const ofMail =
  /^(?:from|sender|to|cc|subject|date|received|return-path|delivered-to|message-id|mime-version|x-[a-z-]{1,60})[ \t]*:/im;
const isField = /^[!-9;-~]{1,100}[ \t]*:/;

/** The kind of a file; `.eml` is a message, unless no text. */
export function kindOf(path: string, head: Uint8Array): Kind {
  const text = textOf(head);
  if (storeOf(path, head)) return "other";
  if (startsWith(head, zip) || startsWith(head, emptyZip)) return "zip";
  if (startsWith(head, gzip)) return "gzip";
  if (isTarHeader(head.subarray(0, 512))) return "tar";
  if (/\.eml$/i.test(path)) return text.includes("\0") && !isField.test(text) ? "other" : "message";
  if (text.startsWith("From ")) return "mbox";
  if (isMmdfLine(head.subarray(0, head.indexOf(0x0a) + 1))) return "mmdf";
  if (/^\{"email":\{/.test(text)) return "lines";
  const [fields] = text.split(/\r?\n\r?\n/, 1);
  return isField.test(text) && ofMail.test(fields) ? "message" : "other";
}

/** Why a file is refused. */
export function refusalOf(path: string, head: Uint8Array): string {
  const store = storeOf(path, head);
  return store
    ? `is ${store}, which only Outlook reads: export its mail as .eml or mbox first`
    : "is no mail: neither mbox, MMDF, Maildir, .eml nor an archive of these";
}

/** What a store of Microsoft is; null for other files. */
function storeOf(path: string, head: Uint8Array): string | null {
  const [, ending = ""] = /\.(pst|ost|msg|olm)$/i.exec(path) ?? [];
  if (startsWith(head, pst) || /^[po]st$/i.test(ending)) return "a store of Outlook";
  if (/^msg$/i.test(ending) || startsWith(head, ole)) {
    return "a message of Outlook";
  }
  return ending ? "an archive of Outlook for Mac" : null;
}
