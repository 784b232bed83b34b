import type { Clock } from "../core/clock.ts";
import type { Connection } from "./remote/connection.ts";
import * as keys from "./keys.ts";

/** Entries that one commit adds to the journal of an account. */
export interface JournalRow {
  /** When the commit was made, ms since 1970, by the clock of its process. */
  at: number;
  /** What was appended, as JSON, in order. */
  entries: string[];
}

/** The entries of a row; none if it is damaged. */
export function entriesOf(row: JournalRow | null): readonly string[] {
  return Array.isArray(row?.entries) ? row.entries : [];
}

/** A value of Deno KV has 65,536 bytes: a byte a character, or two if any is beyond Latin-1. */
export const maxJournalRowChars = 30_000;

/** The database removes a row that says which accounts have news after this time. */
const newsMs = 60_000;
/** After a gap of half of it, rows may be gone that were not seen. */
const longestGapMs = newsMs / 2;
/** How often an instance looks for commits of the others while one of its requests waits. */
const lookMs = 900;
/** Commits that are read at a time; the next look reads more. */
const maxNewsPerLook = 1_000;

/**
 * Adds the journal rows of a commit. The key of a row ends with the versionstamp of its commit, which the database sets:
 * so rows stand in the order of commits, over several instances too. On a shared store one more row says which accounts
 * have news; it is removed after a minute.
 */
export function writeJournal(
  atomic: Deno.AtomicOperation,
  kv: Deno.Kv,
  journal: ReadonlyMap<string, readonly string[]>,
  { now, shared }: { now: number; shared: boolean },
): void {
  if (journal.size === 0) return;
  // The type of a key part does not know the symbol that stands for the versionstamp.
  const versionstamp = kv.commitVersionstamp() as unknown as string;
  for (const [userId, entries] of journal) {
    if (entries.length === 0) continue;
    const row: JournalRow = { at: now, entries: [...entries] };
    atomic.set(keys.journalRow(userId, versionstamp), row);
  }
  if (shared) {
    atomic.set(keys.journalNews(versionstamp), [...journal.keys()], { expireIn: newsMs });
  }
}

/**
 * Wakes those who wait for the journal of an account: at once after a commit of this process, and within a second after
 * one of another instance. Nobody who waits has a timer or a read of its own.
 */
export class JournalWatch {
  /** The entries that this process added to journals since they were last counted, by account. */
  readonly appended = new Map<string, number>();
  private readonly watchers = new Map<string, Set<() => void>>();
  /** The newest commit of any instance that was seen; null before the first look. */
  private seen: string | null = null;
  /** When all news had been seen, by `Clock.now` and `Clock.elapsed`: one may stand still while the machine sleeps. */
  private seenAt = { now: 0, elapsed: 0 };
  private looking = false;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly options: { shared: boolean },
  ) {}

  /** Calls `wake` after each commit that may have news for the account, until the returned function is called. */
  watch(userId: string, wake: () => void): () => void {
    const watchers = this.watchers.get(userId) ?? new Set();
    this.watchers.set(userId, watchers);
    watchers.add(wake);
    if (this.options.shared && !this.looking) this.lookLater();
    return () => {
      watchers.delete(wake);
      if (watchers.size === 0 && this.watchers.get(userId) === watchers) {
        this.watchers.delete(userId);
      }
    };
  }

  /** A commit of this process has added these entries to the journals of these accounts. */
  committed(journal: ReadonlyMap<string, readonly string[]>): void {
    for (const [userId, { length }] of journal) {
      if (length > 0) this.appended.set(userId, (this.appended.get(userId) ?? 0) + length);
      this.wake(userId);
    }
  }

  /** Wakes all who watch the account. */
  wake(userId: string): void {
    for (const wake of [...this.watchers.get(userId) ?? []]) wake();
  }

  private lookLater(): void {
    this.looking = true;
    this.clock.after(lookMs, () => void this.look());
  }

  private async look(): Promise<void> {
    try {
      if (this.watchers.size > 0) await this.readNews();
    } catch {
      // The database does not answer: the next look continues from the same place, unless its news may be gone by then.
    }
    this.looking = false;
    // Nobody waits: the next watcher starts again at the end.
    if (this.watchers.size > 0) this.lookLater();
    else this.seen = null;
  }

  private async readNews(): Promise<void> {
    const { clock } = this;
    const begunAt = { now: clock.now(), elapsed: clock.elapsed() };
    const { seenAt } = this;
    const gapMs = Math.max(begunAt.now - seenAt.now, begunAt.elapsed - seenAt.elapsed);
    if (this.seen === null || gapMs > longestGapMs) {
      const [last] = await this.rows({ prefix: keys.allJournalNews() }, {
        reverse: true,
        limit: 1,
      });
      this.seen = last ? last.key.at(-1) as string : "";
      this.seenAt = begunAt;
      // What was committed before this place was known may have been missed.
      for (const userId of [...this.watchers.keys()]) this.wake(userId);
      return;
    }
    const selector = keys.range(keys.allJournalNews(), { start: `${this.seen}\u0000` });
    const news = await this.rows(selector, { limit: maxNewsPerLook });
    this.seen = (news.at(-1)?.key.at(-1) ?? this.seen) as string;
    if (news.length < maxNewsPerLook) this.seenAt = begunAt;
    const accounts = new Set(news.flatMap(({ value }) => value));
    for (const userId of accounts) this.wake(userId);
  }

  private async rows(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions & { limit: number },
  ): Promise<Deno.KvEntry<string[]>[]> {
    return (await this.connection.page<string[]>(selector, options)).rows;
  }
}
