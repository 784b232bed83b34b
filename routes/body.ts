import type { Context } from "hono";
import { concatBytes } from "../domain/bytes.ts";
import { ServiceError } from "../domain/errors.ts";

const MiB = 2 ** 20;
/** DECISIONS.md 13: send, reply and MCP up to 40 MiB, every other JSON body 1 MiB. */
export const largeBodyBytes = 40 * MiB;
export const smallBodyBytes = MiB;

/** A body of known length is read in one piece up to this: by pieces, a message takes twice the time to read. */
const onePieceBytes = 256 * 1024;

/** The body as it comes. */
export async function* bodyOf(c: Context): AsyncGenerator<Uint8Array> {
  const length = c.req.header("content-length");
  if (length !== undefined && Number(length) <= onePieceBytes) yield await c.req.raw.bytes();
  else yield* c.req.raw.body ?? [];
}

/** The JSON body. Throws BAD_REQUEST (another content type, malformed, absent) or PAYLOAD_TOO_LARGE. */
export async function readJson(c: Context, maxBytes: number): Promise<unknown> {
  const type = (c.req.header("content-type") ?? "").split(";")[0].trim().toLowerCase();
  const text = textOf(await readBytes(c, maxBytes));
  if (text.trim() === "") throw new ServiceError("BAD_REQUEST", "The request needs a JSON body.");
  if (type !== "application/json") {
    throw new ServiceError("BAD_REQUEST", "The Content-Type must be application/json.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("BAD_REQUEST", "The body is not valid JSON.");
  }
}

/** JSON is UTF-8 (RFC 8259): bytes that are not must not be stored as replacement characters. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError("BAD_REQUEST", "The body is not valid JSON.");
  }
}

/** The whole body, refused while it is read where it is larger than `maxBytes`. */
export async function readBytes(c: Context, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const tooLarge = () =>
    new ServiceError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`, {
      limit: maxBytes,
    });
  if (Number(c.req.header("content-length") ?? 0) > maxBytes) throw tooLarge();
  for await (const piece of bodyOf(c)) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return concatBytes(pieces, size);
}
