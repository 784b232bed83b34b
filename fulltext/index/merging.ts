import type { DatabaseSync } from "node:sqlite";
import type { Account } from "./account.ts";
import { inTransaction, prepared } from "./database.ts";
import { type BlockStore, mergeSegments, type Segment, SegmentWriter } from "./segment.ts";

/** This many neighbouring segments of one level become one of the next level. */
const fanIn = 8;
/** A segment is rewritten when more than this share of its documents is removed. */
const wornShare = 0.25;
/** A search waits for one step at most. */
const stepMs = 8;

/**
 * Merges the segments of accounts, in small steps between other calls. Searches do not see an
 * unfinished merge; after a restart it begins again.
 */
export class Merging {
  private readonly waiting = new Set<Account>();
  private task:
    | { account: Account; segments: Segment[]; writer: SegmentWriter; steps: Generator<void> }
    | null = null;

  constructor(
    readonly db: DatabaseSync,
    readonly blocks: BlockStore,
    readonly nextSegment: () => number,
    readonly elapsed: () => number,
  ) {}

  /** To be called when an account has changed. */
  consider(account: Account) {
    if (account.segments.length > 0) this.waiting.add(account);
  }

  isBusyWith(account: Account): boolean {
    return this.task?.account === account || this.waiting.has(account);
  }

  stop() {
    this.task = null;
    this.waiting.clear();
  }

  /** Merges for about 8 ms; returns whether there is more to do. */
  step(): boolean {
    if (!this.task && !this.begin()) return false;
    inTransaction(this.db, () => {
      const until = this.elapsed() + stepMs;
      while (this.task && this.elapsed() < until) {
        if (this.task.steps.next().done) this.finish();
      }
    });
    return this.task !== null || this.waiting.size > 0;
  }

  private begin(): boolean {
    for (const account of this.waiting) {
      const segments = due(account);
      if (segments) {
        const writer = new SegmentWriter(this.blocks, this.nextSegment());
        const steps = mergeSegments(this.blocks, segments, writer, () => account.columns.isLive);
        this.task = { account, segments, writer, steps };
        return true;
      }
      this.waiting.delete(account);
    }
    return false;
  }

  private finish() {
    const { account, segments, writer } = this.task!;
    this.task = null;
    const first = segments[0].firstDocument;
    const span = segments.reduce((sum, { span }) => sum + span, 0);
    const level = segments[0].level + (segments.length > 1 ? 1 : 0);
    const written = segments.reduce((sum, { written }) => sum + written, 0);
    const live = account.columns.liveBetween(first, first + span);
    for (const { segment } of segments) {
      prepared(this.db, "delete from segments where segment = ?").run(segment);
      prepared(this.db, "delete from blocks where segment = ?").run(segment);
    }
    prepared(this.db, "insert into segments values (?, ?, ?, ?, ?, ?, ?)").run(
      writer.segment,
      account.id,
      first,
      span,
      live,
      level,
      writer.stems.bytes(),
    );
    account.loadSegments();
    // The stems of removed documents count no more.
    if (live < written || writer.stems.hasForgotten) account.loadWords();
  }
}

/** The segments of an account that should become one, or null. */
function due({ segments, columns }: Account): Segment[] | null {
  for (let n = 0; n + fanIn <= segments.length; n++) {
    const run = segments.slice(n, n + fanIn);
    if (run.every(({ level }) => level === run[0].level)) return run;
  }
  for (const segment of segments) {
    const { firstDocument, span, written } = segment;
    const live = columns.liveBetween(firstDocument, firstDocument + span);
    if (written - live > wornShare * written) return [segment];
  }
  return null;
}
