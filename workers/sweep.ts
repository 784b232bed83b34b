import { cutActivity } from "../domain/activity/cut_activity.ts";
import { cutAudit } from "../domain/audit/cut_audit.ts";
import { cutJournals } from "../domain/changes/cut_journals.ts";
import { describeError } from "../domain/core/log.ts";
import { deleteOldMail } from "../domain/mail/triage/retention.ts";
import type { Service } from "../domain/core/service.ts";
import { sweepOrphans } from "../domain/store/blobs.ts";
import { removeExpired } from "../domain/store/expiry.ts";

/** No message takes an hour to arrive: an older blob is not being written by another process. */
const orphanMs = 3_600_000;
/** An expired row stays up to a minute longer. Readers check its `expiresAt`. */
const expiredMs = 60_000;
const dayMs = 86_400_000;

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

/** Work that is done again and again while the service runs. */
interface Sweep {
  firstMs: number;
  everyMs: number;
  /** Ends early when `mayGoOn` returns false. Returns how many rows were removed. */
  run(service: Service, mayGoOn: () => boolean): Promise<number>;
}

const sweeps: readonly Sweep[] = [
  {
    firstMs: expiredMs,
    everyMs: expiredMs,
    // On a shared store the database removes expired rows.
    run: ({ database, clock }) =>
      database.exclusive ? removeExpired(database, clock.now()) : Promise.resolve(0),
  },
  {
    firstMs: 20_000,
    everyMs: dayMs,
    run: ({ database, clock }, mayGoOn) => cutJournals(database, clock.now(), mayGoOn),
  },
  {
    firstMs: 20_000,
    everyMs: dayMs,
    run: ({ database, clock }, mayGoOn) => cutAudit(database, clock.now(), mayGoOn),
  },
  {
    firstMs: 25_000,
    everyMs: dayMs,
    run: ({ database, clock }, mayGoOn) => cutActivity(database, clock.now(), mayGoOn),
  },
  {
    // Promised in docs/specification.md "Policies".
    firstMs: 15_000,
    everyMs: dayMs / 4,
    run: deleteOldMail,
  },
];

/** Begins the sweeps. Returns a function that ends them and resolves when none is at work. */
export function sweepRegularly(service: Service): () => Promise<void> {
  const ends = sweeps.map((each) => repeat(service, each));
  return async () => void await Promise.all(ends.map((end) => end()));
}

function repeat(service: Service, { firstMs, everyMs, run }: Sweep): () => Promise<void> {
  const { clock, log } = service;
  let sweeping = Promise.resolve();
  let cancel = () => {};
  let stopped = false;
  const arm = (delayMs: number) => {
    if (!stopped) cancel = clock.wakeIn(delayMs, () => void (sweeping = sweep()));
  };
  const sweep = async () => {
    try {
      const rows = await run(service, () => !stopped);
      if (rows > 0) log.debug("store.expired_removed", { rows });
    } catch (error) {
      // A full disk refuses this too. The rows are still there, so the next sweep tries again.
      log.warn("store.sweep_failed", { error: describeError(error) });
    }
    arm(everyMs);
  };
  arm(firstMs);
  return async () => {
    stopped = true;
    cancel();
    await sweeping;
  };
}
