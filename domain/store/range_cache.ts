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
  private readonly ranges = new LRUCache<string, Rows>({ max: maxRanges });
  private readonly loading = new Map<string, Promise<Rows>>();
  private readonly lastPages = new LRUCache<string, { rows: Rows; limit: number }>({
    max: maxLastPages,
    maxSize: maxPagesChars,
    sizeCalculation: ({ rows }) =>
      rows.reduce((sum, { value }) => sum + (typeof value === "string" ? value.length : 0), 1),
  });
  /** The latest read of the last rows of each range. */
  private readonly loadingLast = new Map<string, Promise<Rows>>();
  /** The tables of all ranges that were read: writes to other tables are ignored. */
  private readonly tables = new Set<Deno.KvKeyPart>();

  /** The rows under `prefix`; if they are not in memory, by `read`. Simultaneous callers share one read. */
  async rows(prefix: Deno.KvKey, read: () => Promise<Rows>): Promise<Rows> {
    this.tables.add(prefix[0]);
    const text = keyText(prefix);
    const known = this.ranges.get(text);
    if (known) return known;
    const sharing = this.loading.get(text);
    if (sharing) return await sharing;
    const loading = read();
    this.loading.set(text, loading);
    try {
      const rows = await loading;
      if (this.loading.get(text) === loading && rows.length <= maxRowsOfRange) {
        this.ranges.set(text, rows);
      }
      return rows;
    } finally {
      if (this.loading.get(text) === loading) this.loading.delete(text);
    }
  }

  /** The last rows under `prefix`, at most `limit`, in descending order; if they are not in memory, by `read`. */
  async lastRows(prefix: Deno.KvKey, limit: number, read: () => Promise<Rows>): Promise<Rows> {
    if (limit > maxRowsOfPage) return await read();
    this.tables.add(prefix[0]);
    const text = keyText(prefix);
    const known = this.lastPages.get(text);
    const isWhole = known && known.rows.length < known.limit;
    if (known && (isWhole || limit <= known.limit)) return known.rows.slice(0, limit);
    const loading = read();
    this.loadingLast.set(text, loading);
    try {
      const rows = await loading;
      if (this.loadingLast.get(text) === loading) this.lastPages.set(text, { rows, limit });
      return rows;
    } finally {
      if (this.loadingLast.get(text) === loading) this.loadingLast.delete(text);
    }
  }

  forgetRangesOf(rows: Iterable<{ key: Deno.KvKey }>): void {
    for (const { key } of rows) this.forgetRangeOf(key);
  }

  /** To be called with every key that a commit has written, or may have written. */
  forgetRangeOf(key: Deno.KvKey): void {
    if (!this.tables.has(key[0])) return;
    const text = keyText(key.slice(0, -1));
    this.ranges.delete(text);
    this.loading.delete(text);
    this.lastPages.delete(text);
    this.loadingLast.delete(text);
  }
}
