import { removeUnusedClients } from "../domain/apps/registered_client.ts";
import { cutActivity } from "../domain/activity/counters.ts";
import { boundAudit, cutAudit } from "../domain/audit/bound_audit.ts";
import { boundJournals, cutJournals } from "../domain/changes/bound_journals.ts";
import { describeError } from "../domain/core/log.ts";
import { deleteOldMail } from "../domain/mail/manage/retention.ts";
import type { Service } from "../domain/core/service.ts";
import { sweepOrphans } from "../domain/store/blobs.ts";
import { removeExpired } from "../domain/store/expiry.ts";
import { endOverdueUploads } from "../domain/uploads/upload.ts";

/** No message takes an hour to arrive: an older blob is not being written by another process. */
const orphanMs = 3_600_000;
/** An expired row stays up to a minute longer. Readers check its `expiresAt`. */
const expiredMs = 60_000;
/** Marks by cookie can add 300,000 changes in this time. */
const boundedMs = 600_000;
/** The pause after a sweep that failed. */
const againMs = 60_000;
const dayMs = 86_400_000;

/** Work that is done again and again while the service runs. */
interface Sweep {
  firstMs: number;
  everyMs: number;
  /**
   * Ends early when `mayGoOn` returns false; `startedAt` is when the sweeps began, ms since 1970. Returns how many rows
   * were removed.
   */
  run(service: Service, mayGoOn: () => boolean, startedAt: number): Promise<number>;
}

const sweeps: readonly Sweep[] = [
  {
    firstMs: 0,
    everyMs: orphanMs,
    async run({ database, clock, log }, mayGoOn, startedAt) {
      const now = clock.now(), old = now - orphanMs;
      // Nobody else writes to a local store: what was begun before this process is an orphan. If the clock was set back
      // since its start, what arrives now looks as if it was begun before.
      const isOwn = database.exclusive && startedAt <= now;
      const before = isOwn ? Math.max(startedAt, old) : old;
      const blobs = await sweepOrphans(database, before, mayGoOn);
      if (blobs > 0) log.info("store.orphans_removed", { blobs });
      return 0;
    },
  },
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
  { firstMs: boundedMs, everyMs: boundedMs, run: boundJournals },
  { firstMs: boundedMs, everyMs: boundedMs, run: boundAudit },
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
  { firstMs: 30_000, everyMs: dayMs, run: removeUnusedClients },
  {
    // Promised in docs/specification.md "Policies".
    firstMs: 15_000,
    everyMs: dayMs / 4,
    run: deleteOldMail,
  },
  {
    // Promised in docs/specification.md "Uploads".
    firstMs: 30_000,
    everyMs: orphanMs / 4,
    run: endOverdueUploads,
  },
];

/** Begins the sweeps. Returns a function that ends them and resolves when none is at work. */
export function sweepRegularly(service: Service): () => Promise<void> {
  const ends = sweeps.map((each) => repeat(service, each));
  return async () => void await Promise.all(ends.map((end) => end()));
}

function repeat(service: Service, { firstMs, everyMs, run }: Sweep): () => Promise<void> {
  const { clock, log } = service;
  const startedAt = clock.now();
  let sweeping = Promise.resolve();
  let cancel = () => {};
  let stopped = false;
  const arm = (delayMs: number) => {
    if (!stopped) cancel = clock.wakeIn(delayMs, () => void (sweeping = sweep()));
  };
  const sweep = async () => {
    let nextMs = everyMs;
    try {
      const rows = await run(service, () => !stopped, startedAt);
      if (rows > 0) log.debug("store.expired_removed", { rows });
    } catch (error) {
      // A full disk refuses this too. The rows are still there, and what is done once a day does not wait a day for them.
      log.warn("store.sweep_failed", { error: describeError(error) });
      nextMs = Math.min(everyMs, againMs);
    }
    arm(nextMs);
  };
  arm(firstMs);
  return async () => {
    stopped = true;
    cancel();
    await sweeping;
  };
}
