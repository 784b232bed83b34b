import type { Clock } from "../../core/clock.ts";
import { ServiceError, unavailable } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import { describeError, type Log } from "../../core/log.ts";
import type { Metrics } from "../../core/metrics/metrics.ts";
import type { JournalWatch } from "../journal.ts";
import { keyText } from "../key_text.ts";
import type { RangeCache } from "../range_cache.ts";
import { commitMs, type Connection } from "../remote/connection.ts";
import { isPassingFault, pause } from "../remote/faults.ts";
import type { RowCache } from "../row_cache.ts";
import { shards, type Tx } from "../transaction.ts";
import { Batch, type BatchParts, type PendingTransaction, type Read } from "./batch.ts";
import { Contended } from "./contended.ts";
import { removeDamagedSums } from "./damaged_sums.ts";
import { WriterRow } from "./writer_row.ts";

/** Tables whose keys end with the number of a shard. */
const tablesOfShards: ReadonlySet<Deno.KvKeyPart> = new Set([
  "usage_reserved",
  "mailbox_stats_lanes",
]);

const maxAttempts = 12;
/**
 * On a remote store a transaction that waited this long is refused: its caller would be gone before its commit ends.
 */
const maxWaitMs = 6_000;
/** A commit has at least this long, however long its transactions have waited. */
const leastCommitMs = 1_000;
/** After a wrong assumption "absent", which cost a commit, nothing is assumed for this long. */
const noAssumptionMs = 1_000;

export interface CommitQueueParts {
  connection: Connection;
  rows: RowCache;
  ranges: RangeCache;
  journal: JournalWatch;
  read: Read;
  clock: Clock;
  ids: Ids;
  log: Log;
  metrics: Pick<Metrics, "commitDuration" | "commitSize">;
  /** No other process writes the store. */
  exclusive: boolean;
}

/**
 * The transactions of this process. They run one after another in memory, and the waiting ones are committed together.
 */
export class CommitQueue {
  private readonly waiting: PendingTransaction[] = [];
  private pumping: Promise<void> | null = null;
  /** Wakes `fill`: a transaction waits, or the commit ahead has ended. */
  private wake: (() => void) | null = null;
  private assumesFrom = 0;
  /** On a shared store. */
  private readonly writer: WriterRow | null;
  private readonly contended: Contended;
  private readonly batchParts: BatchParts;

  constructor(private readonly parts: CommitQueueParts) {
    const { exclusive, clock, ids } = parts;
    this.writer = exclusive ? null : new WriterRow(parts.connection, parts);
    this.contended = new Contended(clock);
    this.batchParts = {
      ...{ read: parts.read, exclusive },
      shard: exclusive ? null : ids.bytes(1)[0] % shards,
      contended: (key) => this.contended.has(key),
    };
  }

  /** Whether a row that is not in memory may be assumed to be absent. */
  get assumes(): boolean {
    return this.parts.clock.elapsed() >= this.assumesFrom;
  }

  /** Whether another process wrote rows of the account between a read and a commit of this one in the last minute. */
  isWrittenByOthers(userId: string): boolean {
    return this.contended.hasAccount(userId);
  }

  async transact<R>(body: (tx: Tx) => R | Promise<R>): Promise<R> {
    return await new Promise<R>((resolve, reject) => {
      this.waiting.push({
        body,
        settle: null,
        attempts: 0,
        isSuspect: false,
        fresh: false,
        kept: null,
        since: this.parts.clock.elapsed(),
        resolve: resolve as (v: unknown) => void,
        reject,
      });
      this.wake?.();
      this.pumping ??= this.pump();
    });
  }

  /** Resolves when nothing waits to be committed. */
  async settled(): Promise<void> {
    while (this.pumping) await this.pumping;
  }

  /**
   * Commits batch after batch. While one is committed, the next is filled on top of it; if the first does not become
   * durable, the next runs again.
   *
   * It must end in the same turn of the event loop in which it finds nothing waiting. If it ended one turn later, a
   * transaction that is added in between would rely on this pump and wait forever.
   */
  private async pump(): Promise<void> {
    await null;
    let ahead: InFlightCommit | null = null;
    try {
      while (ahead || this.waiting.length > 0) {
        let next: Batch | null = await this.fill(ahead);
        if (ahead) {
          const { batch, verdict } = ahead;
          const outcome = await verdict;
          if (isDurable(outcome)) next.landed(outcome.versionstamp);
          else {
            this.waiting.unshift(...next.transactions);
            next = null;
          }
          if ("again" in outcome) this.retry(batch, outcome.again);
        }
        ahead = next && next.transactions.length > 0 ? this.launch(next) : null;
      }
    } finally {
      this.pumping = null;
    }
  }

