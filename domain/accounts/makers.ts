import { ServiceError } from "../core/errors.ts";
import * as keys from "../store/keys.ts";
import type { Caller } from "../core/caller.ts";
import type { ApiKey } from "./api_key.ts";

/**
 * The keys that had a hand in making a key or webhook: the maker, the maker's maker and so on. It ends when any of them
 * does, whatever has been cleaned up by then: a maker's missing row is enough. Empty if a session made it.
 */
export type Makers = readonly string[];

interface Reader {
  get<T>(key: Deno.KvKey): Promise<T | null>;
}

/** As many ids as a row holds with ease, and as many rows as a request may cost once in a while. */
const maxMakers = 256;

/** What the caller answers for in what it makes now. Throws UNAUTHORIZED if its key was revoked meanwhile. */
export async function lineOf(
  reader: Reader,
  { userId, keyId }: Pick<Caller, "userId" | "keyId">,
): Promise<{ makers: Makers; expiresAt: number | null }> {
  if (keyId === undefined) return { makers: [], expiresAt: null };
  const key = await reader.get<ApiKey>(keys.apiKey(userId, keyId));
  if (!key) throw new ServiceError("UNAUTHORIZED");
  return { makers: together(key.makers ?? [], [keyId]), expiresAt: key.expiresAt };
}

/** Both lines in one. Throws FORBIDDEN if they are too many. */
export function together(some: Makers, others: Makers): Makers {
  const all = [...new Set([...some, ...others])];
  if (all.length <= maxMakers) return all;
  throw new ServiceError("FORBIDDEN", `This would be the work of more than ${maxMakers} keys.`);
}

/** Whether every key that had a hand in it is there: enough for a key, which expires no later than its makers. */
export async function makersAreThere(
  reader: Reader,
  userId: string,
  makers: Makers | undefined,
): Promise<boolean> {
  return (await makerRows(reader, userId, makers)).every((key) => key !== null);
}

/** Whether every key that had a hand in it is there and has not expired. */
export async function makersLive(
  reader: Reader,
  userId: string,
  makers: Makers | undefined,
  now: number,
): Promise<boolean> {
  return (await makerRows(reader, userId, makers)).every((key) =>
    key !== null && (key.expiresAt === null || key.expiresAt > now)
  );
}

async function makerRows(
  reader: Reader,
  userId: string,
  makers: Makers = [],
): Promise<(ApiKey | null)[]> {
  return await Promise.all(makers.map((keyId) => reader.get<ApiKey>(keys.apiKey(userId, keyId))));
}
