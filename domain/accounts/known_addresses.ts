import { isRecent } from "../core/clock.ts";
import { sha256Hex } from "./secrets.ts";

/** An address from which an account logged in; `hash` is of the account and the address. */
export interface KnownAddress {
  hash: string;
  /** ms since 1970, at most a day before its last login. */
  at: number;
}

/** An account keeps the newest of this number, for this time. */
const maxAddresses = 20;
export const knownForMs = 90 * 86_400_000;
/** The row is written again after this time at the earliest. */
const renewMs = 86_400_000;

/** A login of an account from an address, `now` in ms since 1970. */
interface Login {
  email: string;
  from: string;
  now: number;
}

export function isKnown(known: readonly KnownAddress[], { email, from, now }: Login): boolean {
  const hash = hashOf(email, from);
  return known.some((each) => each.hash === hash && isRecent(each.at, now, knownForMs));
}

/** The row after a login; null if it stays as it is. */
export function withAddress(
  known: readonly KnownAddress[],
  { email, from, now }: Login,
): KnownAddress[] | null {
  const hash = hashOf(email, from);
  const isNew = known.some((each) => each.hash === hash && isRecent(each.at, now, renewMs));
  if (isNew) return null;
  const others = known.filter(({ hash: other, at }) => other !== hash && at > now - knownForMs);
  return [...others, { hash, at: now }].slice(-maxAddresses);
}

function hashOf(email: string, from: string): string {
  return sha256Hex(`${email.toLowerCase()} ${from}`);
}
