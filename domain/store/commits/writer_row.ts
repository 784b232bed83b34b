import type { Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import { unavailable } from "../../core/errors.ts";
import { TookTooLong, within } from "../../core/work/within.ts";
import * as keys from "../keys.ts";
import type { Connection } from "../remote/connection.ts";

/** The database removes a row that was not written for this long: its process is gone. */
const lastsMs = 86_400_000;
/** How long to look for the outcome of a commit. With the deadline of the commit itself, callers wait 7.5 s at most. */
const settleMs = 2_500;
const settleReadMs = 1_500;

/**
 * The row that every commit of this process checks and sets on a shared store. Only this process writes it, one commit
 * after another. If the answer to a commit was lost, the row shows the outcome: it has the number of a durable commit.
 * Setting the row also voids a commit that may still be on its way.
 */
export class WriterRow {
  private readonly key: Deno.KvKey;
  /** The last commit that is known to be durable. */
  private number = 0;
  private versionstamp: string | null = null;
  /** The commit after it was sent, and may or may not become durable. */
  private uncertain = false;
  /** The look for its outcome; it can take longer than its callers wait. */
  private settling: Promise<string | null> | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly parts: { clock: Clock; ids: Ids },
  ) {
    this.key = keys.commits(parts.ids.random());
  }

  /** Adds the row to the next commit. */
  mark(atomic: Deno.AtomicOperation): Deno.AtomicOperation {
    this.uncertain = true;
    return this.set(atomic);
  }

  /** To be called when the marked commit is durable. */
  landed(versionstamp: string): void {
    this.number++;
    this.versionstamp = versionstamp;
    this.uncertain = false;
  }

  /** To be called if the marked commit was refused and cannot become durable any more. */
  refused(): void {
    this.uncertain = false;
  }

  /**
   * After a check failed: reads the row, and `others` with it. Returns the versionstamp of the marked commit if it was
   * durable before, else null; then it will not become durable.
   */
  async readOutcome(
    others: readonly Deno.KvKey[],
  ): Promise<{ versionstamp: string | null; rows: Deno.KvEntryMaybe<unknown>[] }> {
    const [own, ...rows] = await readTogether(this.connection, [this.key, ...others]);
    return { versionstamp: this.take(own), rows };
  }

  /**
   * Finds out about a commit without an answer: returns its versionstamp if it is durable; else makes it void and returns
   * null. Throws SERVICE_UNAVAILABLE if the database does not answer; then the outcome is still open.
   */
  async settle(): Promise<string | null> {
    if (!this.uncertain && !this.settling) return null;
    // Two at once would take each other's rows for those of later commits.
    this.settling ??= this.readOrVoid().finally(() => this.settling = null);
    return await within(this.parts.clock, this.settling, settleMs).catch((error) => {
      throw error instanceof TookTooLong ? unavailable("The database does not answer.") : error;
    });
  }

  private async readOrVoid(): Promise<string | null> {
    for (;;) {
      const [own] = await readTogether(this.connection, [this.key], settleReadMs);
      const landed = this.take(own);
      if (landed !== null) return landed;
      this.uncertain = true;
      // The number after the next one: a row with the next one is the commit in question.
      const voiding = this.number + 2;
      const { ok } = await this.connection.commit(
        (kv) => this.set(kv.atomic(), voiding).commit(),
        settleReadMs,
      );
      // If this commit was lost and repeated, its own check failed: the row says so.
      const [now] = await readTogether(this.connection, [this.key], settleReadMs);
      if (ok || numberOf(now) === voiding) {
        this.number = voiding;
        this.versionstamp = now.versionstamp;
        this.uncertain = false;
        return null;
      }
    }
  }

  /** Adopts the content of the row. */
  private take(own: Deno.KvEntryMaybe<unknown>): string | null {
    const isMine = numberOf(own) === this.number + 1;
    this.versionstamp = own.versionstamp;
    this.uncertain = false;
    if (isMine) this.number++;
    return isMine ? own.versionstamp : null;
  }

  private set(atomic: Deno.AtomicOperation, number = this.number + 1): Deno.AtomicOperation {
    return atomic.check({ key: this.key, versionstamp: this.versionstamp })
      .set(this.key, number, { expireIn: lastsMs });
  }
}

function numberOf({ value }: Deno.KvEntryMaybe<unknown>): number | null {
  return typeof value === "number" ? value : null;
}

/** Rows as they are stored now, read at the same time, ten in a request. */
export async function readTogether(
  connection: Connection,
  rows: readonly Deno.KvKey[],
  deadlineMs?: number,
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const pages = Array.from(
    { length: Math.ceil(rows.length / 10) },
    (_, page) => rows.slice(page * 10, page * 10 + 10),
  );
  const found = await Promise.all(
    pages.map((page) => connection.read((kv) => kv.getMany(page), deadlineMs)),
  );
  return found.flat();
}