  private launch(batch: Batch): InFlightCommit {
    const commit: InFlightCommit = { batch, over: false, verdict: this.commit(batch) };
    commit.verdict.finally(() => {
      commit.over = true;
      this.wake?.();
    });
    return commit;
  }

  /**
   * Runs waiting transactions into one batch: as many as fit, and those that come while the batch ahead is in flight. A
   * transaction that the database may refuse is alone in its batch.
   */
  private async fill(ahead: InFlightCommit | null): Promise<Batch> {
    const batch = new Batch(this.batchParts, ahead?.batch ?? null);
    while (!batch.full) {
      if (this.waiting.length === 0) {
        if (!ahead || ahead.over) break;
        await new Promise<void>((resolve) => this.wake = resolve);
        continue;
      }
      const pending = this.waiting[0];
      const refusal = this.refusalOf(pending);
      if (refusal) {
        this.waiting.shift();
        pending.reject(unavailable(refusal));
        // The kept runs after it may have read what its run wrote.
        if (pending.kept) { for (const each of this.waiting) each.kept = null; }
        continue;
      }
      const alone = pending.isSuspect && pending.attempts > 1;
      if (alone && batch.transactions.length > 0) break;
      if (alone) await pause(this.parts, 0, 5 * pending.attempts);
      if (!await batch.add(pending)) break;
      this.waiting.shift();
      if (alone) break;
    }
    return batch;
  }

  private refusalOf({ attempts, since }: PendingTransaction): string | null {
    const { connection, clock } = this.parts;
    if (attempts >= maxAttempts) return "Too many writers at once; try again.";
    if (!connection.isRemote || clock.elapsed() - since <= maxWaitMs) return null;
    return "The database does not answer.";
  }

  /** Commits a batch. Unless it is to run again, its callers get their results at once. */
  private async commit(batch: Batch): Promise<Verdict> {
    const { clock, metrics } = this.parts;
    const begunAt = clock.elapsed(), verdict = await this.attempt(batch);
    if (!batch.empty) {
      metrics.commitDuration.observe((clock.elapsed() - begunAt) / 1_000);
      metrics.commitSize.observe(batch.bytes);
    }
    if ("again" in verdict) return verdict;
    if ("error" in verdict) {
      this.parts.log.error("store.commit_failed", {
        transactions: batch.transactions.length,
        error: describeError(verdict.error),
      });
      this.forget(batch);
      for (const pending of batch.transactions) pending.reject(verdict.error);
      return verdict;
    }
    if (verdict.versionstamp) this.learn(batch, verdict.versionstamp);
    this.parts.journal.committed(batch.journal);
    for (const effect of batch.settle()) {
      try {
        effect();
      } catch (error) {
        this.parts.log.error("store.effect_failed", { error: describeError(error) });
      }
    }
    return verdict;
  }

  private async attempt(batch: Batch): Promise<Verdict> {
    if (batch.empty) return { versionstamp: null };
    return this.writer
      ? await this.attemptShared(batch, this.writer)
      : await this.attemptAlone(batch);
  }

  /** One commit of the only writer, retried for a second while the database is locked or full. */
  private async attemptAlone(batch: Batch): Promise<Verdict> {
    const { clock, ids, connection } = this.parts;
    try {
      const result = await connection.commit((kv) =>
        batch.atomic(kv, { now: clock.now(), ids, shared: false }).commit()
      );
      return result.ok ? { versionstamp: result.versionstamp } : { again: null };
    } catch (error) {
      return await this.againOrError(batch, error);
    }
  }

