import type { User } from "../../accounts/user.ts";
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

/**
 * Counts open drafts and their bytes. Throws FORBIDDEN if more than 10,000 would be open, or if they would be larger than
 * the plan's storage.
 */
export async function countDraft(
  tx: Tx,
  service: Service,
  user: User,
  change: Pick<DraftTotals, "open" | "bytes">,
): Promise<void> {
  const row = keys.draftTotals(user.userId);
  const before = await tx.get<DraftTotals>(row) ?? { open: 0, bytes: 0 };
  const after: DraftTotals = {
    ...before,
    open: before.open + change.open,
    bytes: before.bytes + change.bytes,
  };
  const { storageBytes } = service.plans[user.plan];
  const { plan } = user;
  if (change.open > 0 && after.open > mostOpenDrafts) {
    const details = { limit: mostOpenDrafts, used: before.open, plan };
    throw new ServiceError("FORBIDDEN", `${mostOpenDrafts} drafts are open.`, details);
  }
  if (change.bytes > 0 && storageBytes !== null && after.bytes > storageBytes) {
    const details = { limit: storageBytes, used: before.bytes, plan };
    throw new ServiceError("FORBIDDEN", "Drafts fill the plan's storage.", details);
  }
  tx.set(row, after);
}

/** Counts an open draft that is removed. */
export async function uncountOpen(tx: Tx, userId: string, bytes: number): Promise<void> {
  const row = keys.draftTotals(userId);
  const before = await tx.get<DraftTotals>(row) ?? { open: 0, bytes: 0 };
  tx.set(row, closed(before, bytes));
}

/**
 * Counts a draft that has ended: `bytes` of content were removed, rows of `endedBytes` are kept. Returns true if so much has
 * ended since the last time it did that the oldest ended drafts must be cut.
 */
export async function countEnded(
  tx: Tx,
  userId: string,
  bytes: number,
  endedBytes: number,
  most: { drafts: number; bytes: number },
): Promise<boolean> {
  const row = keys.draftTotals(userId);
  const before = await tx.get<DraftTotals>(row) ?? { open: 0, bytes: 0 };
  const ended = (before.ended ?? 0) + 1;
  const sum = (before.endedBytes ?? 0) + endedBytes;
  const isMuch = ended >= most.drafts || sum >= most.bytes;
  const counts = isMuch ? { ended: 0, endedBytes: 0 } : { ended, endedBytes: sum };
  tx.set(row, { ...closed(before, bytes), ...counts } satisfies DraftTotals);
  return isMuch;
}

function closed(before: DraftTotals, bytes: number): DraftTotals {
  return {
    ...before,
    open: Math.max(0, before.open - 1),
    bytes: Math.max(0, before.bytes - bytes),
  };
}
