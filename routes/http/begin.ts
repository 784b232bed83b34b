import type { MiddlewareHandler } from "hono";
import { unavailable } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { ClientFinder } from "./client.ts";
import { Connections } from "./connections.ts";
import { familyOf } from "./families.ts";
import { type Intake, stopping } from "./bodies/intake.ts";
import { showUncounted } from "./rate_limit.ts";
import { securityHeaders } from "./security_headers.ts";
import type { Env } from "./env.ts";

/**
 * The first step of every request: sets its id, headers and client, and counts it among those in flight until it ends.
 */
export function begin(
  service: Service,
  intake: Intake,
  guestOf: ClientFinder,
): MiddlewareHandler<Env> {
  const connections = new Connections(service);
  return async (c, next) => {
    const requestId = service.ids.random();
    c.set("requestId", requestId);
    c.header("X-Request-Id", requestId);
    const family = familyOf(c.req.path);
    c.set("family", family);
    securityHeaders(c, family, service.settings);
    if (!intake.enter()) {
      showUncounted(c, service);
      throw stopping();
    }
    if (!connections.enter(c.env)) {
      intake.leave();
      showUncounted(c, service);
      throw unavailable("This connection has too many requests at once.");
    }
    c.set("guest", guestOf(c.req.raw, c.env));
    c.set("caller", null);
    c.set("intake", intake);
    c.set("bodyShare", null);
    c.set("answerShare", null);
    try {
      await connections.turn(c.get("guest"));
      await next();
    } finally {
      c.get("bodyShare")?.release();
      const share = c.get("answerShare");
      if (share && !share.isSending) share.release();
      intake.leave();
    }
  };
}
