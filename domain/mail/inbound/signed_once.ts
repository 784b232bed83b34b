import { createHash } from "node:crypto";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";

/** What an event id of a provider was first used for. */
interface InboundSeen {
  fingerprint: string;
  expiresAt: number;
}

/**
 * Binds an event id, which the provider signed, to the message that came with it, which it did not:
 * true for the first message and for the same one again (the provider tries again), false for another
 * one, which somebody has put under a signature that was overheard. Kept for `keptMs`, which must be
 * longer than such a signature is accepted.
 */
export async function isFirstUse(
  service: Service,
  provider: string,
  eventId: string,
  content: readonly (string | Uint8Array)[],
  keptMs: number,
): Promise<boolean> {
  const fingerprint = sha256(content);
  const key = keys.inboundSeen(provider, sha256([eventId]));
  return await service.database.transact(async (tx) => {
    const now = service.clock.now();
    const seen = await tx.get<InboundSeen>(key);
    if (seen && seen.expiresAt > now) return seen.fingerprint === fingerprint;
    tx.set(key, { fingerprint, expiresAt: now + keptMs } satisfies InboundSeen, {
      expireInMs: keptMs,
    });
    return true;
  });
}

/** Each piece is hashed by itself, so that no two lists of pieces read the same. */
function sha256(pieces: readonly (string | Uint8Array)[]): string {
  const whole = createHash("sha256");
  for (const piece of pieces) whole.update(createHash("sha256").update(piece).digest());
  return whole.digest("hex");
}
