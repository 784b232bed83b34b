import type { Context, MiddlewareHandler } from "hono";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { identify, requireSameOrigin } from "./access.ts";
import { failure } from "./failures.ts";
import { countRequest, isFree, showAccount, showUncounted } from "./rate_limit.ts";
import type { Env } from "./env.ts";

/**
 * Finds the caller, counts the request, and refuses a change by cookie from another origin. A request without a caller
 * passes: routes decide.
 */
export function admit(service: Service): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set("confirmCaller", async ({ fresh } = { fresh: false }) => {
      const { caller } = await identify(service, c, c.get("family"), fresh);
      if (!caller) throw new ServiceError("UNAUTHORIZED");
      c.set("caller", caller);
    });
    const { byCookie, refusal } = await countedCaller(service, c);
    if (refusal) return failure(c, refusal, service);
    if (byCookie) requireSameOrigin(service, c);
    await next();
    if (isFree(c.error)) c.get("uncount")?.();
  };
}

async function countedCaller(service: Service, c: Context<Env>) {
  const family = c.get("family");
  try {
    const { caller, byCookie } = await identify(service, c, family);
    c.set("caller", caller);
    // MCP counts its tool calls itself: other messages of the protocol are free for an account.
    if (!caller || family !== "mcp") {
      return { byCookie, refusal: await countRequest(c, service, byCookie) };
    }
    await showAccount(c, service, caller, true);
    return { byCookie, refusal: null };
  } catch (error) {
    // The answer has the headers even if the database does not answer.
    showUncounted(c, service);
    throw error;
  }
}
