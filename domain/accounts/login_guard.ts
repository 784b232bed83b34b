import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import {
  type AccountFailures,
  type AddressFailures,
  type Guess,
  guessWindowMs,
  judgeGuess,
  maxAccountFailures,
  withFailure,
  withoutFailuresOf,
} from "./guessing.ts";
import { sha256Hex } from "./secrets.ts";
import { Turns } from "./turns.ts";

/**
 * Runs logins one after another, so that parallel guesses are counted like guesses in sequence. The password thread
 * works on one at a time anyway. The counts are in the store, shared by all instances.
 */
export class LoginGuard {
  /** Registrations use the password thread too and take their turn here. */
  readonly turns = new Turns();

  constructor(private readonly service: { database: Database; clock: Clock }) {}

  /**
   * Runs `isRight`, which verifies the password, and counts a failure. Known and unknown emails are treated alike.
   * Throws RATE_LIMIT_EXCEEDED after too many failures, SERVICE_UNAVAILABLE if too many logins wait.
   */
  async attempt(email: string, from: string, isRight: () => Promise<boolean>): Promise<boolean> {
    // Refused before it waits, so that a guesser takes no turns from others.
    refuse(await this.judge(email, from));
    return await this.turns.take(from, () => this.take(email, from, isRight));
  }

  private async take(
    email: string,
    from: string,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const guess = await this.judge(email, from);
    refuse(guess);
    const right = await isRight();
    if (!right) await this.count(email, from);
    else if (guess.hasFailed) await this.forgive(email, from);
    if (!right && guess.kind === "right_only") {
      throw tooMany(maxAccountFailures, guess.retryAfterSeconds);
    }
    return right;
  }

  private async judge(email: string, from: string): Promise<Guess & { hasFailed: boolean }> {
    const { database, clock } = this.service;
    const [account, address] = await Promise.all([
      database.get<AccountFailures>(ofAccount(email)),
      database.get<AddressFailures>(ofAddress(from)),
    ]);
    const hasFailed = account?.some((failure) => failure.from === from) ?? false;
    return { ...judgeGuess(account ?? [], address ?? [], from, clock.now()), hasFailed };
  }

  private async count(email: string, from: string): Promise<void> {
    await this.service.database.transact(async (tx) => {
      const next = withFailure(
        await tx.get<AccountFailures>(ofAccount(email)) ?? [],
        await tx.get<AddressFailures>(ofAddress(from)) ?? [],
        from,
        this.service.clock.now(),
      );
      tx.set(ofAccount(email), next.account, { expireInMs: 2 * guessWindowMs });
      tx.set(ofAddress(from), next.address, { expireInMs: 2 * guessWindowMs });
    });
  }

  private async forgive(email: string, from: string): Promise<void> {
    await this.service.database.transact(async (tx) => {
      const now = await tx.get<AccountFailures>(ofAccount(email)) ?? [];
      tx.set(ofAccount(email), withoutFailuresOf(now, from), { expireInMs: 2 * guessWindowMs });
    });
  }
}

const ofAccount = (email: string) => keys.loginFailures("account", sha256Hex(email.toLowerCase()));
const ofAddress = (from: string) => keys.loginFailures("address", sha256Hex(from));

function refuse(guess: Guess): void {
  if (guess.kind === "refused") throw tooMany(guess.limit, guess.retryAfterSeconds);
}

function tooMany(limit: number, retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    "RATE_LIMIT_EXCEEDED",
    "Too many failed logins; try again later.",
    // The interface has the windows minute, hour and day: 15 minutes are reported as hour.
    { limit, window: "hour", retry_after: retryAfterSeconds },
    retryAfterSeconds,
  );
}
