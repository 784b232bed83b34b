import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { isMember, type Member, type MemberRef } from "../member.ts";
import { sha256Hex } from "../secrets.ts";
import type { User } from "../user.ts";
import { invitationMs } from "./invitation.ts";

/**
 * Where an invited person is. The row stays when the invitation is withdrawn or accepted. An account has one for an email:
 * one that invites again and again takes the places of no others.
 */
interface InvitedPerson extends MemberRef {
  createdAt: number;
}

/** Several accounts may invite one email: so many are looked at. */
const mostLooked = 100;

/** Lets `findInvited` find an invited person. */
export function listInvited(
  tx: Pick<Tx, "set">,
  { userId, memberId, email, createdAt }: Member,
): void {
  const row: InvitedPerson = { userId, memberId, createdAt };
  tx.set(keys.invited(hashOf(email), userId), row, { expireInMs: invitationMs });
}

/** The person of the newest open invitation of this email; null if there is none. `becomeMember` checks it again. */
export async function findInvited(
  { database, clock }: Pick<Service, "database" | "clock">,
  email: string,
): Promise<MemberRef | null> {
  const rows = await database.collect<InvitedPerson>(
    { prefix: keys.invitedOf(hashOf(email)) },
    { limit: mostLooked },
  );
  for (const { value } of rows.toSorted((a, b) => b.value.createdAt - a.value.createdAt)) {
    if (await readInvited(database, clock.now(), value)) return value;
  }
  return null;
}

/** The person, if the invitation is open; else null. */
export async function readInvited(
  reader: Pick<Tx, "get">,
  now: number,
  ref: MemberRef,
): Promise<Member | null> {
  const [user, member] = await Promise.all([
    reader.get<User>(keys.user(ref.userId)),
    reader.get<Member>(keys.member(ref.userId, ref.memberId)),
  ]);
  const isThere = user && member && isMember(user, ref);
  const isOpen = member?.status === "invited" && (member.invitedUntil ?? 0) > now;
  return isThere && isOpen ? member : null;
}

const hashOf = (email: string) => sha256Hex(email.toLowerCase());
