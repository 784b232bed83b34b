import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { authenticateKey, authenticateSession } from "../domain/accounts/authenticate.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Caller } from "../domain/operation.ts";
import type { Service } from "../domain/service.ts";

export const sessionCookie = "lbx_session";

/** Which credentials a family of routes takes (SPEC.md, Authentication; DECISIONS.md 9). */
export type Family = "v1" | "dashboard";

export function bearerToken(c: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

/**
 * Who calls. `/v1/*` takes an API key or an access token, `/api/*` an access token or the cookie.
 * Null without a valid credential. Throws FORBIDDEN where a cookie comes with a change from another origin.
 */
export async function identify(
  service: Service,
  c: Context,
  family: Family,
): Promise<Caller | null> {
  const token = bearerToken(c);
  if (token !== null) {
    if (token.startsWith("lbx_")) {
      return family === "v1" ? await authenticateKey(service, token) : null;
    }
    return await authenticateSession(service, "access", token);
  }
  if (family !== "dashboard") return null;
  const cookie = getCookie(c, sessionCookie);
  const caller = cookie ? await authenticateSession(service, "refresh", cookie) : null;
  if (caller && !isRead(c.req.method) && !fromOurOrigin(service, c)) {
    throw new ServiceError(
      "FORBIDDEN",
      "A change by cookie must come from the service's own origin.",
    );
  }
  return caller;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** A browser says where a changing request comes from; what does not say so is not trusted. */
function fromOurOrigin(service: Service, c: Context): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined) return sameOrigin(origin, service.settings.BASE_URL);
  return c.req.header("sec-fetch-site") === "same-origin";
}

/** In development `localhost` and `127.0.0.1` are one host (DECISIONS.md 12). */
export function sameOrigin(origin: string, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const plain = (url: string) => new URL(url).origin.replace("//127.0.0.1", "//localhost");
  return plain(origin) === plain(baseUrl);
}
