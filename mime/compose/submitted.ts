import { Buffer } from "node:buffer";
import { bufferOf } from "../text/buffer_of.ts";

/** The facts of the header of a message that its sender wrote. */
export interface SubmittedHead {
  /** How often each field occurs, by its name in lower case. */
  counts: ReadonlyMap<string, number>;
  fields: readonly Field[];
}

interface Field {
  name: string;
  /** Of its line and its folds, with the last CRLF. */
  start: number;
  end: number;
}

/** The header of a message is read as far as this. */
const maxHeaderBytes = 1024 * 1024;
const maxFields = 2_000;

/**
 * Reads the header of a message strictly, so that every reader sees the same fields (RFC 5322, section 2.2). A string is the
 * reason why it is refused: a CR or LF alone, or a line that is no field.
 */
export function submittedHead(raw: Uint8Array): SubmittedHead | string {
  const bytes = bufferOf(raw);
  if (hasBareLineEnd(bytes)) return "A line must end with CR LF; this message has a CR or LF alone";
  const fields: Field[] = [];
  const counts = new Map<string, number>();
  for (let at = 0; at < bytes.length;) {
    const lf = bytes.indexOf(0x0a, at);
    const end = lf < 0 ? bytes.length : lf + 1;
    if (end - at === 2 && bytes[at] === 0x0d) break;
    if (end > maxHeaderBytes || fields.length > maxFields) return "The header is too long";
    const first = bytes[at];
    if (first === 0x20 || first === 0x09) {
      const open = fields.at(-1);
      if (!open) return "The header begins with a blank";
      open.end = end;
    } else {
      const front = bytes.toString("latin1", at, Math.min(end, at + 200));
      const [, name] = /^([!-9;-~]{1,190})[ \t]{0,9}:/.exec(front) ?? [];
      if (name === undefined) return "A line of the header is no field";
      const lower = name.toLowerCase();
      fields.push({ name: lower, start: at, end });
      counts.set(lower, (counts.get(lower) ?? 0) + 1);
    }
    at = end;
  }
  return { fields, counts };
}

/** The message with fields of `add` in front, and without those for which `isRemoved` returns true. All else is kept. */
export function rewritten(
  raw: Uint8Array,
  { fields }: SubmittedHead,
  isRemoved: (name: string) => boolean,
  add: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const front = Object.entries(add).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const kept: Uint8Array[] = [Buffer.from(front, "latin1")];
  let from = 0;
  for (const { name, start, end } of fields) {
    if (!isRemoved(name)) continue;
    kept.push(raw.subarray(from, start));
    from = end;
  }
  kept.push(raw.subarray(from));
  return new Uint8Array(Buffer.concat(kept));
}

/** A time as a Date field has it (RFC 5322, section 3.3). */
export function dateField(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}

/** A longer From is refused: the expressions below take quadratic time. */
const maxFromChars = 2_000;

/**
 * Whether all readers see the same author in From: one address, and nothing behind it. `<a@x> <b@y>` is one for some readers
 * and the other for others.
 */
export function hasOneReading(raw: Uint8Array, { fields }: SubmittedHead): boolean {
  const from = fields.find(({ name }) => name === "from");
  if (!from || from.end - from.start > maxFromChars) return false;
  const field = Buffer.from(raw.subarray(from.start, from.end)).toString("latin1");
  const text = field.slice(field.indexOf(":") + 1);
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, "").replace(/\([^()]*\)/g, "");
  const [, address, ...others] = bare.split("<");
  if (address === undefined) return bare.split("@").length === 2;
  const [, behind, ...more] = address.split(">");
  return others.length + more.length === 0 && ["", ";"].includes(behind?.trim());
}

function hasBareLineEnd(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at - 1] !== 0x0d) return true;
  }
  for (let at = bytes.indexOf(0x0d); at >= 0; at = bytes.indexOf(0x0d, at + 1)) {
    if (bytes[at + 1] !== 0x0a) return true;
  }
  return false;
}
