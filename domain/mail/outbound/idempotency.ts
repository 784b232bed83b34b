import { createHash } from "node:crypto";
import { ServiceError } from "../../core/errors.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** The first answer to a request that named a key of its caller's, kept 24 hours (DECISIONS.md 5). */
interface Remembered<Output> {
  inputHash: string;
  output: Output;
  expiresAt: number;
}

const keptMs = 86_400_000;

/** A caller's key and what it was used for; null where the caller named none. */
export type IdempotencyKey = { row: Deno.KvKey; inputHash: string } | null;

/**
 * The key of a request. Keys are the account's: one that served for a send cannot serve for a reply.
 *
 * @param input parsed, so that the order of its fields and left-out defaults make no difference
 */
export function idempotencyKey(
  userId: string,
  operation: string,
  input: { idempotency_key?: string },
): IdempotencyKey {
  const { idempotency_key, ...rest } = input;
  if (idempotency_key === undefined) return null;
  return {
    row: keys.idempotency(userId, "send", sha256(idempotency_key)),
    inputHash: sha256(
      JSON.stringify(
        [operation, rest],
        (_name, value) => value instanceof Uint8Array ? sha256(value) : value,
      ),
    ),
  };
}

/** The first answer under this key, or null. Throws CONFLICT where it was used for something else. */
export async function rememberedOutput<Output>(
  tx: Pick<Tx, "get">,
  key: IdempotencyKey,
  now: number,
): Promise<Output | null> {
  const remembered = key && await tx.get<Remembered<Output>>(key.row);
  if (!key || !remembered || remembered.expiresAt <= now) return null;
  if (remembered.inputHash === key.inputHash) return remembered.output;
  throw new ServiceError("CONFLICT", "This idempotency key was used for another request.");
}

/** Keeps the answer, in the commit that makes it true. */
export function rememberOutput(tx: Tx, key: IdempotencyKey, output: unknown, now: number): void {
  if (!key) return;
  const remembered = { inputHash: key.inputHash, output, expiresAt: now + keptMs };
  tx.set(key.row, remembered, { expireInMs: keptMs });
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