  /** One commit while other processes write. If its answer is lost, its outcome is looked up. */
  private async attemptShared(batch: Batch, writer: WriterRow): Promise<Verdict> {
    const { connection, clock, ids } = this.parts;
    // The commit before may have no known outcome. While that stays open, this one is not sent.
    const open = await writer.settle().then(() => null, (error: unknown) => ({ error }));
    if (open) return open;
    try {
      const waitedMs = clock.elapsed() - Math.min(...batch.transactions.map(({ since }) => since));
      const result = await connection.commit(
        (kv) => writer.mark(batch.atomic(kv, { now: clock.now(), ids, shared: true })).commit(),
        Math.max(leastCommitMs, commitMs - waitedMs),
      );
      if (result.ok) {
        writer.landed(result.versionstamp);
        return { versionstamp: result.versionstamp };
      }
      return await this.afterFailedCheck(batch, writer);
    } catch (error) {
      if (!(error instanceof ServiceError) && !isPassingFault(error)) {
        writer.refused();
        return await this.againOrError(batch, error);
      }
      try {
        const versionstamp = await writer.settle();
        return versionstamp === null ? { error } : { versionstamp };
      } catch {
        return { error };
      }
    }
  }

  /** Distinguishes a commit that was durable before it was repeated from one that lost to another process. */
  private async afterFailedCheck(batch: Batch, writer: WriterRow): Promise<Verdict> {
    const checks = [...batch.checks.values()];
    const { versionstamp, rows } = await writer.readOutcome(checks.map(({ key }) => key));
    if (versionstamp !== null) return { versionstamp };
    const changed = new Set<string>();
    rows.forEach((row, i) => {
      const text = keyText(row.key);
      if (row.versionstamp !== checks[i].versionstamp) {
        changed.add(text);
        this.contended.add(row.key);
        this.leaveShard(row.key);
      }
      this.parts.rows.renew(text, row);
    });
    return { again: changed };
  }

  /** If another process uses the same shard, both wrote its row: this one takes another shard. */
  private leaveShard(changed: Deno.KvKey): void {
    const { batchParts, parts } = this;
    if (!tablesOfShards.has(changed[0]) || changed.at(-1) !== batchParts.shard) return;
    batchParts.shard = parts.ids.bytes(1)[0] % shards;
  }

  /**
   * Repeats a batch after another process wrote. Transactions run again that read a row of `changed`, or what those
   * wrote; others keep their result. If `changed` is null, all rows are read again and all transactions run again.
   */
  private retry(batch: Batch, changed: ReadonlySet<string> | null): void {
    if (batch.hasAssumed(changed)) this.assumesFrom = this.parts.clock.elapsed() + noAssumptionMs;
    if (changed === null) this.forget(batch);
    const all = batch.forRetry(changed);
    for (const pending of all) {
      pending.attempts++;
      pending.isSuspect ||= changed === null;
      pending.fresh = changed === null;
    }
    this.waiting.unshift(...all.filter(({ kept }) => kept), ...all.filter(({ kept }) => !kept));
  }

  /** The database may have refused the batch because of a row that is no number, or of one of its transactions. */
  private async againOrError({ sumKeys, transactions }: Batch, error: unknown): Promise<Verdict> {
    if (error instanceof ServiceError) return { error };
    const { connection, log } = this.parts;
    const mended = await removeDamagedSums(connection, log, sumKeys).catch(() => false);
    return mended || transactions.length > 1 ? { again: null } : { error };
  }

  private learn(batch: Batch, versionstamp: string): void {
    for (const [text, write] of batch.writes) this.parts.rows.learn(text, write, versionstamp);
    this.parts.ranges.forgetRangesOf(batch.writes.values());
  }

  private forget(batch: Batch): void {
    const { rows, ranges } = this.parts;
    for (const text of [...batch.checks.keys(), ...batch.writes.keys()]) rows.forget(text);
    ranges.forgetRangesOf(batch.writes.values());
  }
}

/**
 * How a commit ended: durable (no versionstamp if nothing was written), failed, or to run again; with the keys of the rows
 * that others have changed, if they are known.
 */
type Verdict =
  | { versionstamp: string | null }
  | { error: unknown }
  | { again: ReadonlySet<string> | null };

interface InFlightCommit {
  batch: Batch;
  verdict: Promise<Verdict>;
  over: boolean;
}

function isDurable(verdict: Verdict): verdict is { versionstamp: string | null } {
  return "versionstamp" in verdict;
}
