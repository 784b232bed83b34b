import type { Call } from "../../core/operation.ts";
import type { Reads } from "./reads.ts";
import { TimeSlices } from "../../core/work/time_slices.ts";
import * as keys from "../../store/keys.ts";
import type { EmailRow, StoredRow } from "../record/email_row.ts";
import { readableRow, rowsByIds } from "../record/read_email.ts";

/** The email ids of a range: from `start`, before `end`. */
export interface Bounds {
  start?: string;
  end?: string;
}

/** The most rows of one read: as many as have about 2 MB, if they are as large as those before, and so many at first. */
const maxRowsAtOnce = 500;
const charsAtOnce = 2_000_000;
const maxFirstRows = 101;
/** The most rows that are decoded and in memory at a time, as a page of a hundred: each has up to 64 KiB. */
const rowsOfSlice = maxFirstRows;
/** Rows with so many characters take far less than a slice: to read the clock for each row cost a fifth of a page. */
const charsBetweenLooks = 32_000;
/** A page of a hundred usual rows has 60,000 characters. */
const largePageChars = 256_000;

/**
 * The rows of an account by arrival, in pages; with `mailboxId` those of the mailbox. `first` rows are read at first. The
 * rows of an account are one scan. Those of a mailbox are read by their ids, from memory if they were written or read
 * lately (some thousands are kept). The newest rows come from memory until a row of the range is written. `onIds` is
 * called with the ids of each read, before their rows are read; `reserve` if a page is large, before its rows are decoded: a
 * hundred pages of 1.4 million characters took 550 MB.
 */
export async function* rowsInOrder(
  { database, clock }: Reads,
  { userId, mailboxId, bounds, reverse }: {
    userId: string;
    mailboxId: string | null;
    bounds: Bounds;
    reverse: boolean;
  },
  first: number,
  onIds: (ids: readonly string[]) => void = () => {},
  reserve: Call["reserve"] = undefined,
): AsyncGenerator<EmailRow[]> {
  const prefix = mailboxId ? keys.emailsByMailbox(userId, mailboxId) : keys.emails(userId);
  const slices = new TimeSlices(clock, userId);
  let limit = Math.min(maxFirstRows, first);
  for (let at = bounds;;) {
    const isLast = reverse && at.start === undefined && at.end === undefined;
    const page = isLast
      ? await database.lastRows<unknown>(prefix, limit)
      : await database.collect<unknown>(keys.range(prefix, at), { reverse, limit });
    const ids = page.map(({ key }) => String(key.at(-1)));
    onIds(ids);
    const stored = mailboxId ? 0 : charsOfAll(page.map(({ value }) => value as StoredRow));
    if (stored > largePageChars) {
      await reserve?.(stored);
      // An answer has no more rows than a page. Who held one page and waited for the next would keep others waiting.
      reserve = undefined;
    }
    for (let n = 0; n < page.length; n += rowsOfSlice) {
      const some = ids.slice(n, n + rowsOfSlice);
      await slices.next();
      if (mailboxId) {
        yield await rowsByIds(database, userId, some);
        continue;
      }
      const rows: EmailRow[] = [];
      let chars = 0;
      for (const [k, emailId] of some.entries()) {
        const stored = page[n + k].value as StoredRow;
        const row = readableRow(database, emailId, stored);
        if (row) rows.push(row);
        chars += charsOf(stored);
        if (chars < charsBetweenLooks) continue;
        chars = 0;
        await slices.next();
      }
      yield rows;
    }
    if (page.length < limit) return;
    const last = ids[ids.length - 1];
    at = reverse ? { ...at, end: last } : { ...at, start: `${last}\u0000` };
    limit = mailboxId ? maxRowsAtOnce : rowsAtOnce(page.map(({ value }) => value as StoredRow));
  }
}

function charsOfAll(rows: readonly StoredRow[]): number {
  return rows.reduce((sum, row) => sum + charsOf(row), 0);
}

function rowsAtOnce(before: readonly StoredRow[]): number {
  const chars = charsOfAll(before);
  return Math.max(1, Math.min(maxRowsAtOnce, Math.floor(charsAtOnce * before.length / chars)));
}

function charsOf(row: StoredRow): number {
  return typeof row === "string" ? row.length : 64_000;
}
