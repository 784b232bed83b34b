import { createHash } from "node:crypto";
import { Yielder } from "../../core/work/yielder.ts";
import type { Service } from "../../core/service.ts";
import * as keys from "../../store/keys.ts";

/** The first message that came with an event id of a provider. */
interface InboundSeen {
  fingerprint: string;
  expiresAt: number;
}

/**
 * Binds an event id to the message that came with it: the provider's signature covers the id, but not the message. True
 * for the first message and for the same message again (the provider retries). False for another message: somebody
 * reuses a signature. `keptMs` must be longer than a signature is accepted.
 */
export async function isFirstUse(
  { clock, database }: Pick<Service, "clock" | "database">,
  provider: string,
  eventId: string,
  content: readonly (string | Uint8Array)[],
  keptMs: number,
): Promise<boolean> {
  const yielder = new Yielder(clock);
  const fingerprint = await sha256(content, yielder);
  const key = keys.inboundSeen(provider, await sha256([eventId], yielder));
  return await database.transact(async (tx) => {
    const now = clock.now();
    const seen = await tx.get<InboundSeen>(key);
    if (seen && seen.expiresAt > now) return seen.fingerprint === fingerprint;
    tx.set(key, { fingerprint, expiresAt: now + keptMs } satisfies InboundSeen, {
      expireInMs: keptMs,
    });
    return true;
  });
}

/** Each piece is hashed separately, so that different lists of pieces never give the same hash. */
async function sha256(
  pieces: readonly (string | Uint8Array)[],
  yielder: Yielder,
): Promise<string> {
  const whole = createHash("sha256");
  for (const piece of pieces) {
    const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    const hash = createHash("sha256");
    for await (const slice of yielder.slices(bytes)) hash.update(slice);
    whole.update(hash.digest());
  }
  return whole.digest("hex");
}
