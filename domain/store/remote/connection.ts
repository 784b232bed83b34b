import type { Clock } from "../../core/clock.ts";
import { isUnavailable, unavailable } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { TookTooLong, within } from "../../core/work/within.ts";
import * as keys from "../keys.ts";
import { faultsToUnavailable, pause, type RetryParts } from "./faults.ts";

/** How long a remote database has for one call, ms. */
export const readMs = 3_000;
export const commitMs = 5_000;
/** While the database is away, a call waits this long for its return, then it is refused. */
const patienceMs = 1_000;
/** How long a new handle has to open, and to read a row. */
const probeMs = 1_000;
/**
 * Deno's client repeats a read without an answer four times a second, without end. So a second read is sent only after
 * this time: rarely, the first one is never answered and another one would be.
 */
const probeAgainMs = 60_000;
/** After this time, the reads of a handle that was replaced have ended. */
const replacedMs = 10_000;

export interface ConnectionParts extends RetryParts {
  clock: Pick<Clock, "elapsed" | "after">;
  log: Log;
}

/**
 * The handles of the database. Calls of a local one are retried for a second while it is locked or full. Each call of a
 * remote one also has a deadline, because Deno's client repeats a request without end. It is retried for 3 s; a call that
 * misses its deadline is SERVICE_UNAVAILABLE, and the next ones are refused until a new handle reads a row.
 */
export class Connection {
  /** Ends when the database is back. */
  private returning: Promise<void> | null = null;
  /** When it was last back, by `Clock.elapsed`. */
  private backAt = -Infinity;
  private closed = false;
  private readonly endings = new Set<() => void>();

  constructor(
    private handle: Deno.Kv,
    private readonly parts: ConnectionParts,
    private readonly options: {
      /** A second handle of a local database, for reads. */
      reader?: Deno.Kv;
      /** Opens another handle of a remote database. Absent for a local one. */
      reopen?: () => Promise<Deno.Kv>;
    } = {},
  ) {}

  get isRemote(): boolean {
    return this.options.reopen !== undefined;
  }

  /** Whether the database has not been away in the last `ms`, as far as this process met it. */
  hasAnsweredFor(ms: number): boolean {
    return this.returning === null && this.parts.clock.elapsed() - this.backAt >= ms;
  }

  /** Throws SERVICE_UNAVAILABLE. */
  async read<T>(work: (kv: Deno.Kv) => Promise<T>, deadlineMs: number = readMs): Promise<T> {
    return await this.call((kv) => work(this.options.reader ?? kv), deadlineMs);
  }

  /**
   * Throws SERVICE_UNAVAILABLE; the commit may then still become durable. `work` runs again after a fault, so it must
   * make the same commit.
   */
  async commit<T>(work: (kv: Deno.Kv) => Promise<T>, deadlineMs: number = commitMs): Promise<T> {
    return await this.call(work, deadlineMs);
  }

  /** The first `limit` rows of a range after the cursor, in key order (or reversed). Throws SERVICE_UNAVAILABLE. */
  async page<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions & { limit: number },
  ): Promise<{ rows: Deno.KvEntry<T>[]; cursor: string }> {
    return await this.read(async (kv) => {
      const list = kv.list<T>(selector, { ...options, batchSize: Math.min(options.limit, 500) });
      const rows = await Array.fromAsync(list);
      return { rows, cursor: rows.length === options.limit ? list.cursor : "" };
    });
  }

  close(): void {
    this.closed = true;
    for (const end of this.endings) end();
    this.handle.close();
    if (this.options.reader && this.options.reader !== this.handle) this.options.reader.close();
  }

  private async call<T>(work: (kv: Deno.Kv) => Promise<T>, deadlineMs: number): Promise<T> {
    if (!this.isRemote) return await faultsToUnavailable(this.parts, () => work(this.handle));
    const { clock } = this.parts;
    const endsAt = clock.elapsed() + deadlineMs;
    if (this.returning) {
      await within(clock, this.returning, Math.min(patienceMs, deadlineMs)).catch(() => {
        throw unavailable("The database does not answer.");
      });
    }
    const left = () => Math.max(1, endsAt - clock.elapsed());
    try {
      return await faultsToUnavailable(
        this.parts,
        () => within(clock, work(this.handle), left()),
        Math.min(left(), readMs),
      );
    } catch (error) {
      if (!(error instanceof TookTooLong) && !isUnavailable(error)) throw error;
      this.leave();
      throw unavailable("The database does not answer.");
    }
  }

  private leave(): void {
    if (this.returning || this.closed) return;
    const { log, clock } = this.parts;
    const leftAt = clock.elapsed();
    log.warn("store.away");
    this.returning = this.comeBack().finally(() => {
      this.returning = null;
      this.backAt = clock.elapsed();
      log.info("store.back", { away_ms: Math.round(clock.elapsed() - leftAt) });
    });
  }

  /** Tries new handles until one reads a row, and takes it: the old one may wait on a dead connection, or for its token. */
  private async comeBack(): Promise<void> {
    const { clock } = this.parts;
    let probe: Promise<Deno.Kv> | null = null;
    let probedAt = -Infinity;
    while (!this.closed) {
      if (probe === null || clock.elapsed() - probedAt > probeAgainMs) {
        const opened = await this.openInTime();
        if (opened) {
          probedAt = clock.elapsed();
          closeLate(probe);
          probe = proved(opened);
        }
      }
      if (probe) {
        try {
          return this.replaceBy(await within(clock, probe, probeMs));
        } catch (error) {
          // One that was refused is over, and the next may be sent at once.
          if (!(error instanceof TookTooLong)) probe = null;
        }
      }
      await pause(this.parts, 100, 300);
    }
    closeLate(probe);
  }

  private async openInTime(): Promise<Deno.Kv | null> {
    const opening = this.options.reopen!();
    return await within(this.parts.clock, opening, probeMs).catch(() => {
      closeLate(opening);
      return null;
    });
  }

  private replaceBy(fresh: Deno.Kv): void {
    const old = this.handle;
    this.handle = fresh;
    if (this.closed) return fresh.close();
    const end = () => {
      cancel();
      this.endings.delete(end);
      old.close();
    };
    const cancel = this.parts.clock.after(replacedMs, end);
    this.endings.add(end);
  }
}

/** The handle as soon as it has read a row. One whose read fails is closed. */
async function proved(handle: Deno.Kv): Promise<Deno.Kv> {
  try {
    await handle.get(keys.mark("health"));
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** Closes a handle that comes when it is no longer needed. */
function closeLate(handle: Promise<Deno.Kv> | null): void {
  handle?.then((late) => late.close(), () => {});
}
