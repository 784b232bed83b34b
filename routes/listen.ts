import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { TookTooLong, within } from "../domain/core/work/within.ts";
import { createApp } from "./app.ts";
import { exceptionFacts } from "./http/failures.ts";
import { Intake } from "./http/bodies/intake.ts";

/** The HTTP side while it listens. */
export interface HttpListener {
  /**
   * Accepts no further request. Those in flight have `graceMs` to end; a body that is incomplete then is answered with 503.
   * Resolves at the latest a second after that.
   */
  close(graceMs: number): Promise<void>;
}

/** Pause before the next try to listen while no file descriptor is free. */
const againMs = 500;
/** While there are no free descriptors every try fails: at most one log line in this time. */
const logAgainMs = 60_000;
/** Connections that are still open are idle, or their client does not read. */
const connectionsMs = 500;

/**
 * Serves the app. If the runtime cannot accept a connection (EMFILE: no file descriptor is free) it ends its server; open
 * connections continue. The service then listens again as soon as it can. Throws what the first `Deno.serve` throws.
 * Without a hostname and port the platform chooses the address.
 */
export function listenHttp(
  service: Service,
  where: { hostname?: string; port?: number },
  onListen: (address: Deno.NetAddr) => void,
): HttpListener {
  const { log, clock } = service;
  const intake = new Intake(clock);
  const app = createApp(service, intake);
  let loggedAt = -Infinity;
  let closed = false;
  let server: Deno.HttpServer<Deno.NetAddr>;
  const serve = (listening: (address: Deno.NetAddr) => void) => {
    server = Deno.serve({
      ...where,
      onListen: listening,
      onError(error) {
        log.error("http.failed", exceptionFacts(error));
        return new Response(null, { status: 500 });
      },
    }, (request, info) => app.fetch(request, info));
    server.finished.catch(failed);
  };
  const failed = (error: unknown) => {
    if (closed) return;
    if (clock.now() - loggedAt >= logAgainMs) {
      loggedAt = clock.now();
      log.error("http.accept_failed", {
        error: describeError(error),
        meaning: "no connection can be accepted; the service tries again until it can",
      });
    }
    clock.wakeIn(againMs, () => {
      if (closed) return;
      try {
        serve(({ hostname, port }) => log.info("http.listening_again", { hostname, port }));
      } catch (again) {
        failed(again);
      }
    });
  };
  serve(onListen);
  return {
    async close(graceMs) {
      // Not `shutdown` first: it would break off the bodies that are arriving.
      await intake.close(graceMs);
      closed = true;
      await within(service.clock, server.shutdown(), connectionsMs).catch((error) => {
        if (!(error instanceof TookTooLong)) throw error;
      });
    },
  };
}
