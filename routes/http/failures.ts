import type { Context } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type ErrorCode, errorMessages, ServiceError } from "../../domain/core/errors.ts";
import { describeError, type Facts, type Log } from "../../domain/core/log.ts";
import type { Service } from "../../domain/core/service.ts";
import { challengeOf } from "../oauth/challenge.ts";
import type { Family } from "./families.ts";
import type { Env } from "./env.ts";

/** HTTP status of every code; docs/specification.md "Errors". A new code without one does not compile. */
export const statusOf: Record<ErrorCode, ContentfulStatusCode> = {
  BAD_REQUEST: 400,
  MISSING_FIELDS: 400,
  VALIDATION_ERROR: 400,
  VERIFICATION_FAILED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  EMAIL_NOT_VERIFIED: 403,
  MAILBOX_QUOTA: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  EMAIL_TAKEN: 409,
  DOMAIN_HAS_MAILBOXES: 409,
  CLAIM_LOST: 409,
  CURSOR_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  EMAIL_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  LOCAL_TOO_SHORT: 422,
  INVALID_LOCAL: 422,
  DISALLOWED_LOCAL: 422,
  DOMAIN_MISMATCH: 422,
  DOMAIN_NOT_ALLOWED: 422,
  NO_TEXT: 422,
  RECIPIENT_BLOCKED: 422,
  RECIPIENT_REJECTED: 422,
  RECIPIENT_SUPPRESSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
};

/** The `error` object of every failure body; empty `details` are left out. */
export function errorBody(
  error: ServiceError,
): { code: ErrorCode; message: string; details?: Record<string, unknown> } {
  const { code, message, details } = error;
  return Object.keys(details).length > 0 ? { code, message, details } : { code, message };
}

/**
 * The error to show. An unexpected exception is logged with `request`, and shown as INTERNAL_ERROR without its text.
 */
export function toServiceError(error: unknown, log: Log, request: RequestFacts): ServiceError {
  if (error instanceof ServiceError) return error;
  log.error("request.failed", { ...exceptionFacts(error), ...request });
  return new ServiceError("INTERNAL_ERROR", errorMessages.INTERNAL_ERROR);
}

/** Which request failed; the caller has the same id in X-Request-Id. */
export interface RequestFacts extends Facts {
  requestId: string;
  /** The method and the route's template, without the ids of the path. */
  route: string;
}

export function requestFacts(c: Context<Env>): RequestFacts {
  // The first path without a wildcard is the route's; the others belong to middleware.
  const own = matchedRoutes(c).find(({ path }) => !path.endsWith("*"));
  return {
    requestId: c.get("requestId"),
    route: `${c.req.method} ${own?.path ?? routePath(c)}`,
  };
}

/** Enough for the frames of the service's own files. */
const maxStackLength = 2_000;

/** An exception for a log line: its kind with the first line of its text, and its stack. Both are cut. */
export function exceptionFacts(error: unknown): Facts {
  const frames = error instanceof Error ? error.stack?.match(/^\s+at .*$/gm) : null;
  const stack = frames?.map((frame) => frame.trim()).join("\n").slice(0, maxStackLength);
  return { error: describeError(error), stack };
}

/** The one place where a failure becomes an HTTP answer. */
export function failure(
  c: Context<Env>,
  thrown: unknown,
  { log, settings }: Pick<Service, "log" | "settings">,
): Response {
  const error = toServiceError(thrown, log, requestFacts(c));
  const body = { success: false, error: errorBody(onDashboard(c.get("family"), error)) };
  const challenge = challengeOf(c, settings, error);
  return c.json(body, statusOf[error.code], {
    ...failureHeaders(error),
    ...(challenge === null ? {} : { "WWW-Authenticate": challenge }),
  });
}

export function failureHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) {
    headers["Retry-After"] = String(error.retryAfterSeconds);
  }
  // The rest of the body is not read: the connection cannot carry another request.
  if (error.code === "REQUEST_TIMEOUT") headers.Connection = "close";
  return headers;
}

/** The dashboard family has the field messages in `details.field_errors`. */
function onDashboard(family: Family, error: ServiceError): ServiceError {
  if (
    error.code !== "VALIDATION_ERROR" || family !== "dashboard" ||
    "field_errors" in error.details
  ) return error;
  return new ServiceError(error.code, error.message, { field_errors: error.details });
}
