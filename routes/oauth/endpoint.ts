import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { OAuthError } from "../../domain/apps/oauth_error.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { readBytes } from "../http/bodies/body.ts";
import type { Env } from "../http/env.ts";
import { failureHeaders, requestFacts, statusOf, toServiceError } from "../http/failures.ts";

/** No request of OAuth needs more. */
export const maxBodyBytes = 16 * 1024;

/** What a page of another origin may send and read: no endpoint here reads a cookie (Fetch standard, 3.3). */
const preflight = {
  "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
  "Access-Control-Max-Age": "86400",
};

/** Mounts an endpoint that clients in browsers call too. Its failures are those of OAuth. */
export function mountEndpoint(
  app: Hono<Env>,
  service: Service,
  method: "GET" | "POST",
  path: string,
  answer: (c: Context<Env>) => Response | Promise<Response>,
): void {
  app.all(path, async (c) => {
    c.header("Access-Control-Allow-Origin", "*");
    if (c.req.method === "OPTIONS") {
      return c.body(null, 204, { ...preflight, "Access-Control-Allow-Methods": method });
    }
    const isRight = c.req.method === method || (method === "GET" && c.req.method === "HEAD");
    if (!isRight) {
      c.header("Allow", method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
      throw new ServiceError("METHOD_NOT_ALLOWED");
    }
    try {
      return await answer(c);
    } catch (thrown) {
      return failed(c, service, thrown);
    }
  });
}

/** `{error, error_description}` (RFC 6749, 5.2). */
function failed(c: Context<Env>, { log }: Service, thrown: unknown): Response {
  if (thrown instanceof OAuthError) {
    return c.json({ error: thrown.error, error_description: thrown.description }, 400);
  }
  const error = toServiceError(thrown, log, requestFacts(c));
  const status: ContentfulStatusCode = statusOf[error.code];
  const code = status === 500
    ? "server_error"
    : status === 429 || status === 503
    ? "temporarily_unavailable"
    : "invalid_request";
  return c.json({ error: code, error_description: error.message }, status, failureHeaders(error));
}

/** The parameters of a form. */
export class Form {
  constructor(private readonly values: URLSearchParams) {}

  /** A parameter; undefined if it is absent or empty. Throws `invalid_request` if it is given twice (RFC 6749, 3.2). */
  optional(name: string): string | undefined {
    const [value, ...more] = this.values.getAll(name);
    if (more.length > 0) throw new OAuthError("invalid_request", `${name} is given twice.`);
    return value || undefined;
  }

  /** The same; throws `invalid_request` if it is absent. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing.`);
    return value;
  }

  /** A parameter that may be given several times. */
  all(name: string): string[] {
    return this.values.getAll(name).filter((value) => value !== "");
  }
}

export async function readForm(c: Context<Env>): Promise<Form> {
  const type = (c.req.header("content-type") ?? "").split(";")[0].trim().toLowerCase();
  const bytes = await readBytes(c, maxBodyBytes);
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError(
      "invalid_request",
      "The Content-Type must be application/x-www-form-urlencoded.",
    );
  }
  return new Form(new URLSearchParams(new TextDecoder().decode(bytes)));
}
