import { hash } from "node:crypto";
import { ServiceError, unavailable } from "../../core/errors.ts";
import { describeError } from "../../core/log.ts";
import type { Service } from "../../core/service.ts";
import { FairTurns } from "../../core/work/fair_turns.ts";
import { TookTooLong, within } from "../../core/work/within.ts";
import {
  type IdentityProvider,
  ProviderFailure,
  type SignInSecrets,
} from "../../ports/identity_provider.ts";

/** A person waits. */
const longestMs = 9_000;
/** Questions at once, and of them for one client address. */
const slots = 16, slotsOfAddress = 4;
/** Questions that wait. */
const room = { ofOwner: 20, all: 200 };

/** Asks the provider something for a client address. */
export type AskProvider = <Answer>(
  clientAddress: string,
  question: (provider: IdentityProvider) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Returns what asks the provider, for client addresses in turn. It throws SERVICE_UNAVAILABLE if the provider does not
 * answer within 9 s, FORBIDDEN if it did not let the person in, BAD_REQUEST if its answer does not hold.
 */
export function providerAsker(
  service: Pick<Service, "clock" | "log">,
  provider: IdentityProvider,
): AskProvider {
  const { clock, log } = service;
  const down = () => unavailable(`${provider.name} does not answer now.`, 30);
  const turns = new FairTurns(slots, clock, {
    slotsOfOwner: slotsOfAddress,
    room: { ...room, refusal: () => unavailable("Too many people sign in at once.", 5) },
  });
  return async (clientAddress, question) => {
    const tooLate = new AbortController();
    const asked = turns.run(clientAddress, () => question(provider), tooLate.signal);
    try {
      return await within(clock, asked, longestMs);
    } catch (error) {
      // Who still waits for a turn asks no more.
      tooLate.abort(error);
      const isKnown = error instanceof ProviderFailure || error instanceof TookTooLong;
      if (!isKnown) throw error;
      const kind = error instanceof ProviderFailure ? error.kind : "down";
      log.warn("sign_in.provider_failed", { kind, error: describeError(error) });
      if (kind === "down") throw down();
      throw kind === "refused"
        ? new ServiceError("FORBIDDEN", `${provider.name} did not let you in.`)
        : new ServiceError(
          "BAD_REQUEST",
          "The answer of the provider belongs to no sign-in of yours.",
        );
    }
  };
}

/** The secrets of a sign-in, made of the one that the browser keeps in a cookie. */
export function secretsOf(secret: string): SignInSecrets {
  const part = (name: string) => hash("sha256", `${name} ${secret}`, "base64url");
  return { state: part("state"), nonce: part("nonce"), codeVerifier: part("verifier") };
}
