import type { Context } from "hono";
import type { Settings } from "../../domain/core/settings.ts";

/** A year: browsers forget the promise of https later than anybody renews a certificate. */
const strictTransport = "max-age=31536000";

/** Health is asked by monitors, holds nothing of an account and may be cached by whoever likes. */
const healthPath = "/v1/api/health";

/**
 * Headers that protect the reader of an answer: what belongs to an account is stored by no cache and read as nothing but
 * its content type; a browser that came by https comes by https again.
 */
export function securityHeaders(c: Context, settings: Settings): void {
  if (isHttps(settings)) c.header("Strict-Transport-Security", strictTransport);
  const { path } = c.req;
  if (path === healthPath || !/^\/(v1|api)(\/|$)/.test(path)) return;
  c.header("Cache-Control", "no-store");
  c.header("X-Content-Type-Options", "nosniff");
}

export function isHttps({ BASE_URL }: Pick<Settings, "BASE_URL">): boolean {
  return BASE_URL.startsWith("https:");
}
