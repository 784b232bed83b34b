import { Buffer, isAscii } from "node:buffer";
import { buildHeaderValue, encodeWord, foldLines } from "nodemailer/lib/mime-funcs";
import { checkedAddress, type MailAddress } from "../headers/address_list.ts";
import { fieldText } from "../headers/header_fields.ts";
import { parseFieldAddresses } from "../headers/parse_head.ts";
import { parseStructuredField } from "../headers/structured_field.ts";
import { charsetOfTexts } from "../text/charset.ts";
import { isLines } from "./lines.ts";

/** What changes in a header besides bytes above 127 and long lines. */
export interface HeaderChange {
  /** The one that the message declares: of fields that are no UTF-8. */
  charset: string | null;
  /** The new Content-Transfer-Encoding; null: it stays. */
  encoding: string | null;
  /** The new media type; null: it stays. */
  type: string | null;
}

/** Fields that are written anew; each takes up to 20 µs. */
const maxChanged = 2_000;

const addressFields = new Set([
  ...["from", "sender", "reply-to", "to", "cc", "bcc", "return-receipt-to"],
  ...["resent-from", "resent-sender", "resent-to", "resent-cc", "resent-bcc"],
  ...["mail-followup-to", "mail-reply-to", "disposition-notification-to"],
]);
const structuredFields = new Set(["content-type", "content-disposition"]);

/**
 * A header in lines of ASCII of at most 998 characters, with the empty line that ends it: encoded words (RFC 2047), encoded
 * parameters (RFC 2231), and folds. Fields that are so already stay as they are; what is no field and cannot stay is left
 * out. null if a field cannot be written so, such as an address with a local part beyond ASCII.
 */
export function headerForm(block: Buffer, change: HeaderChange): Buffer | null {
  const pieces: Buffer[] = [];
  const fields = [...fieldsIn(block)];
  let changed = 0;
  const charset = charsetOfTexts(fields.filter((field) => !isAscii(field)), change.charset);
  for (const field of fields) {
    const name = /^([!-9;-~]{1,190})[ \t]{0,9}:/.exec(field.toString("latin1", 0, 200))?.[1] ?? "";
    const lower = name.toLowerCase();
    if (change.encoding !== null && lower === "content-transfer-encoding") continue;
    const isRetyped = change.type !== null && lower === "content-type";
    if (!isRetyped && isAscii(field) && isLines(field)) pieces.push(field);
    else if (name !== "") {
      if (++changed > maxChanged) return null;
      const written = fieldForm(name, field, { ...change, charset });
      if (written === null) return null;
      pieces.push(written);
    }
  }
  if (pieces.length > 0 && pieces.at(-1)!.at(-1) !== lineFeed) pieces.push(Buffer.from("\r\n"));
  if (change.encoding !== null) {
    pieces.push(Buffer.from(`Content-Transfer-Encoding: ${change.encoding}\r\n`));
  }
  return Buffer.concat([...pieces, Buffer.from("\r\n")]);
}

const lineFeed = 0x0a, carriageReturn = 0x0d;

/** Each field with its folds and line ends, up to the empty line. */
function* fieldsIn(block: Buffer): Iterable<Buffer> {
  const hasMark = block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf;
  let start = hasMark ? 3 : 0;
  for (let at = start; at < block.length;) {
    const isEmpty = block[at] === lineFeed ||
      (block[at] === carriageReturn && block[at + 1] === lineFeed);
    const isFold = block[at] === 0x20 || block[at] === 0x09;
    if (!isFold && at > start) yield block.subarray(start, start = at);
    const lf = block.indexOf(lineFeed, at);
    at = lf < 0 ? block.length : lf + 1;
    if (isEmpty) start = at;
  }
  if (start < block.length) yield block.subarray(start);
}

function fieldForm(name: string, field: Buffer, { charset, type }: HeaderChange): Buffer | null {
  const lower = name.toLowerCase();
  const bytes = field.subarray(field.indexOf(":") + 1);
  const text = fieldText({ name: lower, bytes, cut: false }, charset)
    // deno-lint-ignore no-control-regex -- they are what is taken out
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, " ");
  const value = structuredFields.has(lower)
    ? structuredForm(text, lower === "content-type" ? type : null)
    : isAscii(Buffer.from(text))
    ? text
    : addressFields.has(lower)
    ? addressForm(name, text)
    : encodeWord(text, "B", 52);
  if (value === null) return null;
  const written = Buffer.from(`${foldLines(`${name}: ${value}`, 76)}\r\n`);
  return isAscii(written) && isLines(written) ? written : null;
}

function structuredForm(text: string, type: string | null): string {
  const { value, params } = parseStructuredField(text);
  return buildHeaderValue({ value: type ?? value, params: Object.fromEntries(params) });
}

function addressForm(name: string, text: string): string | null {
  const { kept, cut } = parseFieldAddresses(Buffer.from(`${name}: ${text}\r\n\r\n`), [
    name.toLowerCase(),
  ]);
  // Without an address it is only text.
  if (kept.length === 0) return encodeWord(text, "B", 52);
  const written = kept.map(mailboxForm);
  return cut || written.includes(null) ? null : written.join(", ");
}

function mailboxForm({ name = "", address }: MailAddress): string | null {
  const plain = isAscii(Buffer.from(address)) ? address : checkedAddress(address);
  if (plain === null || name === "") return plain;
  const phrase = isAscii(Buffer.from(name))
    ? `"${name.replace(/["\\]/g, "\\$&")}"`
    : encodeWord(name, "B", 52);
  return `${phrase} <${plain}>`;
}
