import { LRUCache } from "lru-cache";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { MessageBody } from "../../../../mime/body/parse_body.ts";
import { windowBitsFor } from "../../../store/blobs.ts";

/** Bytes of kept bodies: those of two thousand usual emails. */
const maxKeptBytes = 8 * 1024 * 1024;
/** Counted for a body besides its bytes. */
const overheadBytes = 300;
/** A longer body is kept as it is, because deflate would stop other requests for milliseconds. */
const longestPacked = 200_000;
/** Deflate does not pay for fewer bytes: half of all bodies. */
const leastDeflated = 4_000;

/** A body in few bytes (`deflatedFrom` so many, or as they are), or one that is too long for that. */
type Kept = { bytes: Uint8Array; deflatedFrom: number | null } | { body: MessageBody };

/**
 * Parsed bodies in little memory, outside V8's heap: those that arrived or were read lately. As objects they would take
 * four times as much, and V8 would copy their texts among its old objects. Packing one takes 50 µs, and unpacking it
 * 25 µs; parsing its message takes 400 µs.
 */
export class KeptBodies {
  private readonly bodies = new LRUCache<string, Kept>({
    maxSize: maxKeptBytes,
    sizeCalculation: (kept) =>
      overheadBytes + ("body" in kept ? 2 * charactersOf(kept.body) : kept.bytes.length),
  });

  set(blobId: string, body: MessageBody): void {
    this.bodies.set(blobId, packed(body) ?? { body });
  }

  get(blobId: string): MessageBody | undefined {
    const kept = this.bodies.get(blobId);
    return kept && ("body" in kept ? kept.body : unpacked(kept));
  }

  has(blobId: string): boolean {
    return this.bodies.has(blobId);
  }

  clear(): void {
    this.bodies.clear();
  }
}

function charactersOf({ text, html, newText, attachments, attachedTexts }: MessageBody): number {
  return text.length + (html?.length ?? 0) + newText.length + attachedTexts.join("").length +
    overheadBytes * attachments.length;
}

/** Parsed texts have no NUL; in JSON it is escaped. */
const separator = "\0";

/** Null if the body is long, or has half of a surrogate pair, which UTF-8 cannot hold. */
function packed(body: MessageBody): Kept | null {
  if (charactersOf(body) > longestPacked) return null;
  const { text, html, newText, ...rest } = body;
  // The new text is usually a part of the text.
  const newAt = text.indexOf(newText);
  const facts = JSON.stringify({
    ...rest,
    newAt,
    newLength: newText.length,
    isHtml: html !== null,
  });
  const whole = [facts, text, html ?? "", newAt < 0 ? newText : ""].join(separator);
  if (!whole.isWellFormed()) return null;
  const bytes = encoder.encode(whole);
  if (bytes.length < leastDeflated) return { bytes, deflatedFrom: null };
  const windowBits = windowBitsFor(bytes.length);
  const deflated = deflateRawSync(bytes, { level: 1, windowBits });
  // A copy: the result lies in a buffer of 16 KiB.
  return { bytes: new Uint8Array(deflated), deflatedFrom: bytes.length };
}

function unpacked({ bytes, deflatedFrom }: Exclude<Kept, { body: MessageBody }>): MessageBody {
  // In one piece: a fifth faster.
  const whole = decoder.decode(
    deflatedFrom === null ? bytes : inflateRawSync(bytes, { chunkSize: deflatedFrom + 1 }),
  );
  const [facts, text, html, ownNewText] = whole.split(separator);
  const { newAt, newLength, isHtml, ...rest } = JSON.parse(facts);
  return {
    ...rest,
    text,
    html: isHtml ? html : null,
    newText: newAt < 0 ? ownNewText : text.slice(newAt, newAt + newLength),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
