import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { sweepOrphans } from "../domain/store/blobs.ts";
import { removeExpired } from "../domain/store/expiry.ts";

/** No message takes an hour to arrive: an older blob is not being written by another process. */
const orphanMs = 3_600_000;
/** An expired row stays up to a minute longer. Readers check its `expiresAt`. */
const sweepMs = 60_000;

/** Removes blobs that a killed process did not finish; on a shared store only those older than an hour. */
export async function sweepAtStart(service: Service): Promise<void> {
  const now = service.clock.now();
  try {
    const removed = await sweepOrphans(
      service.database,
      service.database.exclusive ? now : now - orphanMs,
    );
    if (removed > 0) service.log.info("store.orphans_removed", { blobs: removed });
  } catch (error) {
    service.log.warn("store.sweep_failed", { error: describeError(error) });
  }
}

/** On an exclusive store: removes expired rows every minute. Returns what ends it. */
export function sweepExpired(service: Service): () => Promise<void> {
  const { database, clock, log } = service;
  if (!database.exclusive) return () => Promise.resolve();
  let sweeping = Promise.resolve();
  let cancel = () => {};
  let stopped = false;
  const arm = () => {
    if (!stopped) cancel = clock.wakeAt(clock.now() + sweepMs, () => void (sweeping = sweep()));
  };
  const sweep = async () => {
    try {
      const rows = await removeExpired(database, clock.now());
      if (rows > 0) log.debug("store.expired_removed", { rows });
    } catch (error) {
      // A full disk refuses this too. The rows are still listed, so the next sweep tries again.
      log.warn("store.sweep_failed", { error: describeError(error) });
    }
    arm();
  };
  arm();
  return async () => {
    stopped = true;
    cancel();
    await sweeping;
  };
}
