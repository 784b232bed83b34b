import type { Context, MiddlewareHandler } from "hono";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { identify, requireSameOrigin } from "./access.ts";
import { failure } from "./failures.ts";
import { countRequest, isFree, showAccount, showUncounted } from "./rate_limit.ts";
import type { Env } from "./env.ts";

/**
 * Finds the caller, counts the request, and refuses a change by cookie from another origin. A request without a caller
 * passes: routes decide. Without `isCounted` only a request without a caller is counted.
 */
export function admit(
  service: Service,
  { isCounted }: { isCounted: boolean } = { isCounted: true },
): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set("confirmCaller", async ({ fresh } = { fresh: false }) => {
      const { caller } = await identify(service, c, c.get("family"), fresh);
      if (!caller) throw new ServiceError("UNAUTHORIZED");
      c.set("caller", caller);
    });
    const { byCookie, refusal } = await countedCaller(service, c, isCounted);
    if (refusal) return failure(c, refusal, service);
    if (byCookie) requireSameOrigin(service, c);
    await next();
    if (isFree(c.error)) c.get("uncount")?.();
  };
}

async function countedCaller(service: Service, c: Context<Env>, isCounted: boolean) {
  const family = c.get("family");
  try {
    const { caller, byCookie } = await identify(service, c, family);
    c.set("caller", caller);
    // MCP counts its tool calls itself: other messages of the protocol are free for an account.
    if (!caller || (isCounted && family !== "mcp")) {
      return { byCookie, refusal: await countRequest(c, service, byCookie) };
    }
    await showAccount(c, service, caller, family === "mcp");
    return { byCookie, refusal: null };
  } catch (error) {
    // The answer has the headers even if the database does not answer.
    showUncounted(c, service);
    throw error;
  }
}
