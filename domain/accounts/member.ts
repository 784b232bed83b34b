import type { Role } from "../core/roles/role.ts";
import { notFound } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { User } from "./user.ts";

/** Names a person. The first person of an account has the id of the account. */
export interface MemberRef {
  userId: string;
  memberId: string;
}

/** A person of an account, who logs in by email and password. */
export interface Member extends MemberRef {
  name: string;
  /** As given; `memberByEmail` has it in lower case. */
  email: string;
  role: Role;
  status: "active" | "invited";
  /** null: no password was set, so none is right. */
  passwordHash: string | null;
  /** The person has opened a link that was mailed to the address. */
  isConfirmed: boolean;
  /** Whether drafts that wait for a person are mailed to this one. */
  notify: "drafts" | "none";
  createdAt: number;
  /** When a session of the person last made a request, a minute late at most. */
  lastUsedAt: number | null;
}

/** The person of a row. Rows of the time when an account had one person name none. */
export function personOf(
  { userId, memberId = userId }: { userId: string; memberId?: string },
): MemberRef {
  return { userId, memberId };
}

/** Whether the person of a row is in its account. */
export function isMember(
  { memberIds }: Pick<User, "memberIds">,
  row: { userId: string; memberId?: string },
): boolean {
  return memberIds.includes(personOf(row).memberId);
}

/** Throws NOT_FOUND. */
export async function readMember(
  tx: Pick<Tx, "get">,
  { userId, memberId }: MemberRef,
): Promise<Member> {
  const member = await tx.get<Member>(keys.member(userId, memberId));
  if (!member) throw notFound("member");
  return member;
}

/** The person who logs in with this email, in any case; null if there is none. */
export async function findMemberByEmail(
  { database }: Pick<Service, "database">,
  email: string,
): Promise<Member | null> {
  const ref = await database.get<MemberRef>(keys.memberByEmail(email.toLowerCase()));
  return ref && await database.get<Member>(keys.member(ref.userId, ref.memberId));
}
