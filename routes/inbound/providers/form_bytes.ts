import type { Clock } from "../../../domain/core/clock.ts";
import { Yielder } from "../../../domain/core/work/yielder.ts";
import { percentDecode } from "../../../mime/text/hex.ts";
import { Buffer } from "node:buffer";
import { bufferOf } from "../../../mime/text/buffer_of.ts";

/** More than any provider sends; it bounds the work. */
const maxFields = 1000;
const maxNameBytes = 300;
const maxPartHeaderBytes = 16 * 1024;

/**
 * Reads a posted form: `multipart/form-data` (RFC 7578) or `application/x-www-form-urlencoded`. Of fields with the same
 * name, the first counts. null for another type, and for a body that does not match its type.
 */
export async function readForm(
  contentType: string,
  body: Uint8Array,
  clock: Clock,
): Promise<PostedForm | null> {
  const yielder = new Yielder(clock);
  const bytes = bufferOf(body);
  const [type] = contentType.toLowerCase().split(";");
  if (type.trim() === "application/x-www-form-urlencoded") {
    return new PostedForm(await urlencoded(bytes, yielder), true, yielder);
  }
  if (type.trim() !== "multipart/form-data") return null;
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType);
  const fields = boundary && await multipart(bytes, boundary[1] ?? boundary[2], yielder);
  return fields && new PostedForm(fields, false, yielder);
}

/**
 * The fields as bytes: the message can be in any charset, and decoding it to a string would change it. A field is
 * percent-decoded only when it is read: an unsigned post must cost little.
 */
export class PostedForm {
  constructor(
    private readonly fields: Map<string, Uint8Array>,
    private readonly encoded: boolean,
    private readonly yielder: Yielder,
  ) {}

  /** A field; empty if it is absent. */
  async bytes(name: string): Promise<Uint8Array> {
    const raw = this.fields.get(name) ?? new Uint8Array();
    return this.encoded ? await decoded(raw, this.yielder) : raw;
  }

  /** A field as UTF-8 text; "" if it is absent, or longer than `maxBytes` before decoding. */
  async text(name: string, maxBytes = Infinity): Promise<string> {
    const length = this.fields.get(name)?.length ?? 0;
    return length > maxBytes ? "" : new TextDecoder().decode(await this.bytes(name));
  }
}

async function multipart(
  bytes: Buffer,
  boundary: string,
  yielder: Yielder,
): Promise<Map<string, Uint8Array> | null> {
  const find = (text: string, from: number, end?: number) =>
    indexOfText(bytes, text, from, yielder, end);
  const delimiter = `\r\n--${boundary}`;
  const first = delimiter.length - 2;
  const fields = new Map<string, Uint8Array>();
  let at = bytes.toString("latin1", 0, first) === delimiter.slice(2)
    ? first
    : after(await find(delimiter, 0), delimiter.length);
  for (let n = 0; at > 0 && n < maxFields; n++) {
    if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) return fields;
    const headerEnd = at + maxPartHeaderBytes;
    const headerAt = after(await find("\r\n", at, Math.min(headerEnd, bytes.length)), 2);
    if (headerAt < 0) return null;
    const contentAt = after(
      await find("\r\n\r\n", headerAt - 2, Math.min(headerEnd, bytes.length)),
      4,
    );
    if (contentAt < 0) return null;
    const end = await find(delimiter, contentAt - 2);
    if (end < 0) return null;
    const field = fieldName(bytes.toString("utf8", headerAt, contentAt));
    await yielder.after(contentAt - headerAt);
    if (field && !fields.has(field)) {
      fields.set(field, bytes.subarray(contentAt, Math.max(contentAt, end)));
    }
    at = end + delimiter.length;
  }
  return null;
}

function fieldName(header: string): string | undefined {
  const name = /^content-disposition:[^\r\n]*?;\s*name=(?:"([^"\r\n]*)"|([^\s;]+))/im.exec(header);
  return name?.[1] ?? name?.[2];
}

async function urlencoded(bytes: Buffer, yielder: Yielder): Promise<Map<string, Uint8Array>> {
  const fields = new Map<string, Uint8Array>();
  for (let at = 0, n = 0; at < bytes.length && n < maxFields; n++) {
    const ampersand = await indexOfText(bytes, "&", at, yielder);
    const end = ampersand < 0 ? bytes.length : ampersand;
    const equals = await indexOfText(bytes, "=", at, yielder, Math.min(end, at + maxNameBytes + 1));
    const nameEnd = equals < 0 ? end : equals;
    if (nameEnd - at <= maxNameBytes) {
      const name = new TextDecoder().decode(percentDecode(bytes.subarray(at, nameEnd), space));
      if (name && !fields.has(name)) fields.set(name, bytes.subarray(nameEnd + 1, end));
    }
    at = end + 1;
  }
  return fields;
}

/** In a form, `+` means a space. */
const space = 0x20;
const percent = 0x25;

/** Percent-decodes in pieces of a MiB; no piece ends inside an escape. */
async function decoded(raw: Uint8Array, yielder: Yielder): Promise<Uint8Array> {
  const out = new Uint8Array(raw.length);
  let length = 0;
  for (let at = 0, end; at < raw.length; at = end) {
    end = Math.min(raw.length, at + 2 ** 20);
    if (end < raw.length) {
      if (raw[end - 1] === percent) end -= 1;
      else if (raw[end - 2] === percent) end -= 2;
    }
    const piece = percentDecode(raw.subarray(at, end), space);
    out.set(piece, length);
    length += piece.length;
    await yielder.after(end - at);
  }
  return out.subarray(0, length);
}

const after = (index: number, length: number) => index < 0 ? -1 : index + length;

/** Most values are short: the first window is small, and each further one 4 times as large. */
const firstWindow = 4 * 1024;
const largestWindow = 2 ** 20;

/**
 * Returns the index of an ASCII text in `bytes` between `from` and `end`, or -1. It searches in strings, because the time of
 * `Buffer.indexOf` grows with the product of both lengths: 9 s for 40 MiB of dashes.
 */
async function indexOfText(
  bytes: Buffer,
  text: string,
  from: number,
  yielder: Yielder,
  end = bytes.length,
): Promise<number> {
  let size = firstWindow;
  for (let at = from; at + text.length <= end;) {
    const windowEnd = Math.min(end, at + size + text.length - 1);
    const found = bytes.toString("latin1", at, windowEnd).indexOf(text);
    if (found >= 0) return at + found;
    await yielder.after(windowEnd - at);
    at += size;
    size = Math.min(size * 4, largestWindow);
  }
  return -1;
}
