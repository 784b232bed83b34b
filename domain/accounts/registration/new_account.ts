import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { findUserByEmail, type User } from "../user.ts";

/** The fields of a new account. */
export const accountFields = {
  email: z.email("must be a valid email address").max(254),
  password: z.string().min(8, "must have at least 8 characters").max(
    1_024,
    "must have at most 1,024 characters",
  ),
  name: z.string().trim().min(1, "must not be empty").max(200),
};

/**
 * Writes an account in one commit, together with what `inCommit` writes. Hashes take turns by client address. Throws
 * CONFLICT if the email, in any case, belongs to an account.
 */
export async function writeAccount(
  service: Service,
  clientAddress: string,
  account: Pick<User, "email" | "name" | "plan" | "emailUnverified"> & { password: string },
  inCommit: (tx: Tx, user: User) => void | Promise<void> = () => {},
): Promise<User> {
  const now = service.clock.now();
  const { password, ...facts } = account;
  const taken = new ServiceError("CONFLICT", "An account with this email already exists.");
  if (await findUserByEmail(service, facts.email)) throw taken;
  const passwordHash = await service.loginGuard.inTurn(
    clientAddress,
    () => service.passwords.hash(password),
  );
  const user: User = {
    userId: service.ids.timed(now),
    ...facts,
    passwordHash,
    createdAt: now,
  };
  const byEmail = keys.userByEmail(user.email.toLowerCase());
  await service.database.transact(async (tx) => {
    if (await tx.get(byEmail)) throw taken;
    await inCommit(tx, user);
    tx.set(byEmail, user.userId);
    tx.set(keys.user(user.userId), user);
  });
  return user;
}
