import { Hono } from "hono";
import { health } from "../domain/health.ts";
import { notFound, ServiceError } from "../domain/errors.ts";
import type { Service } from "../domain/service.ts";
import { identify } from "./access.ts";
import { authRoutes, openAuthRoutes } from "./dashboard/auth.ts";
import { failure } from "./failures.ts";
import { mountInboundRaw } from "./inbound/raw.ts";
import { mountMcp } from "./mcp.ts";
import { mountOperator } from "./operator/accounts.ts";
import { RateLimiter } from "./rate_limit.ts";
import { type Env, inData, mount, type RestRoute } from "./rest.ts";
import { emailRoutes, mountRawDownload } from "./v1/emails.ts";
import { keyRoutes } from "./v1/keys.ts";
import { mailboxRoutes } from "./v1/mailboxes.ts";

const healthRoute: RestRoute = {
  method: "GET",
  path: "/v1/api/health",
  operation: health,
  input: "none",
  envelope: inData,
};
const openRoutes: RestRoute[] = [...openAuthRoutes];
const callerRoutes: RestRoute[] = [
  ...emailRoutes,
  ...mailboxRoutes,
  ...keyRoutes("/v1/api/keys"),
  ...keyRoutes("/api/keys"),
  ...authRoutes,
];

/** The HTTP side: who calls, whether they may now, then the routes; every failure ends in `failure`. */
export function createApp(service: Service): Hono<Env> {
  const app = new Hono<Env>();
  const limiter = new RateLimiter(service);
  app.onError((error, c) => failure(c, error, service.log));
  app.notFound((c) => failure(c, notFound("route"), service.log));

  app.use("*", async (c, next) => {
    c.set("guest", { clientAddress: clientAddress(c.env) });
    c.set("caller", null);
    await next();
  });
  app.use("/v1/api/health", async (c, next) => {
    limiter.look(c, c.get("guest"));
    await next();
  });
  mount(app, service, healthRoute, true);
  const access =
    (family: "v1" | "dashboard") =>
    async (c: Parameters<typeof identify>[1], next: () => Promise<void>) => {
      const caller = await identify(service, c, family);
      limiter.take(c, caller, c.get("guest"));
      c.set("caller", caller);
      await next();
    };
  app.use("/v1/*", access("v1"));
  app.use("/api/*", access("dashboard"));

  for (const route of openRoutes) mount(app, service, route, true);
  mountRawDownload(app, service);
  for (const route of callerRoutes) mount(app, service, route, false);
  mountMcp(app, service);
  mountInboundRaw(app, service);
  mountOperator(app, service);
  refuseOtherMethods(app, [healthRoute, ...openRoutes, ...callerRoutes]);
  return app;
}

/** A known path with another method is 405 with `Allow`, not 404 (DECISIONS.md 13). */
function refuseOtherMethods(app: Hono<Env>, routes: RestRoute[]): void {
  const allowed = new Map<string, string[]>([["/v1/api/emails/:messageId/raw", ["GET"]], [
    "/inbound/raw",
    ["POST"],
  ], ["/operator/accounts/plan", ["PUT"]]]);
  for (const { path, method } of routes) allowed.set(path, [...allowed.get(path) ?? [], method]);
  for (const [path, methods] of allowed) {
    app.all(path, (c) => {
      c.header("Allow", methods.join(", "));
      throw new ServiceError("METHOD_NOT_ALLOWED", undefined, {});
    });
  }
}

/** The peer's address, as Deno.serve tells it. */
function clientAddress(info: unknown): string {
  const address = (info as { remoteAddr?: { hostname?: string } } | undefined)?.remoteAddr;
  return address?.hostname ?? "";
}
