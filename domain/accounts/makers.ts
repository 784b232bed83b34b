import { ServiceError } from "../core/errors.ts";
import * as keys from "../store/keys.ts";
import type { Caller } from "../core/caller.ts";
import type { ApiKey, Makers } from "./api_key.ts";

interface Reader {
  get<T>(key: Deno.KvKey): Promise<T | null>;
}

/** 256 ids of 36 characters take 9 KiB of a row; checking them costs 256 reads. */
const maxMakers = 256;

/** Makers and expiry of what the caller makes now. Throws UNAUTHORIZED if its key has been revoked. */
export async function lineOf(
  reader: Reader,
  { userId, keyId }: Pick<Caller, "userId" | "keyId">,
): Promise<{ makers: Makers; expiresAt: number | null }> {
  if (keyId === undefined) return { makers: [], expiresAt: null };
  const key = await reader.get<ApiKey>(keys.apiKey(userId, keyId));
  if (!key) throw new ServiceError("UNAUTHORIZED");
  return { makers: together(key.makers ?? [], [keyId]), expiresAt: key.expiresAt };
}

/** The union of both. Throws FORBIDDEN if it has more than 256 keys. */
export function together(some: Makers, others: Makers): Makers {
  const all = [...new Set([...some, ...others])];
  if (all.length <= maxMakers) return all;
  throw new ServiceError("FORBIDDEN", `A key or webhook can depend on at most ${maxMakers} keys.`);
}

/** Whether every maker still exists. Enough for a key, which expires no later than its makers. */
export async function makersAreThere(
  reader: Reader,
  userId: string,
  makers: Makers | undefined,
): Promise<boolean> {
  return (await makerRows(reader, userId, makers)).every((key) => key !== null);
}

/** Whether every maker exists and has not expired. */
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
