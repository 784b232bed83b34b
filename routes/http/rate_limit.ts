import type { Context } from "hono";
import { type RateLimitStatus, retryAfterSeconds } from "../../domain/billing/windows.ts";
import { rateLimited, ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Caller } from "../../domain/core/caller.ts";
import type { Env } from "./env.ts";

/**
 * Counts the request and sets the limit headers. It counts for the session if it came `byCookie`, else for the caller's
 * account and key, or without a caller for the client address. Returns the error if the limit is exceeded; it is not thrown,
 * because a refusal must cost little.
 */
export async function countRequest(
  c: Context<Env>,
  service: Service,
  byCookie: boolean,
): Promise<ServiceError | null> {
  const caller = c.get("caller");
  if (!caller) return await countGuest(c, service);
  const { rateLimiter } = service;
  const { passed, status, undo } = byCookie && caller.sessionId !== undefined
    ? await rateLimiter.admitSession(caller.sessionId)
    : await rateLimiter.admitCaller(caller, false);
  show(c, status);
  c.set("uncount", undo && (() => show(c, undo())));
  return passed ? null : rateLimitExceeded(service, status);
}

/**
 * Whether a request was refused because too many requests of its account wait or stream at the same time. It costs no
 * request, like one that a full window refuses. A refusal after more work (`window: "thread"`) counts.
 */
export function isFree(error: unknown): boolean {
  return error instanceof ServiceError && error.details.window === "concurrent";
}

/** Counts the request for its client address. */
export async function countGuest(c: Context<Env>, service: Service): Promise<ServiceError | null> {
  const { passed, status } = await service.rateLimiter.admitAddress(c.get("guest").clientAddress);
  show(c, status);
  return passed ? null : rateLimitExceeded(service, status);
}

/**
 * Counts a request with a wrong token or signature for its client address. Returns `error`, or RATE_LIMIT_EXCEEDED if the
 * address has no request left.
 */
export async function wrongProof(
  c: Context<Env>,
  service: Service,
  error: ServiceError,
): Promise<ServiceError> {
  return await countGuest(c, service) ?? error;
}

/** Sets the headers of the anonymous window without counting: health, and providers with a signature. */
export async function showGuest(c: Context<Env>, service: Service): Promise<void> {
  show(c, await service.rateLimiter.statusOfAddress(c.get("guest").clientAddress));
}

/** Sets the headers of the windows of the caller's account and key without counting. */
export async function showAccount(
  c: Context<Env>,
  service: Service,
  caller: Caller,
  mcp: boolean,
): Promise<void> {
  show(c, await service.rateLimiter.statusOfCaller(caller, mcp));
}

/**
 * Counts one call of an MCP tool, in the windows of the account and the key and in the MCP minute. Returns the error if a limit is
 * exceeded.
 */
export async function countMcpCall(
  c: Context<Env>,
  service: Service,
  caller: Caller,
): Promise<ServiceError | null> {
  const { passed, status, undo } = await service.rateLimiter.admitCaller(caller, true);
  show(c, status);
  c.set("uncount", undo);
  if (passed) return null;
  const error = rateLimitExceeded(service, status);
  c.header("Retry-After", String(error.retryAfterSeconds));
  return error;
}

/** Sets the headers of an answer that could not be counted, such as 503 while the database does not answer. */
export function showUncounted(c: Context<Env>, service: Service): void {
  show(c, service.rateLimiter.uncounted());
}

function rateLimitExceeded(service: Service, status: RateLimitStatus): ServiceError {
  const { limit, window } = status;
  return rateLimited(limit, window, retryAfterSeconds(status, service.clock.now()));
}

/** The reset is in whole seconds since 1970. */
export function limitHeaders({ limit, remaining, resetAt }: RateLimitStatus) {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(resetAt / 1_000)),
  };
}

function show(c: Context<Env>, status: RateLimitStatus): void {
  for (const [name, value] of Object.entries(limitHeaders(status))) c.header(name, value);
}
