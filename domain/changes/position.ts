import { invalidField } from "../core/errors.ts";

/** A place in the journal of an account: after the first `entries` entries of the row with this versionstamp. */
export interface Position {
  versionstamp: string;
  entries: number;
}

/** Before every row: a versionstamp is 20 hexadecimal digits. */
export const beginning: Position = { versionstamp: "0".repeat(20), entries: 0 };

export function isBefore(a: Position, b: Position): boolean {
  return a.versionstamp < b.versionstamp ||
    (a.versionstamp === b.versionstamp && a.entries < b.entries);
}

/**
 * The cursor of a position, which is also the id of the change before it. Cursors sort as text in the order of the
 * changes.
 */
export function cursorOf({ versionstamp, entries }: Position): string {
  return `${versionstamp}-${String(entries).padStart(4, "0")}`;
}

/** Throws VALIDATION_ERROR for a text that `cursorOf` cannot have made. */
export function readCursor(cursor: string): Position {
  const found = /^([0-9a-f]{20})-(\d{4})$/.exec(cursor);
  if (found) return { versionstamp: found[1], entries: Number(found[2]) };
  throw invalidField("after", "is neither a cursor of this list nor `now`");
}
