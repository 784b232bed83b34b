import { Buffer } from "node:buffer";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Service } from "../../domain/core/service.ts";
import { isHttps } from "../http/security_headers.ts";
import { cookieOptions } from "./auth.ts";

/** A sign-in that a browser has begun at the provider. */
interface BegunSignIn {
  /** What its state, nonce and code verifier are made of: 256 random bits. */
  secret: string;
  /** The page to which it leads. */
  next: string;
}

/** A person has this long for the pages of the provider. */
const keptSeconds = 600;

export function newSecret({ ids }: Pick<Service, "ids">): string {
  return Buffer.from(ids.bytes(32)).toString("base64url");
}

/**
 * The cookie binds the provider's answer to the browser that asked (RFC 9700, 4.7.1). It is sent with the redirect from
 * the provider, because that is a navigation by GET.
 */
export function rememberSignIn(
  c: Context,
  service: Pick<Service, "settings">,
  { secret, next }: BegunSignIn,
): void {
  const value = `${secret}.${Buffer.from(next).toString("base64url")}`;
  setCookie(c, nameOf(service), value, { ...cookieOptions(service), maxAge: keptSeconds });
}

export function signInOf(c: Context, service: Pick<Service, "settings">): BegunSignIn | null {
  const [, secret, next] = /^([\w-]{43})\.([\w-]*)$/.exec(getCookie(c, nameOf(service)) ?? "") ??
    [];
  return secret ? { secret, next: Buffer.from(next, "base64url").toString() } : null;
}

export function forgetSignIn(c: Context, service: Pick<Service, "settings">): void {
  deleteCookie(c, nameOf(service), cookieOptions(service));
}

function nameOf({ settings }: Pick<Service, "settings">): string {
  return isHttps(settings) ? "__Host-lbx_sign_in" : "lbx_sign_in";
}
