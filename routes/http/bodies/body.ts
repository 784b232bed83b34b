import type { Context } from "hono";
import { ServiceError } from "../../../domain/core/errors.ts";
import type { Reader } from "../answers/answer_budget.ts";
import type { Sender } from "./body_budget.ts";
import { leastBytes } from "./intake.ts";
import { parseJson, TooManyValues } from "./json_text.ts";
import { Pieces } from "./pieces.ts";
import type { Env } from "../env.ts";

const MiB = 2 ** 20;
/** Send, reply and the MCP tools with attachments take 40 MiB, every other JSON body 1 MiB. */
export const largeBodyBytes = 40 * MiB;
export const smallBodyBytes = MiB;

/**
 * A body of known length up to this is read in one step, because reading in pieces takes twice the time. Even the
 * slowest allowed sender sends this much within the wait for one byte, so a single wait is enough for the whole body.
 */
const onePieceBytes = leastBytes;

/**
 * The body piece by piece, counted in the budget. `sender` is the caller or a stranger by default. Throws REQUEST_TIMEOUT,
 * SERVICE_UNAVAILABLE, and BAD_REQUEST if the body breaks off.
 */
export async function* bodyOf(
  c: Context<Env>,
  sender: Sender = senderOf(c),
): AsyncGenerator<Uint8Array> {
  const patience = c.get("intake").patience();
  const length = lengthOf(c);
  if (length !== null && length <= onePieceBytes) {
    yield await patience.next(unbroken(c.req.raw.bytes()), ({ length }) => length);
    return;
  }
  const share = c.get("intake").budget.open(sender);
  c.set("bodyShare", share);
  share.expect(length ?? 0);
  const reader = c.req.raw.body?.getReader();
  try {
    while (reader) {
      const { value, done } = await patience.next(
        unbroken(reader.read()),
        ({ value }) => value?.length ?? 0,
      );
      if (done) return;
      share.add(value.length);
      yield value;
    }
  } finally {
    // The rest is not read. Cancelling also fails if the connection is gone.
    reader?.cancel().catch(() => {});
  }
}

/** If a body breaks off, the sender has failed: BAD_REQUEST, not a 5xx. */
async function unbroken<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch {
    throw new ServiceError("BAD_REQUEST", "The body broke off before its end.");
  }
}

/** The whole body. Throws what `bodyOf` throws, and PAYLOAD_TOO_LARGE as soon as `maxBytes` are exceeded. */
export async function readBytes(
  c: Context<Env>,
  maxBytes: number,
  sender?: Sender,
): Promise<Uint8Array> {
  const length = lengthOf(c);
  if (length !== null && length > maxBytes) throw tooLarge(maxBytes);
  using pieces = new Pieces();
  for await (const piece of bodyOf(c, sender)) {
    pieces.add(piece);
    if (pieces.size > maxBytes) throw tooLarge(maxBytes);
  }
  return pieces.whole();
}

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`, {
    limit: maxBytes,
  });
}

/**
 * The JSON body; `{}` if it is absent and `optional`. Throws BAD_REQUEST (another content type, malformed, absent) or
 * PAYLOAD_TOO_LARGE.
 */
export async function readJson(
  c: Context<Env>,
  maxBytes: number,
  optional = false,
): Promise<unknown> {
  const type = (c.req.header("content-type") ?? "").split(";")[0].trim().toLowerCase();
  const bytes = await readBytes(c, maxBytes);
  if (isBlank(bytes)) {
    if (optional) return {};
    throw new ServiceError("BAD_REQUEST", "The request needs a JSON body.");
  }
  if (type !== "application/json") {
    throw new ServiceError("BAD_REQUEST", "The Content-Type must be application/json.");
  }
  try {
    return parseJson(bytes);
  } catch (error) {
    const reason = error instanceof TooManyValues ? error.message : "The body is not valid JSON.";
    throw new ServiceError("BAD_REQUEST", reason);
  }
}

/** Whether bytes are white space of JSON alone (RFC 8259, 2). A call for each byte would take 0.6 s for 40 MB. */
function isBlank(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false;
  }
  return true;
}

/** `Content-Length`; null for a chunked body and for none. */
export function lengthOf(c: Context): number | null {
  const length = c.req.header("content-length");
  return length === undefined ? null : Number(length);
}

/** Whose request it is, as far as it is known. */
export function senderOf(c: Context<Env>): Reader {
  const caller = c.get("caller");
  return caller
    ? { kind: "account", userId: caller.userId }
    : { kind: "stranger", address: c.get("guest").clientAddress };
}
