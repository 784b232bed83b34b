import { type Member, personOf } from "../../../accounts/member.ts";
import type { Caller } from "../../../core/caller.ts";
import { ServiceError } from "../../../core/errors.ts";
import { requireRole } from "../../../core/roles/least_role.ts";
import type { Tx } from "../../../store/database.ts";
import * as keys from "../../../store/keys.ts";
import type { Decider } from "../../record/draft.ts";

/**
 * The person of a session, who decides about a draft; null for a key. A role that is known from memory can be out of date:
 * throws UNAUTHORIZED if the person is gone by now, FORBIDDEN if the role does not allow the operation.
 */
export async function deciderOf(
  reader: Pick<Tx, "get">,
  caller: Caller,
  operation: string,
): Promise<Decider | null> {
  if (caller.sessionId === undefined) return null;
  const { userId, memberId } = personOf(caller);
  const member = await reader.get<Member>(keys.member(userId, memberId));
  if (!member) throw new ServiceError("UNAUTHORIZED");
  requireRole(member, operation);
  return { memberId: member.memberId, name: member.name };
}
