import { LRUCache } from "lru-cache";
import { keyText } from "./key_text.ts";

/** The most ranges in memory, and the most rows of one: a larger range is read each time. */
const maxRanges = 2_000;
export const maxRowsOfRange = 100;

/** The most last pages in memory, each of at most this many rows: some 60 KB, and if strangers make large rows 6 MB. */
const maxLastPages = 64;
const maxPagesChars = 16 * 2 ** 20;
const maxRowsOfPage = maxRowsOfRange + 1;

type Rows = Deno.KvEntry<unknown>[];

/**
 * Small ranges that every request of an account needs, such as its mailboxes. A range is the rows whose keys differ only
 * in the last part. A write to one of them removes the range, and a range that is being read at that time is not kept.
 */
export class RangeCache {
  private readonly ranges = new Kept(new LRUCache<string, Rows>({ max: maxRanges }));
  private readonly lastPages = new Kept(
    new LRUCache<string, { rows: Rows; limit: number }>({
      max: maxLastPages,
      maxSize: maxPagesChars,
      sizeCalculation: ({ rows }) =>
        rows.reduce((sum, { value }) => sum + (typeof value === "string" ? value.length : 0), 1),
    }),
  );
  /** The tables of all ranges that were read: writes to other tables are ignored. */
  private readonly tables = new Set<Deno.KvKeyPart>();

  /** The rows under `prefix`; if they are not in memory, by `read`. Simultaneous callers share one read. */
  async rows(prefix: Deno.KvKey, read: () => Promise<Rows>): Promise<Rows> {
    this.tables.add(prefix[0]);
    const text = keyText(prefix);
    const { cache, loading } = this.ranges;
    return cache.get(text) ?? await (loading.get(text) ??
      this.ranges.load(text, read(), (rows) => rows.length <= maxRowsOfRange ? rows : null));
  }

  /** The last rows under `prefix`, at most `limit`, in descending order; if they are not in memory, by `read`. */
  async lastRows(prefix: Deno.KvKey, limit: number, read: () => Promise<Rows>): Promise<Rows> {
    if (limit > maxRowsOfPage) return await read();
    this.tables.add(prefix[0]);
    const text = keyText(prefix);
    const known = this.lastPages.cache.get(text);
    const isWhole = known && known.rows.length < known.limit;
    if (known && (isWhole || limit <= known.limit)) return known.rows.slice(0, limit);
    return await this.lastPages.load(text, read(), (rows) => ({ rows, limit }));
  }

  forgetRangesOf(rows: Iterable<{ key: Deno.KvKey }>): void {
    for (const { key } of rows) this.forgetRangeOf(key);
  }

  /** To be called with every key that a commit has written, or may have written. */
  forgetRangeOf(key: Deno.KvKey): void {
    if (!this.tables.has(key[0])) return;
    const text = keyText(key.slice(0, -1));
    this.ranges.forget(text);
    this.lastPages.forget(text);
  }
}

/** Ranges in memory, and the latest read of each that is not. What is forgotten while it is read is not kept. */
class Kept<Value extends object> {
  readonly loading = new Map<string, Promise<Rows>>();

  constructor(readonly cache: LRUCache<string, Value>) {}

  async load(
    text: string,
    reading: Promise<Rows>,
    valueOf: (rows: Rows) => Value | null,
  ): Promise<Rows> {
    this.loading.set(text, reading);
    try {
      const rows = await reading;
      const value = this.loading.get(text) === reading ? valueOf(rows) : null;
      if (value) this.cache.set(text, value);
      return rows;
    } finally {
      if (this.loading.get(text) === reading) this.loading.delete(text);
    }
  }

  forget(text: string): void {
    this.cache.delete(text);
    this.loading.delete(text);
  }
}
