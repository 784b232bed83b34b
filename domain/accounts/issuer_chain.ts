import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type Caller, issuerIdOf } from "../core/caller.ts";
import type { ApiKey, IssuerChain } from "./api_key.ts";
import { isMember } from "./member.ts";
import type { User } from "./user.ts";

type Reader = Pick<Tx, "get">;

/** 256 ids of 36 characters take 9 KiB of a row; checking them costs 256 reads. */
const maxIssuers = 256;

/** The row of a key or of a grant. A grant has no maker, because a person gives it. */
type Issuer = Pick<ApiKey, "userId" | "expiresAt" | "makers" | "memberId"> & {
  grantId?: string;
  generation?: number;
};

/** IssuerChain and expiry of what the caller makes now. Throws UNAUTHORIZED if its key or grant has ended. */
export async function issuerChainOf(
  reader: Reader,
  caller: Pick<Caller, "userId" | "keyId" | "grantId">,
): Promise<{ makers: IssuerChain; expiresAt: number | null }> {
  const id = issuerIdOf(caller);
  if (id === undefined) return { makers: [], expiresAt: null };
  const [issuer] = await issuerRows(reader, caller.userId, [id]);
  if (!issuer) throw new ServiceError("UNAUTHORIZED");
  return { makers: joinChains(issuer.makers ?? [], [id]), expiresAt: issuer.expiresAt };
}

/** The union of both. Throws FORBIDDEN if it has more than 256 keys. */
export function joinChains(some: IssuerChain, others: IssuerChain): IssuerChain {
  const all = [...new Set([...some, ...others])];
  if (all.length <= maxIssuers) return all;
  throw new ServiceError("FORBIDDEN", `A key or webhook can depend on at most ${maxIssuers} keys.`);
}

/**
 * Whether a key has not been ended: its person is in the account, and every maker exists. It expires no later than those.
 */
export async function isAlive(reader: Reader, user: User, key: ApiKey): Promise<boolean> {
  return isMember(user, key) &&
    (await issuerRows(reader, key.userId, key.makers)).every((issuer) => issuer !== null);
}

/** Whether every maker exists and has not expired, and its person is a member. */
export async function issuersLive(
  reader: Reader,
  userId: string,
  makers: IssuerChain | undefined,
  now: number,
): Promise<boolean> {
  return (await issuerRows(reader, userId, makers)).every((issuer) =>
    issuer !== null && (issuer.expiresAt === null || issuer.expiresAt > now)
  );
}

/** null for each that has ended. */
async function issuerRows(
  reader: Reader,
  userId: string,
  makers: IssuerChain = [],
): Promise<(Issuer | null)[]> {
  if (makers.length === 0) return [];
  const [user, ...issuers] = await Promise.all([
    reader.get<User>(keys.user(userId)),
    ...makers.map((id) => reader.get<Issuer>(keys.issuer(userId, id))),
  ]);
  return issuers.map((issuer) => user && issuer && isMember(user, issuer) ? issuer : null);
}
