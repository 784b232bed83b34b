import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { newPasswordField, refuseCommon } from "../new_password/new_password.ts";
import { findMemberByEmail, type Member, type MemberRef } from "../member.ts";
import type { User } from "../user.ts";

/** The fields of a new account. */
export const accountFields = {
  email: z.email("must be a valid email address").max(254),
  password: newPasswordField,
  name: z.string().trim().min(1, "must not be empty").max(200),
};

/**
 * Writes an account and its owner in one commit, together with what `inCommit` writes. Hashes take turns by client
 * address. `password` null: the owner has none. Throws VALIDATION_ERROR if the password is a common one, CONFLICT if somebody
 * logs in with the email, in any case.
 */
export async function writeAccount(
  service: Service,
  clientAddress: string,
  account: Pick<Member, "email" | "name" | "isConfirmed" | "pinned"> & Pick<User, "plan"> & {
    password: string | null;
  },
  inCommit: (tx: Tx, owner: Member) => void | Promise<void> = () => {},
): Promise<Member> {
  const now = service.clock.now();
  const { password, plan, ...facts } = account;
  if (password !== null) await refuseCommon(password, "password");
  const taken = new ServiceError("CONFLICT", "An account with this email already exists.");
  if (await findMemberByEmail(service, facts.email)) throw taken;
  const passwordHash = password === null ? null : await service.loginGuard.inTurn(
    clientAddress,
    () => service.passwords.hash(password),
  );
  const userId = service.ids.timed(now);
  const user: User = {
    ...{ userId, plan, createdAt: now, memberIds: [userId] },
    ...(facts.isConfirmed ? {} : { emailUnverified: true }),
  };
  const owner: Member = {
    ...{ userId, memberId: userId, ...facts, passwordHash },
    ...{ role: "owner", status: "active", notify: "drafts", createdAt: now, lastUsedAt: null },
  };
  const byEmail = keys.memberByEmail(owner.email.toLowerCase());
  await service.database.transact(async (tx) => {
    if (await tx.get(byEmail)) throw taken;
    await inCommit(tx, owner);
    tx.set(byEmail, { userId, memberId: userId } satisfies MemberRef);
    tx.set(keys.member(userId, userId), owner);
    tx.set(keys.user(userId), user);
  });
  return owner;
}
