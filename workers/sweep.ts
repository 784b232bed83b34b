import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { sweepOrphans } from "../domain/store/blobs.ts";
import { removeExpired } from "../domain/store/expiry.ts";

/** A blob that another process is still writing is younger than this: no message takes an hour to arrive. */
const orphanMs = 3_600_000;
/** An expired row lasts a minute longer at most: readers look at `expiresAt` themselves. */
const sweepMs = 60_000;

/** Removes what a killed process left half written. On an exclusive store nobody else writes: all of it. */
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

/** Removes expired rows every minute, where the database does not do it itself. Returns what ends it. */
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
      // A full disk refuses to remove as well. The rows are still listed.
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
