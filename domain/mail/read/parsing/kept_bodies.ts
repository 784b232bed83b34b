import { LRUCache } from "lru-cache";
import type { MessageBody } from "../../../../mime/body/parse_body.ts";

/** Bytes of kept bodies: those of two thousand usual emails. */
const maxKeptBytes = 24 * 1024 * 1024;
/** Counted for a body besides its bytes. */
const overheadBytes = 300;
/** A longer body is kept as it is, because encoding it would stop other requests for milliseconds. */
const longestPacked = 200_000;

/** A body in few bytes, or one that is too long for that. */
type Kept = Uint8Array | { body: MessageBody };

/**
 * Parsed bodies outside V8's heap: those that arrived or were read lately. As objects they would take twice as much, and
 * V8 would copy their texts among its old objects. Deflated they would take half as much, and each arrival 40 µs more.
 */
export class KeptBodies {
  private readonly bodies = new LRUCache<string, Kept>({
    maxSize: maxKeptBytes,
    sizeCalculation: (kept) =>
      overheadBytes + (kept instanceof Uint8Array ? kept.length : 2 * charactersOf(kept.body)),
  });

  set(blobId: string, body: MessageBody): void {
    this.bodies.set(blobId, packed(body) ?? { body });
  }

  get(blobId: string): MessageBody | undefined {
    const kept = this.bodies.get(blobId);
    return kept && (kept instanceof Uint8Array ? unpacked(kept) : kept.body);
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

const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Null if the body is long. */
function packed(body: MessageBody): Uint8Array | null {
  if (charactersOf(body) > longestPacked) return null;
  const { text, newText } = body;
  // The new text is usually a part of the text.
  const at = text.indexOf(newText);
  const kept = at < 0 ? newText : [at, at + newText.length];
  return encoder.encode(JSON.stringify({ ...body, newText: kept }));
}

function unpacked(kept: Uint8Array): MessageBody {
  const { newText, ...rest } = JSON.parse(decoder.decode(kept));
  const whole = typeof newText === "string" ? newText : rest.text.slice(...newText);
  return { ...rest, newText: whole };
}
