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

/** Parsed texts have no NUL; in JSON it is escaped. */
const separator = "\0";

/** Null if the body is long, or has half of a surrogate pair, which UTF-8 cannot hold. */
function packed(body: MessageBody): Uint8Array | null {
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
  return encoder.encode(whole);
}

function unpacked(kept: Uint8Array): MessageBody {
  const whole = decoder.decode(kept);
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
