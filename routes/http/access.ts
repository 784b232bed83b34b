import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Settings } from "../../domain/core/settings.ts";
import { isHttps } from "./security_headers.ts";
import type { Caller } from "../../domain/core/caller.ts";

/** A `__Host-` cookie is the service's own: no other host of the domain can set it (RFC 6265bis, 4.1.3.2). It needs https. */
export function sessionCookieName(settings: Pick<Settings, "BASE_URL">): string {
  return isHttps(settings) ? "__Host-lbx_session" : "lbx_session";
}

/** Which credentials a family of routes takes (SPEC.md, Authentication; DECISIONS.md 9). */
export type Family = "v1" | "dashboard";

/** Who calls; null without a valid credential. */
export interface Identity {
  caller: Caller | null;
  /** Proved by the cookie, which a browser sends of itself. */
  byCookie: boolean;
}

export function bearerToken(c: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

/**
 * `/v1/*` takes an API key or an access token, `/api/*` an access token or the cookie. Where an Authorization header is
 * sent it decides alone: a wrong one is not made good by a cookie.
 */
export async function identify(service: Service, c: Context, family: Family): Promise<Identity> {
  const { credentials } = service;
  if (c.req.header("authorization") !== undefined) {
    const secret = bearerToken(c);
    if (secret === null) return nobody;
    const kind = secret.startsWith("lbx_") ? "key" : "access";
    if (kind === "key" && family !== "v1") return nobody;
    return { caller: await credentials.callerOf({ kind, secret }), byCookie: false };
  }
  const cookie = family === "dashboard"
    ? getCookie(c, sessionCookieName(service.settings))
    : undefined;
  if (!cookie) return nobody;
  const caller = await credentials.callerOf({ kind: "refresh", secret: cookie });
  return caller ? { caller, byCookie: true } : nobody;
}

const nobody: Identity = { caller: null, byCookie: false };

/**
 * FORBIDDEN for a change that a browser sends with its cookie from another origin (OWASP ASVS 5.0 3.5). Browsers say where
 * such a request comes from, in `Origin` and `Sec-Fetch-Site`; what sends neither is no browser, and nobody can make
 * it send a cookie that it was not given.
 */
export function requireSameOrigin(service: Service, c: Context): void {
  if (isRead(c.req.method)) return;
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  const fromElsewhere = origin !== undefined && !sameOrigin(origin, service.settings.BASE_URL) ||
    site !== undefined && site !== "same-origin" && site !== "none";
  if (!fromElsewhere) return;
  throw new ServiceError(
    "FORBIDDEN",
    "A change by cookie must come from the service's own origin.",
  );
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** In development `localhost` and `127.0.0.1` are one host (DECISIONS.md 12). */
export function sameOrigin(origin: string, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const plain = (url: string) => new URL(url).origin.replace("//127.0.0.1", "//localhost");
  return plain(origin) === plain(baseUrl);
}
