import { ServiceError, unavailable } from "../core/errors.ts";
import type { Plan } from "../core/plans.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type ApiKey, removeApiKeys, withoutEnded } from "./api_key.ts";
import { readUser } from "./user.ts";

/** The live keys that an account can have. */
const maxLiveKeys = (plan: Plan) => plan === "free" ? 100 : 1_000;

/** An expired key is listed for 30 days at least. */
const expiredKeptMs = 30 * 86_400_000;
/** Each turn that fails is a creation of another caller that succeeded. */
const mostTurns = 20;

/** What a count found, and the stored bound before it. */
interface Counted {
  bound: number | null;
  live: number;
}

/**
 * Runs `write`, which adds a key, in a transaction. Throws FORBIDDEN with `count`, `limit` and `plan` if the account has
 * its number of live keys. The stored number is an upper bound: it goes up with each new key, and the keys are counted
 * only when it has reached the limit, because keys end by expiry and with their makers.
 */
export async function withRoomForKey<R>(
  service: Service,
  userId: string,
  write: (tx: Tx) => Promise<R>,
): Promise<R> {
  let counted: Counted | null = null;
  for (let turn = 0; turn < mostTurns; turn++) {
    const known = counted;
    const made = await service.database.transact(async (tx) => {
      const row = keys.apiKeyBound(userId);
      const bound = await tx.get<number>(row);
      const { plan } = await readUser(tx, userId);
      const limit = maxLiveKeys(plan);
      const isCounted = known !== null && known.bound === bound;
      const count = isCounted ? known.live : bound;
      if (count === null || (count >= limit && !isCounted)) return null;
      if (count >= limit) {
        const message = `The plan ${plan} has room for ${limit} API keys.`;
        throw new ServiceError("FORBIDDEN", message, { count, limit, plan });
      }
      tx.set(row, count + 1);
      return { result: await write(tx) };
    });
    if (made) return made.result;
    counted = await count(service, userId);
  }
  throw unavailable("Keys of the account are made all the time.");
}

/** Counts the live keys, and removes the rows of those that expired more than 30 days ago. */
async function count({ database, clock }: Service, userId: string): Promise<Counted> {
  const bound = await database.get<number>(keys.apiKeyBound(userId));
  const rows = await database.collect<ApiKey>({ prefix: keys.apiKeys(userId) });
  const now = clock.now();
  const { memberIds } = await readUser(database, userId);
  const live = withoutEnded(rows.map(({ value }) => value), memberIds)
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now).length;
  const old = rows.filter(({ value: { expiresAt } }) =>
    expiresAt !== null && expiresAt < now - expiredKeptMs
  );
  await removeApiKeys(database, old);
  return { bound, live };
}
