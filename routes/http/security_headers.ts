import type { Context } from "hono";
import type { Settings } from "../../domain/core/settings.ts";
import { families, type Family } from "./families.ts";

/** A year, in seconds. */
const strictTransport = "max-age=31536000";

/**
 * Headers that protect whoever reads an answer: no cache stores what belongs to an account, no browser guesses its content
 * type, and a browser that came by https comes by https again.
 */
export function securityHeaders(c: Context, family: Family, settings: Settings): void {
  if (isHttps(settings)) c.header("Strict-Transport-Security", strictTransport);
  if (!families[family].isPrivate) return;
  c.header("Cache-Control", "no-store");
  c.header("X-Content-Type-Options", "nosniff");
}

export function isHttps({ BASE_URL }: Pick<Settings, "BASE_URL">): boolean {
  return BASE_URL.startsWith("https:");
}
