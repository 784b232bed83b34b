import type { Context } from "hono";
import { html } from "hono/html";
import type { Service } from "../../domain/core/service.ts";
import type { IdentityProvider } from "../../domain/ports/identity_provider.ts";
import type { Env } from "../http/env.ts";
import { failureHeaders, requestFacts, statusOf, toServiceError } from "../http/failures.ts";
import { sendPage } from "../oauth/page.ts";

/**
 * The page of a sign-in that failed: why, and what the person can do now. `next`: where it would have led. Every page of the
 * dashboard, and that on which an app is allowed, asks for a password itself.
 */
export async function providerFailurePage(
  c: Context<Env>,
  { log, settings }: Service,
  { name }: IdentityProvider,
  thrown: unknown,
  next: string,
): Promise<Response> {
  const error = toServiceError(thrown, log, requestFacts(c));
  for (const [header, value] of Object.entries(failureHeaders(error))) c.header(header, value);
  const query = new URLSearchParams({ next });
  const { retryAfterSeconds: wait } = error;
  return await sendPage(c, {
    title: "You are not signed in",
    status: statusOf[error.code],
    body: html`<h1>You are not signed in</h1>
<p>${error.message}</p>
${wait !== undefined && html`<p>Try again in ${wait} s.</p>`}
<p><a href="/api/auth/oidc?${query}">Sign in with ${name}</a></p>
${
      settings.PASSWORD_LOGIN === "on" &&
      html`<p><a href="${next}">Sign in with your password</a></p>`
    }`,
  });
}
