import type { Service } from "../../domain/core/service.ts";
import { knownHealth } from "../../domain/health.ts";
import type { Intake } from "../http/bodies/intake.ts";
import type { ClientFinder } from "../http/client.ts";
import { inData } from "../http/envelopes.ts";
import { limitHeaders } from "../http/rate_limit.ts";
import { isHttps, strictTransport } from "../http/security_headers.ts";
import { countAnswered } from "./measure_requests.ts";

/**
 * Answers a request for health if all that the answer contains is in memory; null for every other request. Then the app
 * answers: for health the same, at a third of the speed. Monitors ask often.
 */
export function quickHealth(
  service: Service,
  intake: Intake,
  clientOf: ClientFinder,
  path: string,
): (request: Request, env: unknown) => Response | null {
  const { clock, ids, rateLimiter, settings } = service;
  const fixed = {
    ...isHttps(settings) && { "Strict-Transport-Security": strictTransport },
    "Content-Type": "application/json",
  };
  return (request, env) => {
    const begunAt = clock.elapsed();
    const { url, method } = request;
    if (!url.endsWith(path) || !isWhole(url, path) || method !== "GET" && method !== "HEAD") {
      return null;
    }
    const output = knownHealth(service);
    const status = output &&
      rateLimiter.knownStatusOfAddress(clientOf(request, env).clientAddress);
    if (!status || !intake.enter()) return null;
    intake.leave();
    const answer = new Response(JSON.stringify(inData.body(output, noInput)), {
      headers: { "X-Request-Id": ids.random(), ...fixed, ...limitHeaders(status) },
    });
    countAnswered(service, method, path, answer.status, begunAt);
    return answer;
  };
}

/** Whether the path of a URL that ends with `path` is nothing more. */
function isWhole(url: string, path: string): boolean {
  return url.indexOf("/", url.indexOf("://") + 3) === url.length - path.length;
}

const noInput = () => ({});
