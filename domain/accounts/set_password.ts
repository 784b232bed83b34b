import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type Member, type MemberRef, readMember } from "./member.ts";
import { endSessionsIn } from "./sessions.ts";

/** Changes the password of a person and ends their sessions. API keys and apps stay. */
export async function setPassword(
  service: Service,
  person: MemberRef,
  password: string,
): Promise<void> {
  const passwordHash = await service.passwords.hash(password);
  await service.database.transact(async (tx) => {
    await writePassword(tx, service, { ...await readMember(tx, person), passwordHash });
  });
  service.credentials.forget(person.userId);
}

/**
 * Writes a person with a new password, and ends in the same commit the sessions that began with the old one, except one.
 * Returns how many. After the commit the caller must call `credentials.forget`.
 */
export async function writePassword(
  tx: Tx,
  { clock }: Pick<Service, "clock">,
  member: Member,
  except?: string,
): Promise<number> {
  tx.set(keys.member(member.userId, member.memberId), member);
  return await endSessionsIn(tx, member, { now: clock.now(), except });
}
