import { ServiceError } from "../../../core/errors.ts";
import type { BlobRef } from "../../../core/blob_ref.ts";
import { readBlob, readWholeBlob } from "../../../store/blobs.ts";
import { DamagedBlob } from "../../../store/blobs/chunk_form.ts";
import type { Database } from "../../../store/database.ts";
import { whileThere } from "../parsing/stored_message.ts";
import type { Email } from "../../record/email.ts";

/** A message of more chunks is read twice, and has this many in memory: 600 KiB. */
const chunksAtOnce = 10;
/** Bytes of one piece; divisible by three, so that the base64 of the pieces is that of the whole. */
const pieceBytes = 48 * 1024;

/**
 * The base64 of an email's bytes in pieces; `lost` if the service has lost some of them, `deleted` if the email was deleted
 * meanwhile. A large message is read to its end before its first piece, so that none breaks off because of lost bytes.
 */
export async function messageBase64(
  { database }: { database: Database },
  email: Email,
): Promise<Iterable<string> | AsyncIterable<string> | "lost" | "deleted"> {
  const isLarge = email.raw.chunks > chunksAtOnce;
  const reading = isLarge ? check(database, email.raw) : readWholeBlob(database, email.raw);
  try {
    const whole = await whileThere({ database }, email, reading);
    return whole ? piecesOf(whole) : base64Of(readBlob(database, email.raw, chunksAtOnce));
  } catch (error) {
    if (error instanceof DamagedBlob) return "lost";
    if (error instanceof ServiceError && error.code === "NOT_FOUND") return "deleted";
    throw error;
  }
}

async function check(database: Database, ref: BlobRef): Promise<null> {
  let size = 0;
  for await (const { length } of readBlob(database, ref, chunksAtOnce)) size += length;
  if (size !== ref.size) throw new DamagedBlob("a chunk is damaged");
  return null;
}

function* piecesOf(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes).toBase64();
  }
}

async function* base64Of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    const end = bytes.length - bytes.length % 3;
    yield bytes.subarray(0, end).toBase64();
    rest = bytes.slice(end);
  }
  yield rest.toBase64();
}
