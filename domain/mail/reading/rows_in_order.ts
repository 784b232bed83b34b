import type { Service } from "../../core/service.ts";
import { TimeSlices } from "../../core/work/time_slices.ts";
import * as keys from "../../store/keys.ts";
import type { EmailRow, StoredRow } from "../record/email_row.ts";
import { readableRow, rowsByIds } from "../record/read_email.ts";

/** The email ids of a range: from `start`, before `end`. */
export interface Bounds {
  start?: string;
  end?: string;
}

/** The most rows of one read. */
const maxRowsAtOnce = 500;
/** The most rows that are decoded without a pause; each has up to 64 KiB. */
const rowsOfSlice = 50;

/**
 * The rows of an account by arrival, in pages, the first of `first` rows; with `mailboxId` those of the mailbox. The rows
 * of an account are one scan. Those of a mailbox are read by their ids, from memory if they were written or read lately
 * (some thousands are kept). The newest page comes from memory until a row of its range is written. `onIds` is called
 * with the ids of each page, before their rows are read.
 */
export async function* rowsInOrder(
  { database, clock }: Service,
  { userId, mailboxId, bounds, reverse }: {
    userId: string;
    mailboxId: string | null;
    bounds: Bounds;
    reverse: boolean;
  },
  first: number,
  onIds: (ids: readonly string[]) => void = () => {},
): AsyncGenerator<EmailRow[]> {
  const prefix = mailboxId ? keys.emailsByMailbox(userId, mailboxId) : keys.emails(userId);
  const slices = new TimeSlices(clock);
  let limit = Math.min(maxRowsAtOnce, first);
  for (let at = bounds;;) {
    const isLast = reverse && at.start === undefined && at.end === undefined;
    const page = isLast
      ? await database.lastRows<unknown>(prefix, limit)
      : await database.collect<unknown>(keys.range(prefix, at), { reverse, limit });
    const ids = page.map(({ key }) => String(key.at(-1)));
    onIds(ids);
    if (mailboxId) {
      const rows: EmailRow[] = [];
      for (let n = 0; n < ids.length; n += rowsOfSlice) {
        rows.push(...await rowsByIds(database, userId, ids.slice(n, n + rowsOfSlice)));
        await slices.next();
      }
      yield rows;
    } else {
      const rows: EmailRow[] = [];
      for (const [n, { value }] of page.entries()) {
        const row = readableRow(database, ids[n], value as StoredRow);
        if (row) rows.push(row);
        await slices.next();
      }
      yield rows;
    }
    if (page.length < limit) return;
    const last = ids[ids.length - 1];
    at = reverse ? { ...at, end: last } : { ...at, start: `${last}\u0000` };
    limit = maxRowsAtOnce;
  }
}
