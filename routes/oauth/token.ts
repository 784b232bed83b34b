import type { Context } from "hono";
import { exchangeCode } from "../../domain/apps/exchange_code.ts";
import { OAuthError } from "../../domain/apps/oauth_error.ts";
import { refreshGrant } from "../../domain/apps/refresh_grant.ts";
import { isResource } from "../../domain/apps/resource.ts";
import { revokeToken } from "../../domain/apps/revoke_token.ts";
import { accessSeconds, type IssuedTokens } from "../../domain/apps/tokens.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Env } from "../http/env.ts";
import { countGuest } from "../http/rate_limit.ts";
import { type Form, readForm } from "./endpoint.ts";

/** `POST /oauth/token`. A request with a valid code or token counts in no window. */
export async function answerToken(c: Context<Env>, service: Service): Promise<Response> {
  const issued = await countedIfWrong(
    c,
    service,
    async () => await issue(service, await readForm(c)),
  );
  return c.json({
    access_token: issued.accessToken,
    token_type: "Bearer",
    expires_in: accessSeconds,
    scope: issued.scopes.join(" "),
    refresh_token: issued.refreshToken,
  });
}

/** `POST /oauth/revoke`: 200 for an unknown token too (RFC 7009, 2.2). */
export async function answerRevoke(c: Context<Env>, service: Service): Promise<Response> {
  await countedIfWrong(c, service, async () => {
    const form = await readForm(c);
    const isKnown = await revokeToken(service, form.required("token"), form.optional("client_id"));
    if (isKnown) return;
    const limited = await countGuest(c, service);
    if (limited) throw limited;
  });
  return c.body(null, 200);
}

async function issue(service: Service, form: Form): Promise<IssuedTokens> {
  const grantType = form.required("grant_type");
  if (form.all("resource").some((each) => !isResource(service.settings, each))) {
    throw new OAuthError("invalid_target", "This server has no such resource.");
  }
  if (grantType === "authorization_code") {
    return await exchangeCode(service, {
      code: form.required("code"),
      clientId: form.required("client_id"),
      codeVerifier: form.required("code_verifier"),
      redirectUri: form.optional("redirect_uri"),
    });
  }
  if (grantType === "refresh_token") {
    const asked = form.optional("scope")?.split(" ").filter((each) =>
      each !== "" && each !== "offline_access"
    );
    return await refreshGrant(service, {
      refreshToken: form.required("refresh_token"),
      clientId: form.optional("client_id"),
      scopes: asked && asked.length > 0 ? asked : undefined,
    });
  }
  throw new OAuthError(
    "unsupported_grant_type",
    "The grant types are authorization_code and refresh_token.",
  );
}

/** Runs `work`. A request that OAuth refuses counts for its address, because anybody can send it. */
async function countedIfWrong<T>(
  c: Context<Env>,
  service: Service,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw await countGuest(c, service) ?? error;
  }
}
