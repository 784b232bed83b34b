import type { Settings } from "../../domain/core/settings.ts";
import { authorizePath, signInPath } from "../oauth/authorize.ts";

const home = "/app/";
/** A cookie has at most 4,096 bytes, in which this is base64 (RFC 6265, 6.1). */
const maxLength = 2_800;

/**
 * The page of this service to which a sign-in leads: one of the dashboard, or the one on which an app is allowed. Any
 * other address may be a stranger's, and becomes the first page.
 */
export function nextOf(
  { BASE_URL }: Pick<Settings, "BASE_URL">,
  asked: string | undefined,
): string {
  if (!asked || !asked.startsWith("/") || asked.length > maxLength) return home;
  const url = URL.parse(asked, BASE_URL);
  if (!url || url.origin !== new URL(BASE_URL).origin) return home;
  const isPage = url.pathname.startsWith(home) && url.pathname !== signInPath;
  const isOwn = isPage || url.pathname === authorizePath;
  const path = url.pathname + url.search + url.hash;
  return isOwn && path.length <= maxLength ? path : home;
}
