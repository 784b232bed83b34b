import type { Subject } from "../../ports/identity_provider.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { isMember, type Member, type MemberRef } from "../member.ts";
import { sha256Hex } from "../secrets.ts";
import type { User } from "../user.ts";

/** The person who has signed in as this subject before; null if nobody has, or the person is gone. */
export async function findPinned(tx: Pick<Tx, "get">, who: Subject): Promise<Member | null> {
  const ref = await tx.get<MemberRef>(keyOf(who));
  if (!ref) return null;
  const [user, member] = await Promise.all([
    tx.get<User>(keys.user(ref.userId)),
    tx.get<Member>(keys.member(ref.userId, ref.memberId)),
  ]);
  const isThere = user && isMember(user, ref);
  return isThere && member?.pinned && isSame(member.pinned, who) ? member : null;
}

/** From then on this subject signs in this person, whatever email it has. */
export function pin(tx: Tx, member: Member, { issuer, subject }: Subject): void {
  const { userId, memberId } = member;
  unpin(tx, member);
  tx.set(
    keys.member(userId, memberId),
    { ...member, pinned: { issuer, subject } } satisfies Member,
  );
  listPinned(tx, member, { issuer, subject });
}

/** The part of `pin` for a person whose row is written with `pinned`. */
export function listPinned(
  tx: Pick<Tx, "set">,
  { userId, memberId }: MemberRef,
  who: Subject,
): void {
  tx.set(keyOf(who), { userId, memberId } satisfies MemberRef);
}

/** The subject signs nobody in any more. The row of the person is the caller's. */
export function unpin(tx: Pick<Tx, "delete">, { pinned }: Member): void {
  if (pinned) tx.delete(keyOf(pinned));
}

function isSame(one: Subject, other: Subject): boolean {
  return one.issuer === other.issuer && one.subject === other.subject;
}

function keyOf({ issuer, subject }: Subject): Deno.KvKey {
  return keys.memberBySubject(sha256Hex(JSON.stringify([issuer, subject])));
}
