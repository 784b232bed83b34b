import { networkAround } from "../core/client_address.ts";
import { type Clock, isRecent } from "../core/clock.ts";
import { rateLimited, type ServiceError, unavailable } from "../core/errors.ts";
import { FairTurns } from "../core/work/fair_turns.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import {
  type AccountFailures,
  type AddressFailures,
  type Guess,
  guessWindowMs,
  judgeGuess,
  kept,
  maxAccountFailures,
  withFailure,
  withoutFailuresOf,
} from "./guessing.ts";
import { sha256Hex } from "./secrets.ts";

/**
 * A client sends one login; an office behind one address sends a few at once. At 75 ms each the last of all waits 20 s;
 * it belongs to a network that sent many.
 */
const room = {
  ofOwner: 32,
  all: 256,
  refusal: () => unavailable("Too many logins at once; try again.", 5),
};

/** What is known of a login before its password. */
interface Judged {
  guess: Guess;
  hasFailed: boolean;
  known: KnownAddress[];
}

/**
 * Runs work on passwords one piece at a time, because one thread does it, and so that parallel guesses are counted like
 * guesses in sequence. The counts are in the store, shared by all instances.
 *
 * Logins from an address from which the account logged in before take turns with all others, by account: a flood from
 * any number of fresh addresses delays such a login by one or two pieces. The others take turns by network, and in it by
 * address. If too many wait, the newest of the network with the most is refused.
 */
export class LoginGuard {
  private readonly turns: FairTurns;

  /** Each `area` counts apart from the others. */
  constructor(
    private readonly service: { database: Database; clock: Clock },
    private readonly area: "dashboard" | "smtp" = "dashboard",
  ) {
    this.turns = new FairTurns(1, service.clock, { room });
  }

  /** Runs work on a password, such as that of a registration. Throws SERVICE_UNAVAILABLE if too many wait. */
  async inTurn<Value>(from: string, work: () => Promise<Value>): Promise<Value> {
    return await this.turns.run(strangerAt(from), work);
  }

  /**
   * Runs `isRight`, which verifies the password, and counts a failure. Known and unknown emails are treated alike. Throws
   * RATE_LIMIT_EXCEEDED after too many failures, SERVICE_UNAVAILABLE if too many logins wait.
   */
  async attempt(
    email: string,
    from: string,
    isRight: () => Promise<boolean>,
    { hasSession = false } = {},
  ): Promise<boolean> {
    // Refused before it waits, so that a guesser takes no turns from others.
    const { guess, known } = await this.judge(email, from);
    refuse(guess);
    const owner = hasSession || isKnown(known, { email, from, now: this.service.clock.now() })
      ? ["known", sha256Hex(email.toLowerCase())]
      : strangerAt(from);
    return await this.turns.run(owner, () => this.take(email, from, isRight));
  }

  private async take(
    email: string,
    from: string,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const judged = await this.judge(email, from);
    const { guess } = judged;
    refuse(guess);
    const right = await isRight();
    if (!right) await this.count(email, from);
    else await this.accept(email, from, judged);
    if (!right && guess.kind === "right_only") {
      throw tooMany(maxAccountFailures, guess.retryAfterSeconds);
    }
    return right;
  }

  private async judge(email: string, from: string): Promise<Judged> {
    const { database, clock } = this.service;
    const network = this.ofNetwork(from);
    const [account, address, around, known] = await Promise.all([
      database.get<AccountFailures>(this.ofAccount(email)),
      database.get<AddressFailures>(this.ofAddress(from)),
      network && database.get<AddressFailures>(network),
      database.get<KnownAddress[]>(this.addressesOf(email)),
    ]);
    const hasFailed = account?.some((failure) => failure.from === from) ?? false;
    const guess = judgeGuess(account ?? [], address ?? [], from, clock.now(), around ?? []);
    return { guess, hasFailed, known: known ?? [] };
  }

  private async count(email: string, from: string): Promise<void> {
    const network = this.ofNetwork(from);
    await this.service.database.transact(async (tx) => {
      const now = this.service.clock.now();
      const add = async <F extends number | { at: number }>(
        key: Deno.KvKey,
        failure: F,
        most: number,
      ) => {
        const next = withFailure(await tx.get<F[]>(key) ?? [], failure, most);
        tx.set(key, next, { expireInMs: 2 * guessWindowMs });
      };
      await add(this.ofAccount(email), { at: now, from }, kept.account);
      await add(this.ofAddress(from), now, kept.address);
      if (network) await add(network, now, kept.network);
    });
  }

  /** After a right password: the failures of its address were the owner's, and the address is known. */
  private async accept(email: string, from: string, { hasFailed, known }: Judged): Promise<void> {
    const login = { email, from, now: this.service.clock.now() };
    if (!hasFailed && withAddress(known, login) === null) return;
    await this.service.database.transact(async (tx) => {
      const failures = await tx.get<AccountFailures>(this.ofAccount(email));
      if (failures) {
        tx.set(this.ofAccount(email), withoutFailuresOf(failures, from), {
          expireInMs: 2 * guessWindowMs,
        });
      }
      const addresses = withAddress(
        await tx.get<KnownAddress[]>(this.addressesOf(email)) ?? [],
        login,
      );
      if (addresses) tx.set(this.addressesOf(email), addresses, { expireInMs: knownForMs });
    });
  }

  private ofAccount(email: string): Deno.KvKey {
    return keys.loginFailures("account", this.hash(email.toLowerCase()));
  }

  private ofAddress(from: string): Deno.KvKey {
    return keys.loginFailures("address", this.hash(from));
  }

  /** Of an IPv6 address; null for others: many customers share the /24 of an IPv4 address. */
  private ofNetwork(from: string): Deno.KvKey | null {
    const network = networkAround(from);
    return network.endsWith("/48") ? this.ofAddress(network) : null;
  }

  private addressesOf(email: string): Deno.KvKey {
    return keys.loginAddresses(this.hash(email.toLowerCase()));
  }

  private hash(text: string): string {
    return sha256Hex(this.area === "dashboard" ? text : `${this.area} ${text}`);
  }
}

function strangerAt(from: string): string[] {
  return ["others", networkAround(from), from];
}

function refuse(guess: Guess): void {
  if (guess.kind === "refused") throw tooMany(guess.limit, guess.retryAfterSeconds);
}

function tooMany(limit: number, retryAfterSeconds: number): ServiceError {
  // The interface has the windows minute, hour and day: 15 minutes are reported as hour.
  return rateLimited(limit, "hour", retryAfterSeconds, "Too many failed logins; try again later.");
}

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
