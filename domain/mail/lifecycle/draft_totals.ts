import { readUser } from "../../accounts/user.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** The drafts of an account. */
interface DraftTotals {
  open: number;
  /** Of the content of the open ones. */
  bytes: number;
  /** How many have ended since the last cut of ended drafts, and the bytes of their rows. Absent: none. */
  ended?: number;
  endedBytes?: number;
}

/** Five times the scheduled sends that one minute may have. */
const mostOpenDrafts = 10_000;

/** The oldest ended drafts are removed beyond this many of an account or this many bytes. */
export const mostEnded = { drafts: 10_000, bytes: 100_000_000 };
/** A cut reads every ended draft of the account, so that half as many more must have ended since the last one. */
const cutAfter = { drafts: mostEnded.drafts / 2, bytes: mostEnded.bytes / 2 };

/**
 * Counts open drafts and the bytes of their content, and a draft that has ended with the bytes of its rows. Throws FORBIDDEN
 * if more than 10,000 would be open, or if they would be larger than the plan's storage. A job removes the oldest ended
 * drafts if too much has ended since the last time.
 */
export async function countDraft(
  tx: Tx,
  { plans, jobs }: Pick<Service, "plans" | "jobs">,
  userId: string,
  change: { open: number; bytes: number; endedBytes?: number },
): Promise<void> {
  const row = keys.draftTotals(userId);
  const before = await tx.get<DraftTotals>(row) ?? { open: 0, bytes: 0 };
  const after: DraftTotals = {
    ...before,
    open: Math.max(0, before.open + change.open),
    bytes: Math.max(0, before.bytes + change.bytes),
  };
  if (change.open >= 0) {
    const { plan } = await readUser(tx, userId);
    const { storageBytes } = plans[plan];
    if (change.open > 0 && after.open > mostOpenDrafts) {
      const details = { limit: mostOpenDrafts, used: before.open, plan };
      throw new ServiceError("FORBIDDEN", `${mostOpenDrafts} drafts are open.`, details);
    }
    if (change.bytes > 0 && storageBytes !== null && after.bytes > storageBytes) {
      const details = { limit: storageBytes, used: before.bytes, plan };
      throw new ServiceError("FORBIDDEN", "Drafts fill the plan's storage.", details);
    }
  }
  if (change.endedBytes !== undefined) {
    const ended = (before.ended ?? 0) + 1;
    const endedBytes = (before.endedBytes ?? 0) + change.endedBytes;
    const isMuch = ended >= cutAfter.drafts || endedBytes >= cutAfter.bytes;
    Object.assign(after, isMuch ? { ended: 0, endedBytes: 0 } : { ended, endedBytes });
    if (isMuch) jobs.add(tx, "cut_drafts", { userId });
  }
  tx.set(row, after);
}
