import { Buffer } from "node:buffer";

/** Writers of TNEF ([MS-OXTNEF]) for tests. Ids and types are those of the standard. */

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

const padded = (value: Uint8Array) =>
  Buffer.concat([uint32(value.length), value, Buffer.alloc(-value.length & 3)]);

/** A property: text as UTF-16, a number, or the bytes of a type. */
export type Property = [id: number, value: string | number | { type: number; bytes: Uint8Array }];

export function properties(list: Property[]): Buffer {
  const written = list.map(([id, value]) => {
    const head = (type: number) => uint32((id << 16 | type) >>> 0);
    if (typeof value === "number") return Buffer.concat([head(0x03), uint32(value)]);
    const { type, bytes } = typeof value === "string"
      ? { type: 0x1f, bytes: Buffer.from(`${value}\0`, "utf16le") }
      : value;
    return type === 0x40
      ? Buffer.concat([head(type), bytes])
      : Buffer.concat([head(type), uint32(1), padded(bytes)]);
  });
  return Buffer.concat([uint32(list.length), ...written]);
}

export function attribute(level: 1 | 2, id: number, value: Uint8Array): Buffer {
  let sum = 0;
  for (const byte of value) sum = sum + byte & 0xffff;
  const head = Buffer.concat([Buffer.of(level), uint32(id), uint32(value.length)]);
  return Buffer.concat([head, value, Buffer.of(sum & 0xff, sum >> 8)]);
}

export function tnef(...attributes: Buffer[]): Buffer {
  return Buffer.concat([uint32(0x223e9f78), Buffer.of(1, 0), ...attributes]);
}

export const messageProperties = (list: Property[]) => attribute(1, 0x69003, properties(list));

/** A file with data, and further properties. */
export function file(name: string, data: Uint8Array, list: Property[] = []): Buffer {
  return Buffer.concat([
    attribute(2, 0x69002, Buffer.alloc(14)),
    attribute(2, 0x6800f, data),
    attribute(2, 0x69005, properties([[0x3707, name], ...list])),
  ]);
}

/** A message as a file. */
export function messageFile(name: string, message: Uint8Array): Buffer {
  const id = Buffer.from("0703020000000000c000000000000046", "hex");
  const object = { type: 0x0d, bytes: Buffer.concat([id, message]) };
  return Buffer.concat([
    attribute(2, 0x69002, Buffer.alloc(14)),
    attribute(2, 0x69005, properties([[0x3705, 5], [0x3001, name], [0x3701, object]])),
  ]);
}

/** RTF as Outlook stores it ([MS-OXRTFCP]), no byte of it by reference. */
export function compressedRtf(rtf: string): Buffer {
  const content = Buffer.from(rtf, "latin1");
  const tokens: Buffer[] = [];
  for (let at = 0; at < content.length; at += 8) {
    tokens.push(Buffer.of(0), content.subarray(at, at + 8));
  }
  const body = Buffer.concat(tokens);
  return Buffer.concat([
    ...[uint32(body.length + 12), uint32(content.length), uint32(0x75465a4c), uint32(0), body],
  ]);
}

/** A mail with these bytes as `winmail.dat` below its text. */
export function mailWith(bytes: Uint8Array, text = ""): Buffer {
  const lines = [
    ...["From: a@example.org", "To: b@example.org", "Subject: files", "MIME-Version: 1.0"],
    ...['Content-Type: multipart/mixed; boundary="q"', "", "--q"],
    ...["Content-Type: text/plain; charset=utf-8", "", text, "--q"],
    ...[
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      "Content-Transfer-Encoding: base64",
    ],
    ...["", Buffer.from(bytes).toString("base64").replace(/.{76}/g, "$&\r\n"), "--q--", ""],
  ];
  return Buffer.from(lines.join("\r\n"));
}
