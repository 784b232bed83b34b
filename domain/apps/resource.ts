import type { Settings } from "../core/settings.ts";

/** The resource that tokens are for (RFC 8707): the URL of the MCP server, as people type it. */
export function resourceUrl({ BASE_URL }: Pick<Settings, "BASE_URL">): string {
  return `${BASE_URL}/v1/mcp`;
}

/** Whether a client means this resource. Its query and a last slash do not count: clients send the URL that they were given. */
export function isResource(settings: Pick<Settings, "BASE_URL">, asked: string): boolean {
  const url = URL.parse(asked);
  if (!url || asked.includes("#") || url.username !== "" || url.password !== "") return false;
  const own = new URL(resourceUrl(settings));
  return url.origin === own.origin && url.pathname.replace(/\/$/, "") === own.pathname;
}

/** Where a client learns which authorization server has the resource (RFC 9728, 3.1). */
export function resourceMetadataUrl({ BASE_URL }: Pick<Settings, "BASE_URL">): string {
  return `${BASE_URL}/.well-known/oauth-protected-resource/v1/mcp`;
}
