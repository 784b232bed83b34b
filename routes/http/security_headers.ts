import type { Context } from "hono";
import type { Settings } from "../../domain/core/settings.ts";
import { families, type Family } from "./families.ts";

/** A year, in seconds. */
export const strictTransport = "max-age=31536000";

/**
 * Headers that protect the reader of an answer: no cache stores the data of an account, no browser guesses the content
 * type, and a browser that used https uses it again.
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
