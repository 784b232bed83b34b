import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Member, MemberRef } from "../member.ts";
import { unlistInvited } from "./invited_by_email.ts";
import { confirmAccount } from "../registration/email_verification.ts";

/** Makes an invited person an active one. Nobody else may log in with the email. */
export async function becomeMember(
  tx: Tx,
  { clock }: Pick<Service, "clock">,
  { invitedUntil: _, ...invited }: Member,
  accepted: Pick<Member, "name" | "passwordHash" | "isConfirmed" | "pinned">,
): Promise<Member> {
  const { userId, memberId, email } = invited;
  const member: Member = { ...invited, ...accepted, status: "active", createdAt: clock.now() };
  if (member.isConfirmed && member.role === "owner") await confirmAccount(tx, userId);
  unlistInvited(tx, member);
  tx.set(keys.memberByEmail(email.toLowerCase()), { userId, memberId } satisfies MemberRef);
  tx.set(keys.member(userId, memberId), member);
  return member;
}
