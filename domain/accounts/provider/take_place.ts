import type { Service } from "../../core/service.ts";
import type { ProvedPerson } from "../../ports/identity_provider.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Member, MemberRef } from "../member.ts";
import { readUser, type User } from "../user.ts";
import { pin } from "./pins.ts";

/**
 * Whoever set the password of an address that was never confirmed may have been a stranger who waits for its owner. So
 * the owner becomes another person of the account, without a password. The former one leaves in the same commit, and with
 * that person all sessions, grants, codes and keys, whatever is under way. After the commit the caller must call
 * `credentials.forget`.
 */
export async function takePlace(
  tx: Tx,
  { ids, clock, jobs }: Pick<Service, "ids" | "clock" | "jobs">,
  former: Member,
  who: ProvedPerson,
): Promise<Member> {
  const { userId } = former;
  const { emailUnverified, ...account } = await readUser(tx, userId);
  const memberId = ids.timed(clock.now());
  const { newEmail: _, ...kept } = former;
  const member: Member = {
    ...kept,
    ...{ memberId, passwordHash: null, isConfirmed: true, lastUsedAt: null },
  };
  const memberIds = account.memberIds.map((id) => id === former.memberId ? memberId : id);
  const mustStill = emailUnverified && former.role !== "owner" ? { emailUnverified } : {};
  tx.set(keys.user(userId), { ...account, ...mustStill, memberIds } satisfies User);
  tx.delete(keys.member(userId, former.memberId));
  tx.set(keys.memberByEmail(former.email.toLowerCase()), { userId, memberId } satisfies MemberRef);
  pin(tx, member, who);
  jobs.add(tx, "end_member", { userId, memberId: former.memberId });
  // This ends the former person's waits and event streams on other instances.
  tx.append(userId, null);
  return member;
}
