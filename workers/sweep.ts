import { describeError } from "../domain/log.ts";
import type { Service } from "../domain/service.ts";
import { sweepOrphans } from "../domain/store/blobs.ts";

/** A blob that another process is still writing is younger than this: no message takes an hour to arrive. */
const orphanMs = 3_600_000;

/** Removes what a killed process left half written. On an exclusive store nobody else writes: all of it. */
export async function sweepAtStart(service: Service): Promise<void> {
  const now = service.clock.now();
  try {
    const removed = await sweepOrphans(
      service.entries,
      service.entries.exclusive ? now : now - orphanMs,
    );
    if (removed > 0) service.log.info("store.orphans_removed", { blobs: removed });
  } catch (error) {
    service.log.warn("store.sweep_failed", { error: describeError(error) });
  }
}
