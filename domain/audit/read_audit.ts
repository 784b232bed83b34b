import { firstIdAt, timeOfId } from "../core/ids.ts";
import { skipDamaged } from "../core/work/skip_damaged.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type AuditEntry, maxSpanMs, readEntries, type StoredEntries } from "./entry.ts";

/** How long a call can be read, ms. */
export const auditKeptMs = 90 * 86_400_000;

/** The most entries that one page looks at; a filter may let few of them pass. */
const maxLookedAt = 20_000;

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** The id of the last entry that was looked at; null if there was none. */
  last: string | null;
  hasMore: boolean;
}

/**
 * The entries of an account for which `passes` is true, at most `limit`, newest first; with `before` only those below this
 * id. A page of many entries that do not pass ends early, with `hasMore`.
 */
export async function readAudit(
  database: Database,
  userId: string,
  { before, limit, now, passes }: {
    before: string | null;
    limit: number;
    now: number;
    passes: (entry: AuditEntry) => boolean;
  },
): Promise<AuditPage> {
  const page: AuditPage = { entries: [], last: before, hasMore: false };
  let left = maxLookedAt;
  for await (const entry of newestFirst(database, userId, before, now)) {
    const passed = passes(entry);
    if (left-- <= 0 || (passed && page.entries.length === limit)) return { ...page, hasMore: true };
    page.last = entry.auditId;
    if (passed) page.entries.push(entry);
  }
  return page;
}

/**
 * A row's key is the id of its newest entry. Rows overlap in time: an entry is returned once no row that follows can
 * have a newer one.
 */
async function* newestFirst(
  database: Database,
  userId: string,
  before: string | null,
  now: number,
): AsyncGenerator<AuditEntry> {
  const start = firstIdAt(now - auditKeptMs);
  const end = before === null ? undefined : firstIdAt(timeOfId(before) + maxSpanMs + 1);
  // The cursor of a walk that paused for long; the database refuses a range that ends before it begins.
  if (end !== undefined && end <= start) return;
  const rows = database.list<StoredEntries>(keys.range(keys.auditRows(userId), { start, end }), {
    reverse: true,
    batchSize: 100,
  });
  let held: AuditEntry[] = [];
  for await (const { key, value } of rows) {
    const newest = key.at(-1) as string;
    while (held.length > 0 && held[0].auditId > newest) yield held.shift()!;
    const about = { table: "audit", id: newest };
    const stored = skipDamaged(database.log, about, () => readEntries(value)) ?? [];
    const entries = stored.filter(({ auditId }) =>
      auditId >= start && (before === null || auditId < before)
    );
    held = [...held, ...entries].sort((a, b) => a.auditId > b.auditId ? -1 : 1);
  }
  yield* held;
}
