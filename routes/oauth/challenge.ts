import type { Context } from "hono";
import { resourceMetadataUrl } from "../../domain/apps/resource.ts";
import type { ServiceError } from "../../domain/core/errors.ts";
import { ScopeError } from "../../domain/core/operation.ts";
import type { Settings } from "../../domain/core/settings.ts";
import type { Env } from "../http/env.ts";

/**
 * `WWW-Authenticate` of a failure (RFC 6750, 3); null: none. An app that lacks a scope learns all that it needs: with
 * only the missing ones it would lose those that it has when it asks again.
 */
export function challengeOf(
  c: Context<Env>,
  settings: Settings,
  error: ServiceError,
): string | null {
  if (error.code === "UNAUTHORIZED") return c.get("challenge")?.() ?? 'Bearer realm="letterbox"';
  const caller = c.get("caller");
  if (!(error instanceof ScopeError) || caller?.grantId === undefined) return null;
  const scopes = new Set([...caller.grantedScopes ?? caller.scopes ?? [], ...error.needed]);
  return bearer([
    ["error", "insufficient_scope"],
    ["scope", [...scopes].join(" ")],
    ["resource_metadata", resourceMetadataUrl(settings)],
  ]);
}

/** A challenge; the values have no quotes and no backslashes. */
export function bearer(parameters: readonly [name: string, value: string][]): string {
  return `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}
