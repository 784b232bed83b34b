import type { Client } from "./client.ts";
import { maxNameLength, shownName } from "./client_name.ts";
import { OAuthError } from "./oauth_error.ts";
import { isRedirectUri, redirectHost } from "./redirects.ts";

const maxRedirects = 20;

/** What every client gets, whatever it asks for (RFC 7591, 3.2.1): there are public clients only. */
export const registered = {
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
} as const;

/**
 * Name and redirects of a registration (RFC 7591, 2). A client without a name is called by the host of its first
 * redirect. Unknown fields are ignored. Throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata`.
 */
export function readRegistration(body: unknown): Pick<Client, "name" | "redirectUris"> {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw invalid("The body must be a JSON object.");
  }
  const given = new Map(Object.entries(body));
  const redirectUris = given.get("redirect_uris");
  if (!Array.isArray(redirectUris) || redirectUris.length === 0) {
    throw new OAuthError("invalid_redirect_uri", "redirect_uris must name at least one URI.");
  }
  if (redirectUris.length > maxRedirects) {
    throw invalid(`redirect_uris may have ${maxRedirects} URIs.`);
  }
  if (!redirectUris.every(isRedirectUri)) {
    throw new OAuthError(
      "invalid_redirect_uri",
      "A redirect URI must be https, http on the same machine, or of a private-use scheme with a dot, without a fragment.",
    );
  }
  for (const field of ["grant_types", "response_types"] as const) {
    requireUsable(field, given.get(field));
  }
  return { name: nameOf(given.get("client_name")) || redirectHost(redirectUris[0]), redirectUris };
}

function nameOf(name: unknown): string {
  if (name === undefined || name === null) return "";
  if (typeof name !== "string") throw invalid("client_name must be a text.");
  if ([...name].length > maxNameLength) {
    throw invalid(`client_name may have ${maxNameLength} characters.`);
  }
  return shownName(name);
}

/** A list that is given must have what this server does. */
function requireUsable(field: "grant_types" | "response_types", given: unknown): void {
  if (given === undefined || given === null) return;
  const [needed] = registered[field];
  if (!Array.isArray(given) || !given.includes(needed)) {
    throw invalid(`${field} must have ${needed}.`);
  }
}

function invalid(reason: string): OAuthError {
  return new OAuthError("invalid_client_metadata", reason);
}
