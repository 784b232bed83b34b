import type { Context } from "hono";
import { resourceMetadataUrl } from "../../domain/apps/resource.ts";
import { scopes } from "../../domain/core/caller.ts";
import { scopesOf } from "../../domain/core/operation.ts";
import type { Service } from "../../domain/core/service.ts";
import { bearerToken } from "../http/access.ts";
import { bearer } from "../oauth/challenge.ts";
import type { Env } from "../http/env.ts";
import { connectionOf } from "./connection.ts";
import { type Tool, toolsOf } from "./tools.ts";

/** `WWW-Authenticate` of a 401 of the MCP server: how an app logs in, and what its tools need (RFC 9728, 5.1). */
export function mcpChallenge(c: Context<Env>, { settings }: Pick<Service, "settings">): string {
  return bearer([
    ["resource_metadata", resourceMetadataUrl(settings)],
    ["scope", scopesUsedBy(askedTools(c)).join(" ")],
    // Without a token there is no error: the client did not know that it needs one (RFC 6750, 3.1).
    ...(bearerToken(c) === null ? [] : [["error", "invalid_token"]] as [string, string][]),
  ]);
}

/** The scopes that tools use, in the order of all scopes. */
export function scopesUsedBy(some: readonly Tool[]): string[] {
  const used = new Set(some.flatMap(({ operation }) => scopesOf(operation)));
  return scopes.filter((each) => used.has(each));
}

/** The tools of the URL; of a URL that is not valid, the standard ones. */
function askedTools(c: Context<Env>): readonly Tool[] {
  try {
    return connectionOf(c).tools;
  } catch {
    // A client without a token gets this 401 first. The wrong parameter is its next error.
    return toolsOf("standard");
  }
}
