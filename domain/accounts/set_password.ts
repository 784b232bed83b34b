import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { endSessions } from "./sessions.ts";
import { readUser, type User } from "./user.ts";

/** Changes the password of an account and ends its sessions. API keys stay valid. */
export async function setPassword(
  service: Service,
  userId: string,
  password: string,
): Promise<void> {
  const passwordHash = await service.passwords.hash(password);
  await service.database.transact(async (tx) => {
    const user = await readUser(tx, userId);
    tx.set(keys.user(userId), { ...user, passwordHash } satisfies User);
  });
  await endSessions(service, userId);
}
