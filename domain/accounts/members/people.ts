import { ServiceError } from "../../core/errors.ts";
import type { Caller } from "../../core/caller.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { type Member, personOf } from "../member.ts";
import { readUser, type User } from "../user.ts";

/** The people of an account, as they are at the commit. */
export interface People {
  user: User;
  /** The active ones, and those whose invitation is still open. */
  members: Member[];
}

export async function readPeople(
  tx: Pick<Tx, "get">,
  userId: string,
  now: number,
): Promise<People> {
  const user = await readUser(tx, userId);
  const rows = await Promise.all(
    user.memberIds.map((memberId) => tx.get<Member>(keys.member(userId, memberId))),
  );
  return { user, members: rows.filter((row) => row !== null && isPresent(row, now)) as Member[] };
}

function isPresent({ invitedUntil }: Member, now: number): boolean {
  return invitedUntil === undefined || invitedUntil > now;
}

/** The caller's own row: a role that is known from memory can be out of date. Throws UNAUTHORIZED if it is gone. */
export function selfIn({ members }: People, caller: Caller): Member {
  const self = members.find(({ memberId }) => memberId === personOf(caller).memberId);
  if (!self) throw new ServiceError("UNAUTHORIZED");
  return self;
}

/** Throws CONFLICT if the account would have no owner without this one. */
export function requireOtherOwner({ members }: People, leaving: Member): void {
  const isOwner = ({ role, status }: Member) => role === "owner" && status === "active";
  if (!isOwner(leaving)) return;
  if (members.some((each) => each.memberId !== leaving.memberId && isOwner(each))) return;
  throw new ServiceError(
    "CONFLICT",
    "The last owner can neither leave nor get another role: make somebody else an owner first.",
  );
}
