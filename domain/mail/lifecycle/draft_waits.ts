import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** A draft that waits for a person. */
export interface WaitingDraft {
  /**
   * The waits of an account are numbered as they begin, in the order of their commits. 0: it began before there were
   * numbers.
   */
  number: number;
}

/** What the people of an account were told of the drafts that wait. */
export interface Notices {
  /** The number of the newest wait. */
  last: number;
  /** A job is to look whom to tell. */
  isPlanned: boolean;
  /** By member_id. */
  people: Readonly<Record<string, Told>>;
}

export interface Told {
  /** The number of the newest wait that the person was told of. */
  last: number;
  /** When the person was last mailed, ms since 1970; 0: never. */
  mailedAt: number;
  /** A job is to mail the person. */
  isPlanned: boolean;
}

export const noNotices: Notices = { last: 0, isPlanned: false, people: {} };

/** Waits that begin within this time are one notice. */
const gatherMs = 2_000;

/** A draft begins to wait. At most one job of the account looks whom to tell, however many begin. */
export async function beginWait(
  tx: Tx,
  { clock, jobs }: Pick<Service, "clock" | "jobs">,
  userId: string,
  draftId: string,
): Promise<void> {
  const row = keys.notices(userId);
  const before = await tx.get<Notices>(row) ?? noNotices;
  const last = before.last + 1;
  tx.set(keys.waitingDraft(userId, draftId), { number: last } satisfies WaitingDraft);
  tx.set(row, { ...before, last, isPlanned: true } satisfies Notices);
  if (!before.isPlanned) jobs.add(tx, "plan_notices", { userId }, clock.now() + gatherMs);
}

/** A draft waits no more. */
export function endWait(tx: Tx, _parts: unknown, userId: string, draftId: string): void {
  tx.delete(keys.waitingDraft(userId, draftId));
}
