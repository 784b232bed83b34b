import type { Clock } from "../../../domain/core/clock.ts";
import { describeError, type Log } from "../../../domain/core/log.ts";
import { within } from "../../../domain/core/within.ts";
import type { SmtpListener } from "./listen_smtp.ts";

/** With `answerMs` and the time to listen again, the listener is back within 5 s of the first free descriptor. */
const everyMs = 1_000;
/** A connection is greeted within milliseconds. */
const answerMs = 1_000;
/** One look can find a listener that is only busy. */
const looksToBelieve = 2;

/**
 * Listens again where the listener has gone silent. When the runtime can accept no connection (EMFILE: no descriptor is left)
 * it stops accepting and tells nobody; only a connection that is not greeted shows it. Answers how to end the watch.
 */
export function watchSmtp(
  listener: SmtpListener,
  hostname: string,
  { clock, log }: { clock: Clock; log: Log },
): () => void {
  let ended = false;
  let silentLooks = 0;
  let cancel = () => {};
  const next = () => cancel = clock.wakeAt(clock.now() + everyMs, look);
  const look = async () => {
    try {
      const isSilentNow = !ended && await isSilent(clock, hostname, listener.port);
      silentLooks = isSilentNow ? silentLooks + 1 : 0;
      if (silentLooks >= looksToBelieve && !ended) {
        silentLooks = 0;
        log.error("smtp.accept_failed", {
          meaning: "a connection is not greeted, as without descriptors; listening again",
        });
        await listener.listenAgain();
        log.info("smtp.listening_again", { port: listener.port });
      }
    } catch (error) {
      log.warn("smtp.not_listening", { port: listener.port, error: describeError(error) });
    }
    if (!ended) next();
  };
  next();
  return () => {
    ended = true;
    cancel();
  };
}

/** Whether a connection to the port is not greeted. False while no descriptor is there to try with. */
async function isSilent(clock: Clock, hostname: string, port: number): Promise<boolean> {
  const own = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  let connection: Deno.TcpConn;
  try {
    connection = await Deno.connect({ hostname: own, port });
  } catch (error) {
    return error instanceof Deno.errors.ConnectionRefused;
  }
  try {
    const greeting = await within(clock, connection.read(new Uint8Array(64)), answerMs);
    return greeting === null;
  } catch {
    return true;
  } finally {
    connection.close();
  }
}
