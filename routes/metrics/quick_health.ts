import type { MiddlewareHandler } from "hono";
import type { Service } from "../../domain/core/service.ts";
import { knownHealth } from "../../domain/health.ts";
import type { Intake } from "../http/bodies/intake.ts";
import type { ClientFinder } from "../http/client.ts";
import { inData } from "../http/envelopes.ts";
import type { Env } from "../http/env.ts";
import { limitHeaders } from "../http/rate_limit.ts";
import { isHttps, strictTransport } from "../http/security_headers.ts";
import { countAnswered } from "./measure_requests.ts";

/**
 * Answers health if all that the answer contains is in memory. Other requests for health go on to its route, whose
 * answer is the same and takes three times as long. Monitors ask often.
 */
export function quickHealth(
  service: Service,
  intake: Intake,
  clientOf: ClientFinder,
): MiddlewareHandler<Env> {
  const { clock, ids, rateLimiter, settings } = service;
  const fixed = {
    ...isHttps(settings) && { "Strict-Transport-Security": strictTransport },
    "Content-Type": "application/json",
  };
  return async (c, next) => {
    const begunAt = clock.elapsed();
    const output = knownHealth(service);
    const standing = output && rateLimiter.knownStandingOfAddress(clientOf(c).clientAddress);
    if (!standing || !intake.enter()) return await next();
    intake.leave();
    const answer = new Response(JSON.stringify(inData.body(output, noInput)), {
      headers: { "X-Request-Id": ids.random(), ...fixed, ...limitHeaders(standing) },
    });
    countAnswered(service, c.req.method, c.req.path, answer.status, begunAt);
    return answer;
  };
}

const noInput = () => ({});
