import { type Member, personOf } from "../../../accounts/member.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Tx } from "../../../store/database.ts";
import * as keys from "../../../store/keys.ts";
import type { Decider } from "../../record/draft.ts";

/** The person of a session, who decides about a draft; null for a key. */
export async function deciderOf(
  reader: Pick<Tx, "get">,
  caller: Caller,
): Promise<Decider | null> {
  if (caller.sessionId === undefined) return null;
  const { userId, memberId } = personOf(caller);
  const member = await reader.get<Member>(keys.member(userId, memberId));
  return member && { memberId, name: member.name };
}
