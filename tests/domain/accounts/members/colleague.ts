import type { Member } from "../../../../domain/accounts/member.ts";
import { beginSession } from "../../../../domain/accounts/sessions.ts";
import type { User } from "../../../../domain/accounts/user.ts";
import type { Role } from "../../../../domain/core/roles/role.ts";
import * as keys from "../../../../domain/store/keys.ts";
import type { TestAccount, TestService } from "../../../service.ts";

export interface Colleague {
  userId: string;
  memberId: string;
  email: string;
  password: string;
  accessToken: string;
}

let serial = 0;

/** A person of an account with a session, written as accepting an invitation would. */
export async function colleague(
  { service }: TestService,
  owner: TestAccount,
  role: Role,
): Promise<Colleague> {
  const { userId, password } = owner;
  const now = service.clock.now();
  const memberId = service.ids.timed(now);
  const email = `${role}${++serial}@example.org`;
  await service.database.transact(async (tx) => {
    const user = await tx.get<User>(keys.user(userId));
    const first = await tx.get<Member>(keys.member(userId, userId));
    const person = { ...{ userId, memberId, name: `The ${role}`, email, role, createdAt: now } };
    tx.set(keys.user(userId), { ...user!, memberIds: [...user!.memberIds, memberId] });
    tx.set(keys.member(userId, memberId), { ...first!, ...person } satisfies Member);
    tx.set(keys.memberByEmail(email), { userId, memberId });
  });
  service.credentials.forget(userId);
  const { accessToken } = await beginSession(service, { userId, memberId });
  return { userId, memberId, email, password, accessToken };
}
