import { ServiceError } from "../../core/errors.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { sha256Of } from "../record/content_hash.ts";
import { type Once, rememberOnce, requireSameOnce } from "./sent_once.ts";

/** The first answer to a request with an idempotency key, kept for 24 hours (docs/specification.md "Send"). */
interface Remembered<Output> {
  inputHash: string;
  output: Output;
  expiresAt: number;
}

const keptMs = 86_400_000;

/**
 * The row of an idempotency key and the hash of its request, or a message that each recipient gets once; null without a key.
 */
export type IdempotencyKey = { row: Deno.KvKey; inputHash: string } | Once | null;

/**
 * The idempotency key of a request. Keys belong to the account: a key of a send cannot be used for a reply.
 *
 * @param input after parsing, so that field order and omitted defaults do not matter
 */
export function idempotencyKey(
  userId: string,
  operation: string,
  input: { idempotency_key?: string },
): IdempotencyKey {
  const { idempotency_key, ...rest } = input;
  if (idempotency_key === undefined) return null;
  return {
    row: keys.idempotency(userId, "send", sha256Of(idempotency_key)),
    inputHash: sha256Of(
      JSON.stringify(
        [operation, rest],
        (_name, value) => value instanceof Uint8Array ? sha256Of(value) : value,
      ),
    ),
  };
}

/**
 * The first answer for this key, or null. Throws CONFLICT if the key was used for another request, SentMeanwhile if the
 * message was sent since its recipients were looked up.
 */
export async function rememberedOutput<Output>(
  tx: Pick<Tx, "get">,
  key: IdempotencyKey,
  now: number,
): Promise<Output | null> {
  if (key && "recipients" in key) {
    await requireSameOnce(tx, key);
    return null;
  }
  const remembered = key && await tx.get<Remembered<Output>>(key.row);
  if (!key || !remembered || remembered.expiresAt <= now) return null;
  if (remembered.inputHash === key.inputHash) return remembered.output;
  throw new ServiceError("CONFLICT", "This idempotency key was used for another request.");
}

/** Stores the answer in the transaction of the send. */
export function rememberOutput(tx: Tx, key: IdempotencyKey, output: unknown, now: number): void {
  if (!key) return;
  if ("recipients" in key) return rememberOnce(tx, key, output, now);
  const remembered = { inputHash: key.inputHash, output, expiresAt: now + keptMs };
  tx.set(key.row, remembered, { expireInMs: keptMs });
}
