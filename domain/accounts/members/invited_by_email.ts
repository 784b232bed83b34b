import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Member, MemberRef } from "../member.ts";
import { sha256Hex } from "../secrets.ts";
import { invitationMs, readInvited } from "./invitation.ts";

/** Where an invited person is. An account has one for an email: one that invites again and again takes the places of no others. */
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

/** The invitation is accepted, withdrawn or replaced. */
export function unlistInvited(tx: Pick<Tx, "delete">, { userId, email }: Member): void {
  tx.delete(keys.invited(hashOf(email), userId));
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

const hashOf = (email: string) => sha256Hex(email.toLowerCase());
