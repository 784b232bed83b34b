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

/** The `namespace` of the account's mailboxes: docs/specification.md "Mailboxes". */
export function namespaceOf(userId: string): string {
  return `ns_${userId}`;
}
