import type { Context, Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { endOtherSessions, login, logout, refresh } from "../../domain/accounts/auth.ts";
import { changePassword } from "../../domain/accounts/new_password/change_password.ts";
import { forgotPassword } from "../../domain/accounts/new_password/forgot_password.ts";
import { resetPassword } from "../../domain/accounts/new_password/reset_password.ts";
import {
  resendVerification,
  verifyEmail,
} from "../../domain/accounts/registration/email_verification.ts";
import { register } from "../../domain/accounts/registration/register.ts";
import { refreshSeconds } from "../../domain/accounts/sessions.ts";
import { endAccount } from "../../domain/end_account/end_account.ts";
import { notFound } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { sessionCookieName } from "../http/access.ts";
import type { Env } from "../http/env.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { isHttps } from "../http/security_headers.ts";

const row = rowsOf("/api", { family: "dashboard", tag: "Auth" });

export const setsCookie: RestRoute["answer"] = (c, service, output) =>
  setSessionCookie(c, service, String(output.refreshToken));
const deletesCookie: RestRoute["answer"] = (c, service) =>
  void deleteCookie(c, sessionCookieName(service.settings), cookieOptions(service));

export const openAuthRoutes: RestRoute[] = [
  row("POST", "/auth/register", register, "json", { status: 201 }),
  row("POST", "/auth/login", login, "json", { answer: setsCookie }),
  row("POST", "/auth/refresh", refresh, "json"),
  row("POST", "/auth/verify-email", verifyEmail, "json", { strict: true }),
  row("POST", "/auth/password/forgot", forgotPassword, "json", { strict: true }),
  row("POST", "/auth/password/reset", resetPassword, "json", { strict: true }),
];

export const authRoutes: RestRoute[] = [
  row("POST", "/auth/logout", logout, "none", { answer: deletesCookie }),
  row("POST", "/auth/resend-verification", resendVerification, "none"),
  row("POST", "/auth/password", changePassword, "json", { strict: true }),
  row("DELETE", "/auth/sessions", endOtherSessions, "none"),
  row("DELETE", "/account", endAccount, "json", { strict: true, answer: deletesCookie }),
];

export function setSessionCookie(c: Context, service: Service, refreshToken: string): void {
  setCookie(c, sessionCookieName(service.settings), refreshToken, {
    ...cookieOptions(service),
    maxAge: refreshSeconds,
  });
}

/**
 * Routes that take a password, with which people log in, or set one. With PASSWORD_LOGIN=off they are 404: nobody gets in
 * who is not let in by the provider.
 */
const passwordPaths = [
  "/api/auth/register",
  "/api/auth/login",
  "/api/auth/password",
  "/api/auth/password/*",
  "/api/members/accept",
] as const;

/** To be called before the routes are mounted. */
export function refusePasswords(app: Hono<Env>, { settings }: Service): void {
  if (settings.PASSWORD_LOGIN === "on") return;
  for (const path of passwordPaths) {
    app.all(path, () => {
      throw notFound("route");
    });
  }
}

export function cookieOptions(service: Pick<Service, "settings">) {
  return { path: "/", httpOnly: true, sameSite: "Lax", secure: isHttps(service.settings) } as const;
}
