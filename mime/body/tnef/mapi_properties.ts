import { decodeCharset } from "../../text/charset.ts";

/** Types of values ([MS-OXCDATA], section 2.11.1). */
const types = { text: 0x1e, unicode: 0x1f, binary: 0x102, object: 0x0d, time: 0x40 };
const severalValues = 0x1000;
/** Bytes of the types of one size; in TNEF a value fills words of four bytes. */
const fixedBytes = new Map([
  ...[0x02, 0x03, 0x04, 0x0a, 0x0b].map((type): [number, number] => [type, 4]),
  ...[0x05, 0x06, 0x07, 0x14, 0x40].map((type): [number, number] => [type, 8]),
  [0x48, 16],
]);
const variable: ReadonlySet<number> = new Set([
  types.text,
  types.unicode,
  types.binary,
  types.object,
]);
/** Properties with greater ids have names, which stand before the value. */
const firstNamed = 0x8000;
const guidBytes = 16;

interface Value {
  type: number;
  bytes: Uint8Array;
}

/** The properties of a message, a file or a recipient in TNEF ([MS-OXTNEF], section 2.1.3.4), by their ids. */
export class MapiProperties {
  private readonly values = new Map<number, Value>();
  /** Where the next list begins. */
  end: number;

  /** Reads the list that begins at `start`; of one that is malformed the properties before the fault. */
  constructor(bytes: Uint8Array, private readonly codePage: number, start = 0) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = start;
    const number = () => {
      at += 4;
      return view.getUint32(at - 4, true);
    };
    const piece = (length: number) => {
      const found = bytes.subarray(at, at + length);
      at += length + 3 & ~3;
      if (at > bytes.length + 3 || at < 0) throw new RangeError("cut off");
      return found;
    };
    try {
      for (let left = number(); left > 0; left--) {
        const tag = number();
        const type = tag & 0xffff & ~severalValues, id = tag >>> 16;
        if (id >= firstNamed) {
          piece(guidBytes);
          const isText = number() !== 0, next = number();
          if (isText) piece(next);
        }
        const isVariable = variable.has(type), fixed = fixedBytes.get(type);
        if (!isVariable && fixed === undefined) break;
        const count = isVariable || (tag & severalValues) !== 0 ? number() : 1;
        for (let n = 0; n < count; n++) {
          const value = piece(isVariable ? number() : fixed!);
          if (n === 0 && !this.values.has(id)) this.values.set(id, { type, bytes: value });
        }
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      at = bytes.length;
    }
    this.end = at;
  }

  /** The text of the first of these that has one. */
  text(...ids: number[]): string {
    for (const id of ids) {
      const value = this.values.get(id);
      const text = value === undefined ? "" : this.textOf(value);
      if (text.trim() !== "") return text;
    }
    return "";
  }

  bytes(id: number): Uint8Array | null {
    const value = this.values.get(id);
    return value === undefined || value.bytes.length === 0 ? null : value.bytes;
  }

  /** Whether a value is text, and not bytes. */
  isText(id: number): boolean {
    const type = this.values.get(id)?.type;
    return type === types.text || type === types.unicode;
  }

  number(id: number): number | null {
    const bytes = this.values.get(id)?.bytes;
    if (bytes?.length !== 4) return null;
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  }

  /** A time in milliseconds since 1970; it is stored in units of 100 ns since 1601. */
  time(...ids: number[]): number | null {
    for (const id of ids) {
      const value = this.values.get(id);
      if (value?.type !== types.time || value.bytes.length !== 8) continue;
      const ticks = new DataView(value.bytes.buffer, value.bytes.byteOffset).getBigUint64(0, true);
      return Number(ticks / 10_000n) - 11_644_473_600_000;
    }
    return null;
  }

  private textOf({ type, bytes }: Value): string {
    if (type === types.unicode) return withoutNul(utf16.decode(bytes));
    return type === types.text ? withoutNul(decodeCharset(bytes, `cp${this.codePage}`)) : "";
  }
}

const utf16 = new TextDecoder("utf-16le");

/** The text before the first NUL, which ends it. */
export const withoutNul = (text: string): string => text.split("\0", 1)[0];
