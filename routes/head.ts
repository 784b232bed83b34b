import type { Hono } from "hono";
import type { Env } from "./http/env.ts";

/**
 * Answers HEAD with the whole answer of GET. `Deno.serve` sends the length of its body, if it is known, and drops the
 * body. Hono itself drops it before, and the answer would say `Content-Length: 0` (RFC 9110, 8.6: the length of GET's
 * body, or none). Must be the first middleware.
 */
export function answerHead(app: Hono<Env>): void {
  const whole = new WeakMap<Request, Response>();
  app.use("*", async (c, next) => {
    await next();
    if (c.req.method === "HEAD") whole.set(c.req.raw, c.res);
  });
  const inTurn = app.fetch;
  app.fetch = (request, env, context) => {
    const answer = inTurn(request, env, context);
    if (request.method !== "HEAD") return answer;
    return Promise.resolve(answer).then((bare) => whole.get(request) ?? bare);
  };
}
