import type { Service } from "../../../domain/core/service.ts";
import { confirmed, ended, type SignedIn } from "./sign_in.ts";

/** Between two looks: an account with much news is looked at twice a second. */
const pauseMs = 500;

/**
 * Calls `end` once the login of a connection has ended: when its key expires, and within a second of the commit that ended
 * the key or the mailbox, also one of another instance. An account without news costs no reads. Returns what stops it.
 * Throws RATE_LIMIT_EXCEEDED if too many connections of the account are open.
 */
export function followLogin(service: Service, signedIn: SignedIn, end: () => void): () => void {
  const { clock, waiting } = service;
  const { userId, expiresAt } = signedIn;
  let stopped = false;
  const wait = waiting.begin(userId, "submission", {
    ...expiresAt !== undefined && { until: expiresAt },
    async confirm() {
      if (stopped) return;
      await confirmed(service, signedIn, { fresh: true }).catch((error) => {
        if (error === ended) throw error;
        // The database does not answer: it looks again.
        wait.wake();
      });
    },
  });
  const pause = () => new Promise<false>((go) => clock.wakeIn(pauseMs, () => go(false)));
  wait.until(pause).catch(() => stopped || end());
  return () => {
    stopped = true;
    wait[Symbol.dispose]();
  };
}
