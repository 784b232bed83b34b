import type { EffectiveSubscription } from "../billing/subscription_rules.ts";
import type { Plan } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { notFound } from "../core/errors.ts";

/** An account. Its plan decides limits; billing and the operator change it. */
export interface User {
  userId: string;
  createdAt: number;
  plan: Plan;
  /** Its people, invited ones included. What somebody made who is not in it any more has ended. */
  memberIds: readonly string[];
  /** How often all grants of a person were ended at once, by memberId; absent: never. Older grants are dead. */
  grantGenerations?: Readonly<Record<string, number>>;
  /** The account registered, and no owner has confirmed an address yet. */
  emailUnverified?: true;
  /** The newest state from the payment provider; absent if the account has never paid. */
  subscription?: Omit<EffectiveSubscription, "plan">;
  /** Its customer ids at the payment provider, the latest first. */
  customerIds?: string[];
  /** When the operator last set the plan, ms since 1970: older payment events do not change it. */
  planSetAt?: number;
}

/** Whether its mail goes to its own mailboxes only, until an owner confirms an address. */
export function mustConfirm(
  { emailUnverified }: User,
  { EMAIL_VERIFICATION }: Service["settings"],
): boolean {
  return emailUnverified === true && EMAIL_VERIFICATION === "required";
}

export async function readUser(tx: Pick<Tx, "get">, userId: string): Promise<User> {
  const user = await tx.get<User>(keys.user(userId));
  if (!user) throw notFound("account");
  return user;
}

/**
 * Ends all grants of a person, and the codes for more of them, by one row: there can be more of them than a commit takes.
 * The job `end_grants` then removes them. After the commit the caller must call `credentials.forget`.
 */
export async function endGrantsOf(
  tx: Tx,
  { userId, memberId }: { userId: string; memberId: string },
): Promise<void> {
  const user = await readUser(tx, userId);
  const grantGenerations = {
    ...user.grantGenerations,
    [memberId]: (user.grantGenerations?.[memberId] ?? 0) + 1,
  };
  tx.set(keys.user(userId), { ...user, grantGenerations } satisfies User);
  // This ends their waits and event streams on other instances.
  tx.append(userId, null);
}

/** The `namespace` of the account's mailboxes: docs/specification.md "Mailboxes". */
export function namespaceOf(userId: string): string {
  return `ns_${userId}`;
}
