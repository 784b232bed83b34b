/**
 * How password guessing is slowed without locking the owner out, DECISIONS.md 9: not before 20 failures an account or
 * 100 a client address in 15 minutes; then 429, except for a right password from another address than the guesser's.
 * Pure: the failures are rows that the caller reads and writes.
 */

/** Failed logins of one email address, known or not, newest last; `from` is the client address. */
export type AccountFailures = { at: number; from: string }[];

/** Failed logins of one client address, in ms since the epoch, newest last. */
export type AddressFailures = number[];

export type Guess =
  /** The password decides. */
  | { kind: "open" }
  /** The password decides, but a wrong one hears 429 and not 401. */
  | { kind: "right_only"; retryAfterSeconds: number }
  /** No password is looked at. */
  | { kind: "refused"; limit: number; retryAfterSeconds: number };

export const guessWindowMs = 15 * 60_000;
export const maxAccountFailures = 20;
export const maxAddressFailures = 100;

/** An address that failed this often on an account that is being guessed is taken for the guesser; fewer is an owner's typing. */
export const guesserFailures = 5;

/** What a login for this account from this address may expect now. */
export function judgeGuess(
  account: AccountFailures,
  address: AddressFailures,
  from: string,
  now: number,
): Guess {
  const byAddress = address.filter((at) => recent(at, now));
  if (byAddress.length >= maxAddressFailures) {
    const freeAt = byAddress[byAddress.length - maxAddressFailures] + guessWindowMs;
    return { kind: "refused", limit: maxAddressFailures, retryAfterSeconds: seconds(freeAt - now) };
  }
  const onAccount = account.filter(({ at }) => recent(at, now));
  if (onAccount.length < maxAccountFailures) return { kind: "open" };
  const freeAt = onAccount[onAccount.length - maxAccountFailures].at + guessWindowMs;
  const retryAfterSeconds = seconds(freeAt - now);
  const own = onAccount.filter((failure) => failure.from === from).length;
  if (own < guesserFailures) return { kind: "right_only", retryAfterSeconds };
  return { kind: "refused", limit: maxAccountFailures, retryAfterSeconds };
}

/** The rows after a wrong password; what no verdict needs any more is left out, so that they stay small. */
export function withFailure(
  account: AccountFailures,
  address: AddressFailures,
  from: string,
  now: number,
): { account: AccountFailures; address: AddressFailures } {
  return {
    account: [...account.filter(({ at }) => recent(at, now)), { at: now, from }].slice(
      -keptFailures,
    ),
    address: [...address.filter((at) => recent(at, now)), now].slice(-maxAddressFailures),
  };
}

/** The account's row after a right password: the failures of that address were its owner's; a guesser's stay. */
export function withoutFailuresOf(account: AccountFailures, from: string): AccountFailures {
  return account.filter((failure) => failure.from !== from);
}

/** Enough to tell guessers by: addresses of 45 characters make a row of 10 KiB at most. */
const keptFailures = 150;

/** A clock put back leaves failures in the future: within the window they count. */
const recent = (at: number, now: number) => Math.abs(now - at) < guessWindowMs;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
