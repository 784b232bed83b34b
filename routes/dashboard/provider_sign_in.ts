import type { Context, Hono } from "hono";
import { providerAsker, secretsOf } from "../../domain/accounts/provider/ask_provider.ts";
import { signInByProvider } from "../../domain/accounts/provider/sign_in.ts";
import { notFound, ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { IdentityProvider } from "../../domain/ports/identity_provider.ts";
import type { Env } from "../http/env.ts";
import { countGuest } from "../http/rate_limit.ts";
import { setSessionCookie } from "./auth.ts";
import { nextOf } from "./next.ts";
import { providerFailurePage } from "./provider_failure_page.ts";
import { forgetSignIn, newSecret, rememberSignIn, signInOf } from "./sign_in_cookie.ts";

const startPath = "/api/auth/oidc";
const callbackPath = "/api/auth/oidc/callback";
/** Places where a browser goes. They answer with redirects and pages, so the document of the API omits them. */
export const providerPaths = [startPath, callbackPath] as const;

/**
 * Mounts the sign-in with a provider (docs/specification.md "Sign-in with a provider"). Without one its paths are 404.
 * Requests count for the client's address. To be called before the API is mounted, which would answer a full window with
 * JSON.
 */
export function mountProviderSignIn(app: Hono<Env>, service: Service): void {
  const { identityProvider: provider } = service;
  if (provider) mountWith(app, service, provider);
  for (const path of providerPaths) {
    app.all(path, async (c) => {
      await count(c, service);
      if (!provider) throw notFound("route");
      c.header("Allow", "GET, HEAD");
      throw new ServiceError("METHOD_NOT_ALLOWED");
    });
  }
}

/** Throws RATE_LIMIT_EXCEEDED. */
async function count(c: Context<Env>, service: Service): Promise<void> {
  const refusal = await countGuest(c, service);
  if (refusal) throw refusal;
}

function mountWith(app: Hono<Env>, service: Service, provider: IdentityProvider): void {
  const ask = providerAsker(service, provider);
  const failed = (c: Context<Env>, error: unknown, next: string) =>
    providerFailurePage(c, service, provider, error, next);

  app.get(startPath, async (c) => {
    const next = nextOf(service.settings, c.req.query("next"));
    const secret = newSecret(service);
    try {
      await count(c, service);
      const { clientAddress } = c.get("guest");
      const url = await ask(clientAddress, (each) => each.startUrl(secretsOf(secret)));
      rememberSignIn(c, service, { secret, next });
      return c.redirect(url, 302);
    } catch (error) {
      return await failed(c, error, next);
    }
  });

  app.get(callbackPath, async (c) => {
    const begun = signInOf(c, service);
    forgetSignIn(c, service);
    const next = nextOf(service.settings, begun?.next);
    try {
      await count(c, service);
      if (!begun) throw tooLate();
      const query = new URL(c.req.url).searchParams;
      const guest = c.get("guest");
      const who = await ask(
        guest.clientAddress,
        (each) => each.personOf(query, secretsOf(begun.secret)),
      );
      const { refreshToken } = await signInByProvider(service, guest, who);
      setSessionCookie(c, service, refreshToken);
      return c.redirect(next, 302);
    } catch (error) {
      return await failed(c, error, next);
    }
  });
}

function tooLate(): ServiceError {
  return new ServiceError(
    "BAD_REQUEST",
    "This sign-in took more than 10 minutes, or it began in another browser.",
  );
}
