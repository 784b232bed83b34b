import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { type Member, type MemberRef, readMember } from "./member.ts";
import { endSessions } from "./sessions.ts";

/** Changes the password of a person and ends their sessions. API keys stay valid. */
export async function setPassword(
  service: Service,
  person: MemberRef,
  password: string,
): Promise<void> {
  const passwordHash = await service.passwords.hash(password);
  await service.database.transact(async (tx) => {
    const member = await readMember(tx, person);
    tx.set(
      keys.member(person.userId, person.memberId),
      { ...member, passwordHash } satisfies Member,
    );
  });
  await endSessions(service, person);
}
