import { Buffer } from "node:buffer";
import { percentDecode } from "../../../mime/text/hex.ts";

/**
 * The fields of a posted form as bytes; of several with one name, the first. The message inside can be in any charset, and
 * decoding it to a string would change it. Accepts `multipart/form-data` (RFC 7578) and
 * `application/x-www-form-urlencoded`. null for another type, and for a body that is not of its type.
 */
export function parseFormBytes(
  contentType: string,
  body: Uint8Array,
): Map<string, Uint8Array> | null {
  const [type] = contentType.toLowerCase().split(";");
  if (type.trim() === "application/x-www-form-urlencoded") return urlencoded(body);
  if (type.trim() !== "multipart/form-data") return null;
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType);
  return boundary ? multipart(body, boundary[1] ?? boundary[2]) : null;
}

/** A field as text; "" if it is absent. */
export function formText(form: Map<string, Uint8Array>, name: string): string {
  return new TextDecoder().decode(form.get(name) ?? new Uint8Array());
}

/** More than any provider sends; it bounds the work. */
const maxFields = 1000;

function multipart(body: Uint8Array, boundary: string): Map<string, Uint8Array> | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  const first = delimiter.subarray(2);
  const form = new Map<string, Uint8Array>();
  let at = bytes.subarray(0, first.length).equals(first)
    ? first.length
    : after(bytes.indexOf(delimiter), delimiter.length);
  for (let n = 0; at > 0 && n < maxFields; n++) {
    if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) return form;
    const headerAt = after(bytes.indexOf("\r\n", at), 2);
    const contentAt = after(bytes.indexOf("\r\n\r\n", headerAt - 2), 4);
    const end = bytes.indexOf(delimiter, contentAt - 2);
    if (headerAt < 0 || contentAt < 0 || end < 0) return null;
    const header = bytes.toString("utf8", headerAt, Math.min(contentAt, headerAt + 8192));
    const name = /^content-disposition:[^\r\n]*?;\s*name=(?:"([^"\r\n]*)"|([^\s;]+))/im.exec(
      header,
    );
    const field = name && (name[1] ?? name[2]);
    if (field && !form.has(field)) {
      form.set(field, body.subarray(contentAt, Math.max(contentAt, end)));
    }
    at = end + delimiter.length;
  }
  return null;
}

function urlencoded(body: Uint8Array): Map<string, Uint8Array> {
  const form = new Map<string, Uint8Array>();
  for (let at = 0, n = 0; at < body.length && n < maxFields; n++) {
    const ampersand = body.indexOf(0x26, at);
    const end = ampersand < 0 ? body.length : ampersand;
    const equals = body.subarray(at, end).indexOf(0x3d);
    const nameEnd = equals < 0 ? end : at + equals;
    const name = new TextDecoder().decode(decoded(body.subarray(at, nameEnd)));
    if (name && !form.has(name)) form.set(name, decoded(body.subarray(nameEnd + 1, end)));
    at = end + 1;
  }
  return form;
}

/** A plus is a space in a form. */
const decoded = (bytes: Uint8Array) => percentDecode(bytes, 0x20);

const after = (index: number, length: number) => index < 0 ? -1 : index + length;
