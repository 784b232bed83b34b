import type { Hono } from "hono";
import { notFound } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Env } from "../http/env.ts";
import type { RestRoute } from "../http/rest.ts";
import { mountAuthorize } from "./authorize.ts";
import { mountEndpoint } from "./endpoint.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";
import { answerRegister } from "./register.ts";
import { answerRevoke, answerToken } from "./token.ts";

const resourcePath = "/.well-known/oauth-protected-resource";

/** What clients learn about the servers: at the root of the host, and below it for the path of the resource. */
const documents = {
  [resourcePath]: resourceMetadata,
  [`${resourcePath}/v1/mcp`]: resourceMetadata,
  "/.well-known/oauth-authorization-server": serverMetadata,
  "/.well-known/openid-configuration": serverMetadata,
} as const;

const endpoints = {
  "/oauth/register": answerRegister,
  "/oauth/token": answerToken,
  "/oauth/revoke": answerRevoke,
} as const;

/** Paths of OAuth. Its RFCs and the metadata describe them, so that the document of the API leaves them out. */
export const oauthPaths: readonly string[] = [...Object.keys(documents), ...Object.keys(endpoints)];

/**
 * Mounts the authorization server (docs/specification.md "Authorization"). If it is off, its paths and those of
 * `appRoutes` are 404.
 */
export function mountOAuth(
  app: Hono<Env>,
  service: Service,
  appRoutes: readonly RestRoute[],
): void {
  if (service.settings.MCP_OAUTH !== "on") {
    for (const path of ["/oauth/*", ...oauthPaths, ...appRoutes.map((route) => route.path)]) {
      app.all(path, () => {
        throw notFound("route");
      });
    }
    return;
  }
  for (const [path, document] of Object.entries(documents)) {
    const text = document(service.settings);
    mountEndpoint(app, service, "GET", path, (c) => c.json(text));
  }
  for (const [path, answer] of Object.entries(endpoints)) {
    mountEndpoint(app, service, "POST", path, (c) => answer(c, service));
  }
  mountAuthorize(app, service);
}
