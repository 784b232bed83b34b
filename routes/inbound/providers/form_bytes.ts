import { Buffer } from "node:buffer";

/**
 * The fields of a posted form as bytes, first of a name first: the message inside may be in any
 * charset, and a decoder that makes strings of it would change it. Takes `multipart/form-data`
 * (RFC 7578) and `application/x-www-form-urlencoded`; null for another type or a body that is not
 * of its type.
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

/** A field as text, or "" where it is not there. */
export function formText(form: Map<string, Uint8Array>, name: string): string {
  return new TextDecoder().decode(form.get(name) ?? new Uint8Array());
}

/** Fields of a provider's form; more is nobody's form. */
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
    const name = new TextDecoder().decode(percentDecode(body.subarray(at, nameEnd)));
    if (name && !form.has(name)) form.set(name, percentDecode(body.subarray(nameEnd + 1, end)));
    at = end + 1;
  }
  return form;
}

function percentDecode(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === 0x25 ? hexDigit(bytes[i + 1]) : -1;
    const low = high >= 0 ? hexDigit(bytes[i + 2]) : -1;
    if (low >= 0) {
      out[length++] = high << 4 | low;
      i += 2;
    } else out[length++] = bytes[i] === 0x2b ? 0x20 : bytes[i];
  }
  return out.subarray(0, length);
}

function hexDigit(code: number | undefined): number {
  const value = code === undefined ? NaN : parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
}

const after = (index: number, length: number) => index < 0 ? -1 : index + length;
