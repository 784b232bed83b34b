import { clockSlackMs } from "../../core/clock.ts";
import { firstIdAt } from "../../core/ids.ts";
import type { Reads } from "../read/reads.ts";
import { TimeSlices } from "../../core/work/time_slices.ts";
import { type Bounds, rowsInOrder } from "../read/rows_in_order.ts";
import type { EmailRow } from "../record/email_row.ts";

/**
 * The rows of a mailbox, or with null of all of the account, that came in after an email, or from a time on (ms since
 * 1970), oldest first, page by page. Ids are in order of arrival, except that the clocks of instances may differ; imported
 * mail is at the time of its source.
 */
export async function* arrivalsAfter(
  service: Reads,
  userId: string,
  mailboxId: string | null,
  { after, since }: { after?: string; since?: number },
): AsyncGenerator<EmailRow> {
  const bounds: Bounds = after !== undefined
    ? { start: `${after}\u0000` }
    : since !== undefined
    ? { start: firstIdAt(since - clockSlackMs) }
    : {};
  const slices = new TimeSlices(service.clock, userId);
  const range = { userId, mailboxId, bounds, reverse: false };
  for await (const page of rowsInOrder(service, range, 50)) {
    for (const row of page) {
      await slices.next();
      if (since === undefined || row.receivedAt >= since) yield row;
    }
  }
}
