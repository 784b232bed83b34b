import { trace } from "@opentelemetry/api";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Service } from "../../domain/core/service.ts";
import { pagePaths } from "../dashboard/pages.ts";
import type { Env } from "../http/env.ts";

const pages = new Set<string>(pagePaths);

/** A client may send any token as its method. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Counts every request and its time, by the template of its route. Of an event stream only the time until its head is
 * sent counts. With OTEL_DENO=true the span that Deno makes for a request is named by the template too.
 */
export function measureRequests(service: Service): MiddlewareHandler<Env> {
  return async (c, next) => {
    const begunAt = service.clock.elapsed();
    await next();
    countAnswered(service, c.req.method, templateOf(c), c.res.status, begunAt);
  };
}

/** Counts one request. `begunAt` is by `clock.elapsed()`. */
export function countAnswered(
  { clock, metrics, idleMemory }: Service,
  sentMethod: string,
  route: string,
  status: number,
  begunAt: number,
): void {
  idleMemory.note();
  const method = methods.has(sentMethod) ? sentMethod : "other";
  const span = trace.getActiveSpan();
  span?.updateName(`${method} ${route}`);
  span?.setAttribute("http.route", route);
  metrics.requests.add([method, route, String(status)]);
  metrics.requestDuration.observe((clock.elapsed() - begunAt) / 1_000, [method, route]);
}

/** `/v1/api/emails/:messageId`; `other` for a path that no route has. */
function templateOf(c: Context<Env>): string {
  // Other paths with a wildcard belong to middleware.
  return matchedRoutes(c).find(({ path }) => pages.has(path) || !path.endsWith("*"))?.path ??
    "other";
}
