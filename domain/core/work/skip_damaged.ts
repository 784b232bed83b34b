import { ServiceError } from "../errors.ts";
import type { Log } from "../log.ts";

/**
 * What `read` returns of one row of many. null if it is damaged, such as by a disk or a hand: then `read` throws, and the
 * others are still answered. Damage is logged once a process and row. A ServiceError is no damage, and is thrown.
 */
export function skipDamaged<Row>(
  log: Log,
  row: DamagedRow,
  read: () => Row,
): Row | null {
  try {
    return read();
  } catch (error) {
    return damaged(log, row, error);
  }
}

/** The same for a caller that reads thousands of rows, and catches the error of one by itself. */
export function damaged(log: Log, row: DamagedRow, error: unknown): null {
  if (error instanceof ServiceError) throw error;
  reportDamaged(log, row, error);
  return null;
}

/** What rows say, without those that are damaged. */
export function readableRows<Row, Shown>(
  log: Log,
  rows: readonly Deno.KvEntry<Row>[],
  read: (row: Row) => Shown,
): Shown[] {
  const shown: Shown[] = [];
  for (const { key, value } of rows) {
    try {
      shown.push(read(value));
    } catch (error) {
      damaged(log, { table: String(key[0]), id: String(key.at(-1)) }, error);
    }
  }
  return shown;
}

/** The table of a row, and the id by which its owner knows it. */
export interface DamagedRow {
  table: string;
  id: string;
}

export function reportDamaged(log: Log, { table, id }: DamagedRow, error: unknown): void {
  const known = reported.get(log) ?? new Set();
  reported.set(log, known);
  if (known.has(`${table} ${id}`)) return;
  if (known.size >= maxReported) known.clear();
  known.add(`${table} ${id}`);
  // Not the message: that of a parser quotes what it has read.
  log.error("store.row_damaged", { table, id, error: error instanceof Error ? error.name : "" });
}

const maxReported = 1_000;
const reported = new WeakMap<Log, Set<string>>();
