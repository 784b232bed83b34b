import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { endOtherSessions, login, logout, refresh } from "../../domain/accounts/auth.ts";
import {
  resendVerification,
  verifyEmail,
} from "../../domain/accounts/registration/email_verification.ts";
import { register } from "../../domain/accounts/registration/register.ts";
import { refreshSeconds } from "../../domain/accounts/sessions.ts";
import { endAccount } from "../../domain/end_account/end_account.ts";
import type { Service } from "../../domain/core/service.ts";
import { sessionCookieName } from "../http/access.ts";
import type { RestRoute } from "../http/rest.ts";
import { isHttps } from "../http/security_headers.ts";
import { inData } from "../http/envelopes.ts";
import type { Env } from "../http/env.ts";

const auth = { family: "dashboard", tag: "Auth" } as const;

export const openAuthRoutes: RestRoute[] = [
  {
    ...auth,
    method: "POST",
    path: "/api/auth/register",
    operation: register,
    input: "json",
    status: 201,
    envelope: inData,
  },
  {
    ...auth,
    method: "POST",
    path: "/api/auth/login",
    operation: login,
    input: "json",
    envelope: inData,
    answer: (c, service, output) =>
      setCookie(c, sessionCookieName(service.settings), String(output.refreshToken), {
        ...cookieOptions(service),
        maxAge: refreshSeconds,
      }),
  },
  {
    ...auth,
    method: "POST",
    path: "/api/auth/refresh",
    operation: refresh,
    input: "json",
    envelope: inData,
  },
  {
    ...auth,
    method: "POST",
    path: "/api/auth/verify-email",
    operation: verifyEmail,
    input: "json",
    strict: true,
    envelope: inData,
  },
];

export const authRoutes: RestRoute[] = [
  {
    ...auth,
    method: "POST",
    path: "/api/auth/logout",
    operation: logout,
    input: "none",
    envelope: inData,
    answer: (c: Context<Env>, service) =>
      void deleteCookie(c, sessionCookieName(service.settings), cookieOptions(service)),
  },
  {
    ...auth,
    method: "POST",
    path: "/api/auth/resend-verification",
    operation: resendVerification,
    input: "none",
    envelope: inData,
  },
  {
    ...auth,
    method: "DELETE",
    path: "/api/auth/sessions",
    operation: endOtherSessions,
    input: "none",
    envelope: inData,
  },
  {
    ...auth,
    method: "DELETE",
    path: "/api/account",
    operation: endAccount,
    input: "json",
    strict: true,
    envelope: inData,
    answer: (c: Context<Env>, service) =>
      void deleteCookie(c, sessionCookieName(service.settings), cookieOptions(service)),
  },
];

function cookieOptions(service: Service) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: isHttps(service.settings),
  } as const;
}
