import type { Caller } from "../core/caller.ts";
import { requireRole } from "../core/roles/least_role.ts";
import type { Role } from "../core/roles/role.ts";
import { notFound } from "../core/errors.ts";
import type { Subject } from "../ports/identity_provider.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { sha256Hex } from "./secrets.ts";
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
  /** Replaces `email` once a link that was mailed to it is opened. */
  newEmail?: string;
  /** Of an invited person: when the invitation ends, ms since 1970. */
  invitedUntil?: number;
  /** Who the person is at the identity provider; absent before the first sign-in there. */
  pinned?: Subject;
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

/** From then on the email can log in elsewhere. */
export function freeEmail(tx: Pick<Tx, "delete">, email: string): void {
  const lower = email.toLowerCase(), emailHash = sha256Hex(lower);
  tx.delete(keys.memberByEmail(lower));
  tx.delete(keys.loginFailures("account", emailHash));
  tx.delete(keys.loginAddresses(emailHash));
}

/**
 * Whether the person of a row is in its account, and, if the row is a grant or the code for one, has not ended all grants
 * since: see `endGrantsOf`.
 */
export function isMember(
  { memberIds, grantGenerations = {} }: Pick<User, "memberIds" | "grantGenerations">,
  row: { userId: string; memberId?: string; grantId?: string; generation?: number },
): boolean {
  const { memberId } = personOf(row);
  if (!memberIds.includes(memberId)) return false;
  const isGrant = row.grantId !== undefined || row.generation !== undefined;
  return !isGrant || (row.generation ?? 0) === (grantGenerations[memberId] ?? 0);
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

/** Throws if the person of a session has left, or has a role by now that does not allow the operation. */
export async function confirmRole(
  tx: Pick<Tx, "get">,
  caller: Caller,
  operation: string,
): Promise<void> {
  if (caller.role !== undefined) requireRole(await readMember(tx, personOf(caller)), operation);
}

/** The person who logs in with this email, in any case; null if there is none. */
export async function findMemberByEmail(
  { database }: Pick<Service, "database">,
  email: string,
): Promise<Member | null> {
  const ref = await database.get<MemberRef>(keys.memberByEmail(email.toLowerCase()));
  return ref && await database.get<Member>(keys.member(ref.userId, ref.memberId));
}
