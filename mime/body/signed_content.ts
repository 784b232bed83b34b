import { Buffer } from "node:buffer";

/** What a CMS file (RFC 5652) is: `signed` has its content, or null if it has none, as a file of certificates. */
export type CmsContent = { type: "signed"; content: Uint8Array | null } | { type: "encrypted" };

/** OIDs as DER: signedData, envelopedData (RFC 5652) and authEnvelopedData (RFC 5083). */
const signedData = "2a864886f70d010702";
const encrypted: ReadonlySet<string> = new Set(["2a864886f70d010703", "2a864886f70d0109100117"]);

/** An element of BER (X.690). */
interface Element {
  tag: number;
  start: number;
  /** null if the length is indefinite: two NUL bytes end it. */
  end: number | null;
}

const sequence = 0x30;
const octets = 0x04;
const constructedOctets = 0x24;
const objectId = 0x06;
const explicit = 0xa0;

/** Levels of elements; CMS has seven above the content. */
const maxDepth = 32;

/**
 * Reads a CMS file as S/MIME has it (RFC 8551), in DER or BER. No signature is verified. null for anything else. Linear
 * in the bytes.
 */
export function cmsContent(bytes: Uint8Array): CmsContent | null {
  try {
    const reader = new Reader(bytes);
    const [type, wrapped] = reader.children(reader.root(), 2);
    const oid = Buffer.from(bytes.subarray(type.start, type.end ?? 0)).toString("hex");
    if (type.tag !== objectId || wrapped.tag !== explicit) return null;
    if (encrypted.has(oid)) return { type: "encrypted" };
    if (oid !== signedData) return null;
    return { type: "signed", content: signedContent(reader, wrapped) };
  } catch {
    return null;
  }
}

/** SignedData: version, digestAlgorithms, encapContentInfo {eContentType, [0] eContent}. */
function signedContent(reader: Reader, wrapped: Element): Uint8Array | null {
  const [data] = reader.children(wrapped, 1);
  const [, , info] = reader.children(data, 3);
  const [, content] = reader.children(info, 2);
  if (!content) return null;
  const [value] = reader.children(content, 1);
  return value ? reader.octetsOf(value) : null;
}

/** Throws for bytes that are no BER. */
class Reader {
  constructor(private readonly bytes: Uint8Array) {}

  root(): Element {
    const root = this.elementAt(0, this.bytes.length);
    if (root.tag !== sequence) throw new Error("another element");
    return root;
  }

  /** At most `count` of the elements in an element. */
  children(parent: Element, count: number): Element[] {
    const found: Element[] = [];
    for (let at = parent.start; found.length < count && !this.isOver(parent, at);) {
      const child = this.elementAt(at, parent.end ?? this.bytes.length);
      found.push(child);
      if (found.length < count) at = this.after(child);
    }
    return found;
  }

  /** The bytes of an OCTET STRING: one piece, or the pieces in a constructed one. */
  octetsOf(value: Element): Uint8Array | null {
    if (value.tag === octets && value.end !== null) {
      return this.bytes.subarray(value.start, value.end);
    }
    if (value.tag !== constructedOctets) return null;
    const pieces: Uint8Array[] = [];
    for (let at = value.start; !this.isOver(value, at);) {
      const piece = this.elementAt(at, value.end ?? this.bytes.length);
      if (piece.tag !== octets || piece.end === null) return null;
      pieces.push(this.bytes.subarray(piece.start, piece.end));
      at = piece.end;
    }
    return Buffer.concat(pieces);
  }

  private isOver({ end }: Element, at: number): boolean {
    if (end !== null) return at >= end;
    if (at >= this.bytes.length) throw new Error("no end");
    return this.bytes[at] === 0 && this.bytes[at + 1] === 0;
  }

  private after(element: Element, depth = 0): number {
    if (element.end !== null) return element.end;
    if (depth > maxDepth) throw new Error("nested too deep");
    let at = element.start;
    while (!this.isOver(element, at)) {
      at = this.after(this.elementAt(at, this.bytes.length), depth + 1);
    }
    return at + 2;
  }

  /** Tags of more than one byte do not occur in the elements that are read. */
  private elementAt(at: number, limit: number): Element {
    const tag = this.bytes[at], first = this.bytes[at + 1];
    if (at + 2 > limit || (tag & 0x1f) === 0x1f) throw new Error("no element");
    if (first === 0x80) return { tag, start: at + 2, end: null };
    const count = first & 0x80 ? first & 0x7f : 0;
    if (count > 4) throw new Error("too long");
    let length = count === 0 ? first : 0;
    for (let n = 0; n < count; n++) length = length * 256 + this.bytes[at + 2 + n];
    const start = at + 2 + count;
    if (!(start + length <= limit)) throw new Error("cut off");
    return { tag, start, end: start + length };
  }
}
