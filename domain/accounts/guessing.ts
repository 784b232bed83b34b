/**
 * Slows password guessing without locking the owner out (docs/specification.md "Passwords"). After 20 failures of an
 * account, 100 of a client address or 400 of an IPv6 network (/48) in 15 minutes a login is 429, except the right
 * password from an address that is not guessing. Pure functions: the caller reads and writes the rows of failures.
 */

/** Failed logins of one email address, known or not, newest last; `from` is the client address. */
export type AccountFailures = { at: number; from: string }[];

/** Failed logins of one client address or network, in ms since 1970, newest last. */
export type AddressFailures = number[];

export type Guess =
  /** The password decides. */
  | { kind: "open" }
  /** The password decides, but a wrong one is 429, not 401. */
  | { kind: "right_only"; retryAfterSeconds: number }
  /** The login is refused; the password is not checked. */
  | { kind: "refused"; limit: number; retryAfterSeconds: number };

export const guessWindowMs = 15 * 60_000;
export const maxAccountFailures = 20;
const maxAddressFailures = 100;
/** A /48 has 65,536 of the networks that count as one address. */
const maxNetworkFailures = 400;

/** Failures on a guessed account that make an address a guesser; fewer are the owner's typing errors. */
const guesserFailures = 5;

/** Decides what happens to a login for this account from this address now. */
export function judgeGuess(
  account: AccountFailures,
  address: AddressFailures,
  from: string,
  now: number,
  network: AddressFailures = [],
): Guess {
  const sources = [
    { failures: address, limit: maxAddressFailures },
    { failures: network, limit: maxNetworkFailures },
  ];
  for (const { failures, limit } of sources) {
    const all = failures.filter((at) => recent(at, now));
    if (all.length < limit) continue;
    const freeAt = all[all.length - limit] + guessWindowMs;
    return { kind: "refused", limit, retryAfterSeconds: seconds(freeAt - now) };
  }
  const onAccount = account.filter(({ at }) => recent(at, now));
  if (onAccount.length < maxAccountFailures) return { kind: "open" };
  const freeAt = onAccount[onAccount.length - maxAccountFailures].at + guessWindowMs;
  const retryAfterSeconds = seconds(freeAt - now);
  const own = onAccount.filter((failure) => failure.from === from).length;
  if (own < guesserFailures) return { kind: "right_only", retryAfterSeconds };
  return { kind: "refused", limit: maxAccountFailures, retryAfterSeconds };
}

/** A row after a wrong password, without failures that no longer count. */
export function withFailure<Failure extends number | { at: number }>(
  failures: readonly Failure[],
  failure: Failure,
  kept: number,
): Failure[] {
  const timeOf = (each: Failure) => typeof each === "number" ? each : each.at;
  const now = timeOf(failure);
  return [...failures.filter((each) => recent(timeOf(each), now)), failure].slice(-kept);
}

/** The account's row after a right password, without the failures of the same address: these were the owner's. */
export function withoutFailuresOf(account: AccountFailures, from: string): AccountFailures {
  return account.filter((failure) => failure.from !== from);
}

/** How many failures a row keeps. With addresses of 45 characters that of an account has at most 10 KiB. */
export const kept = { account: 150, address: maxAddressFailures, network: maxNetworkFailures };

/** If the clock was set back, failures lie in the future: within the window they count too. */
const recent = (at: number, now: number) => Math.abs(now - at) < guessWindowMs;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
