import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { Caller } from "../core/caller.ts";
import type { ApiKey, IssuerChain } from "./api_key.ts";

type Reader = Pick<Tx, "get">;

/** 256 ids of 36 characters take 9 KiB of a row; checking them costs 256 reads. */
const maxIssuers = 256;

/** IssuerChain and expiry of what the caller makes now. Throws UNAUTHORIZED if its key has been revoked. */
export async function issuerChainOf(
  reader: Reader,
  { userId, keyId }: Pick<Caller, "userId" | "keyId">,
): Promise<{ makers: IssuerChain; expiresAt: number | null }> {
  if (keyId === undefined) return { makers: [], expiresAt: null };
  const key = await reader.get<ApiKey>(keys.apiKey(userId, keyId));
  if (!key) throw new ServiceError("UNAUTHORIZED");
  return { makers: joinChains(key.makers ?? [], [keyId]), expiresAt: key.expiresAt };
}

/** The union of both. Throws FORBIDDEN if it has more than 256 keys. */
export function joinChains(some: IssuerChain, others: IssuerChain): IssuerChain {
  const all = [...new Set([...some, ...others])];
  if (all.length <= maxIssuers) return all;
  throw new ServiceError("FORBIDDEN", `A key or webhook can depend on at most ${maxIssuers} keys.`);
}

/** Whether every maker still exists. Enough for a key, which expires no later than its makers. */
export async function issuersExist(
  reader: Reader,
  userId: string,
  makers: IssuerChain | undefined,
): Promise<boolean> {
  return (await issuerRows(reader, userId, makers)).every((key) => key !== null);
}

/** Whether every maker exists and has not expired. */
export async function issuersLive(
  reader: Reader,
  userId: string,
  makers: IssuerChain | undefined,
  now: number,
): Promise<boolean> {
  return (await issuerRows(reader, userId, makers)).every((key) =>
    key !== null && (key.expiresAt === null || key.expiresAt > now)
  );
}

async function issuerRows(
  reader: Reader,
  userId: string,
  makers: IssuerChain = [],
): Promise<(ApiKey | null)[]> {
  return await Promise.all(makers.map((keyId) => reader.get<ApiKey>(keys.apiKey(userId, keyId))));
}
