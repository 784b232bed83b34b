import { describeError } from "../domain/core/log.ts";
import type { Service } from "../domain/core/service.ts";
import { TookTooLong, within } from "../domain/core/within.ts";
import { createApp } from "./app.ts";
import { exceptionFacts } from "./http/failures.ts";
import { Intake } from "./http/intake.ts";

/** The HTTP side while it listens. */
export interface HttpListener {
  /**
   * Takes no further request; those under way have `graceMs` to end, then a body that is still on its way is answered
   * with 503. Resolves at the latest a second after that.
   */
  close(graceMs: number): Promise<void>;
}

/** Without descriptors nobody can be let in. They are asked for again after this time. */
const againMs = 500;
/** While descriptors are short, each try fails: one line in this time says so. */
const sayAgainMs = 60_000;
/** The connections that are open at the end have nothing under way, or a client that does not read. */
const connectionsMs = 500;

/**
 * Serves the app. When the runtime can accept no connection (EMFILE: no descriptor is left) it ends its server; connections
 * that are open go on. The service then listens again as soon as it can. Throws what the first `Deno.serve` throws.
 *
 * Without a hostname and port the platform decides where it listens.
 */
export function listenHttp(
  service: Service,
  where: { hostname?: string; port?: number },
  onListen: (address: Deno.NetAddr) => void,
): HttpListener {
  const { log, clock } = service;
  const intake = new Intake(clock);
  const app = createApp(service, intake);
  let saidAt = -Infinity;
  let closed = false;
  let server: Deno.HttpServer<Deno.NetAddr>;
  const serve = (said: (address: Deno.NetAddr) => void) => {
    server = Deno.serve({
      ...where,
      onListen: said,
      onError(error) {
        log.error("http.failed", exceptionFacts(error));
        return new Response(null, { status: 500 });
      },
    }, (request, info) => app.fetch(request, info));
    server.finished.catch(failed);
  };
  const failed = (error: unknown) => {
    if (closed) return;
    if (clock.now() - saidAt >= sayAgainMs) {
      saidAt = clock.now();
      log.error("http.accept_failed", {
        error: describeError(error),
        meaning: "no connection can be accepted; tried again until it can",
      });
    }
    clock.wakeAt(clock.now() + againMs, () => {
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
      // Not `shutdown` first: it breaks off the bodies that are on their way.
      await intake.close(graceMs);
      closed = true;
      await within(service.clock, server.shutdown(), connectionsMs).catch((error) => {
        if (!(error instanceof TookTooLong)) throw error;
      });
    },
  };
}
