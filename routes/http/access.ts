import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { grantTokenPrefix } from "../../domain/accounts/secrets.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Settings } from "../../domain/core/settings.ts";
import { type Family, takes } from "./families.ts";
import { isHttps } from "./security_headers.ts";
import type { Caller } from "../../domain/core/caller.ts";

/** With https a `__Host-` cookie: no other host of the domain can set it (RFC 6265bis, 4.1.3.2). */
export function sessionCookieName(settings: Pick<Settings, "BASE_URL">): string {
  return isHttps(settings) ? "__Host-lbx_session" : "lbx_session";
}

export interface Identity {
  /** null without a valid credential. */
  caller: Caller | null;
  /** True if the credential is the cookie, which a browser sends by itself. */
  byCookie: boolean;
}

export function bearerToken(c: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

/**
 * The caller, by the credentials that the family accepts. If there is an Authorization header, it alone decides: with a
 * wrong one the cookie is not read. With `fresh` the credential is read from the database, not from memory.
 */
export async function identify(
  service: Service,
  c: Context,
  family: Family,
  fresh = false,
): Promise<Identity> {
  const { credentials } = service;
  if (c.req.header("authorization") !== undefined) {
    const secret = bearerToken(c);
    if (secret === null) return nobody;
    const kind = kindOf(secret);
    // The token of an app is accepted where a key is.
    if (kind !== "access" && !takes(family, "apiKey")) return nobody;
    if (kind === "grant" && service.settings.MCP_OAUTH !== "on") return nobody;
    return { caller: await credentials.callerOf({ kind, secret }, fresh), byCookie: false };
  }
  const cookie = takes(family, "session")
    ? getCookie(c, sessionCookieName(service.settings))
    : undefined;
  if (!cookie) return nobody;
  const caller = await credentials.callerOf({ kind: "refresh", secret: cookie }, fresh);
  return caller ? { caller, byCookie: true } : nobody;
}

/** What a secret is, by its form. */
export function kindOf(secret: string): "key" | "grant" | "access" {
  if (secret.startsWith("lbx_")) return "key";
  return secret.startsWith(grantTokenPrefix) ? "grant" : "access";
}

const nobody: Identity = { caller: null, byCookie: false };

/**
 * Throws FORBIDDEN for a change that a browser sends with its cookie from another origin (OWASP ASVS 5.0 3.5). A browser
 * names the origin in `Origin` or `Sec-Fetch-Site`. A client that sends neither is no browser: no foreign page can make it
 * send the cookie.
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

/** `localhost` and `127.0.0.1` count as one host, for development. */
export function sameOrigin(origin: string, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const plain = (url: string) => new URL(url).origin.replace("//127.0.0.1", "//localhost");
  return plain(origin) === plain(baseUrl);
}
