import type { Context } from "hono";
import { ServiceError } from "../domain/errors.ts";
import type { Caller, Guest } from "../domain/operation.ts";
import type { Service } from "../domain/service.ts";

/** What an unlimited window shows (DECISIONS.md 4). */
const unlimited = Number.MAX_SAFE_INTEGER;
const minuteMs = 60_000;

interface Window {
  startedAt: number;
  used: number;
}

/** Requests a minute, counted in this process. */
export class RateLimiter {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly service: Service) {}

  /** Counts one request and sets the headers; throws RATE_LIMIT_EXCEEDED where the window is full. */
  take(c: Context, caller: Caller | null, guest: Guest): void {
    const limit = caller
      ? this.service.plans[caller.plan].requestsPerMinute
      : this.service.settings.ANONYMOUS_REQUESTS_PER_MINUTE;
    const subject = caller ? `account ${caller.userId}` : `address ${guest.clientAddress}`;
    const window = this.window(subject);
    const full = limit !== null && window.used >= limit;
    if (!full) window.used++;
    this.show(c, limit, window);
    if (!full) return;
    const retryAfter = Math.max(
      1,
      Math.ceil((window.startedAt + minuteMs - this.service.clock.now()) / 1_000),
    );
    throw new ServiceError("RATE_LIMIT_EXCEEDED", undefined, {
      limit,
      window: "minute",
      retry_after: retryAfter,
    }, retryAfter);
  }

  /** Sets the headers of the anonymous window without counting (health). */
  look(c: Context, guest: Guest): void {
    this.show(
      c,
      this.service.settings.ANONYMOUS_REQUESTS_PER_MINUTE,
      this.window(`address ${guest.clientAddress}`),
    );
  }

  private window(subject: string): Window {
    const startedAt = Math.floor(this.service.clock.now() / minuteMs) * minuteMs;
    let window = this.windows.get(subject);
    if (window?.startedAt !== startedAt) {
      if (this.windows.size > 100_000) this.windows.clear();
      this.windows.set(subject, window = { startedAt, used: 0 });
    }
    return window;
  }

  private show(c: Context, limit: number | null, window: Window): void {
    c.header("X-RateLimit-Limit", String(limit ?? unlimited));
    c.header("X-RateLimit-Remaining", String(limit === null ? unlimited : limit - window.used));
    c.header("X-RateLimit-Reset", String((window.startedAt + minuteMs) / 1_000));
  }
}
