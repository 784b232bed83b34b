import { LRUCache } from "lru-cache";
import { keyText } from "./key_text.ts";

/** Ranges kept in memory, and the rows of one at most: what is larger is read each time. */
const maxRanges = 2_000;
export const maxRowsOfRange = 100;

type Rows = Deno.KvEntry<unknown>[];

/**
 * Small ranges that every request of an account asks for, such as its mailboxes. A range is the rows that share all of
 * their key but the last part; a write to any of them forgets it, and one that is being read meanwhile is not kept.
 */
export class RangeCache {
  private readonly ranges = new LRUCache<string, Rows>({ max: maxRanges });
  private readonly loading = new Map<string, Promise<Rows>>();
  /** The tables that any range has been asked of: writes to others are none of its business. */
  private readonly tables = new Set<Deno.KvKeyPart>();

  /** The rows under `prefix`, by `read` where they are not known; those who ask at once share a read. */
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

  /** To be told of every key that a commit has, or may have, written. */
  forgetRangeOf(key: Deno.KvKey): void {
    if (!this.tables.has(key[0])) return;
    const text = keyText(key.slice(0, -1));
    this.ranges.delete(text);
    this.loading.delete(text);
  }
}
