import type { Clock } from "../../../domain/core/clock.ts";
import { describeError, type Log } from "../../../domain/core/log.ts";
import type { SmtpListener } from "./smtp_server.ts";
import type { TlsPair } from "./tls_pair.ts";

/** Certificates are renewed days before they end. */
const everyMs = 3_600_000;

/**
 * Reads the key and the certificate again every hour, and gives them to the listener if they have changed. If they cannot
 * be read, or do not match, the listener keeps those that it has. Returns a function that ends this.
 */
export function renewTls(
  listener: Pick<SmtpListener, "useTls">,
  inUse: TlsPair,
  read: () => Promise<TlsPair | undefined>,
  { clock, log }: { clock: Clock; log: Log },
): () => void {
  let ended = false;
  let cancel = () => {};
  const look = async () => {
    try {
      const found = await read();
      if (!ended && found && (found.cert !== inUse.cert || found.key !== inUse.key)) {
        listener.useTls(found);
        inUse = found;
        log.info("smtp.certificate_renewed");
      }
    } catch (error) {
      log.warn("smtp.certificate_unreadable", { error: describeError(error) });
    }
    if (!ended) next();
  };
  const next = () => {
    cancel = clock.wakeIn(everyMs, look);
  };
  next();
  return () => {
    ended = true;
    cancel();
  };
}
