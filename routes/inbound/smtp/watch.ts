import type { Clock } from "../../../domain/core/clock.ts";
import { describeError, type Log } from "../../../domain/core/log.ts";
import { within } from "../../../domain/core/work/within.ts";
import type { SmtpListener } from "./smtp_server.ts";

/**
 * Together with the two waits for a greeting, the listener is back 3.3 s after a descriptor is free; 5 s are promised.
 */
const everyMs = 1_000;
const againMs = 250;
/** A connection is greeted within milliseconds. */
const answerMs = 1_000;
/** After one silent look the listener may only be busy. */
const looksToBelieve = 2;

/**
 * Listens again if the listener has gone silent. After EMFILE (no descriptor is left) the runtime stops accepting
 * connections without an error; only a connection that is not greeted shows it. Returns a function that ends the watch.
 */
export function watchSmtp(
  listener: Pick<SmtpListener, "port" | "listenAgain">,
  hostname: string,
  { clock, log }: { clock: Clock; log: Log },
): () => void {
  let ended = false;
  let silentLooks = 0;
  let cancel = () => {};
  const next = () => {
    cancel = clock.wakeIn(silentLooks > 0 ? againMs : everyMs, look);
  };
  const look = async () => {
    try {
      const isSilentNow = !ended && await isSilent(clock, hostname, listener.port);
      silentLooks = isSilentNow ? silentLooks + 1 : 0;
      if (silentLooks >= looksToBelieve && !ended) {
        silentLooks = 0;
        log.error("smtp.accept_failed", {
          meaning: "connections are not greeted, as without file descriptors; listening again",
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

/** Whether a connection to the port is not greeted. False if no descriptor is free for the attempt. */
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
