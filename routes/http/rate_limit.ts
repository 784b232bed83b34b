import type { Context } from "hono";
import { refusalDetails, type Standing } from "../../domain/billing/windows.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Env } from "./rest.ts";
import type { Caller } from "../../domain/core/caller.ts";

/**
 * Counts the request of a caller, or of a client address without one, and says in the headers where that stands.
 * Answers the error of a request that is too many; it is not thrown, because a refusal must cost little.
 */
export async function countRequest(
  c: Context<Env>,
  service: Service,
): Promise<ServiceError | null> {
  const caller = c.get("caller");
  if (!caller) return await countGuest(c, service);
  const { passed, standing } = await service.rateLimiter.admitAccount(
    caller.userId,
    caller.plan,
    false,
  );
  show(c, standing);
  return passed ? null : rateLimitExceeded(service, standing);
}

/** Counts the request of a client address without a valid credential. */
export async function countGuest(c: Context<Env>, service: Service): Promise<ServiceError | null> {
  const { passed, standing } = await service.rateLimiter.admitAddress(c.get("guest").clientAddress);
  show(c, standing);
  return passed ? null : rateLimitExceeded(service, standing);
}

/**
 * Counts a request that showed a wrong token or signature for its client address. The error to answer: the one given, or
 * RATE_LIMIT_EXCEEDED where the address has no request left.
 */
export async function wrongProof(
  c: Context<Env>,
  service: Service,
  error: ServiceError,
): Promise<ServiceError> {
  return await countGuest(c, service) ?? error;
}

/** The headers of the anonymous window, for what costs nothing: health, and providers that prove themselves. */
export async function showGuest(c: Context<Env>, service: Service): Promise<void> {
  show(c, await service.rateLimiter.standingOfAddress(c.get("guest").clientAddress));
}

/** The headers of an account that is not counted for this request, or not yet. */
export async function showAccount(
  c: Context<Env>,
  service: Service,
  caller: Caller,
  mcp: boolean,
): Promise<void> {
  show(c, await service.rateLimiter.standingOfAccount(caller.userId, caller.plan, mcp));
}

/** One call of an MCP tool: of the account's windows and the MCP minute. The error to answer, or null. */
export async function countMcpCall(
  c: Context<Env>,
  service: Service,
  caller: Caller,
): Promise<ServiceError | null> {
  const { passed, standing } = await service.rateLimiter.admitAccount(
    caller.userId,
    caller.plan,
    true,
  );
  show(c, standing);
  if (passed) return null;
  const error = rateLimitExceeded(service, standing);
  c.header("Retry-After", String(error.retryAfterSeconds));
  return error;
}

/** The headers of an answer that comes before anything could be counted, such as 503 of a database that is away. */
export function showUncounted(c: Context<Env>, service: Service): void {
  show(c, service.rateLimiter.uncounted());
}

function rateLimitExceeded(service: Service, standing: Standing): ServiceError {
  const details = refusalDetails(standing, service.clock.now());
  return new ServiceError("RATE_LIMIT_EXCEEDED", undefined, details, details.retry_after);
}

/** SPEC.md, Limits: the headers of every API response; the reset in whole seconds since 1970. */
function show(c: Context<Env>, { limit, remaining, resetAt }: Standing): void {
  c.header("X-RateLimit-Limit", String(limit));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(Math.ceil(resetAt / 1_000)));
}
