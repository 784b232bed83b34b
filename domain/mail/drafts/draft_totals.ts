import type { User } from "../../accounts/user.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** The open drafts of an account. */
interface DraftTotals {
  open: number;
  /** Of their content. */
  bytes: number;
}

/** Five times the scheduled sends that one minute may have. */
const mostOpenDrafts = 10_000;

/**
 * Counts open drafts and their bytes. Throws FORBIDDEN if more than 10,000 would be open, or if they would be larger than the
 * plan's storage.
 */
export async function countDraft(
  tx: Tx,
  service: Service,
  user: User,
  change: DraftTotals,
): Promise<void> {
  const row = keys.draftTotals(user.userId);
  const before = await tx.get<DraftTotals>(row) ?? { open: 0, bytes: 0 };
  const after = { open: before.open + change.open, bytes: before.bytes + change.bytes };
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

/** Counts a draft that has ended, without a limit. */
export async function uncountDraft(tx: Tx, userId: string, bytes: number): Promise<void> {
  const row = keys.draftTotals(userId);
  const before = await tx.get<DraftTotals>(row) ?? { open: 0, bytes: 0 };
  const open = Math.max(0, before.open - 1);
  tx.set(row, { open, bytes: Math.max(0, before.bytes - bytes) } satisfies DraftTotals);
}
