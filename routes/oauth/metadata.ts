import { registered } from "../../domain/apps/registration.ts";
import { resourceUrl } from "../../domain/apps/resource.ts";
import { grantableScopes } from "../../domain/core/caller.ts";
import type { Settings } from "../../domain/core/settings.ts";

/** What the resource is, and which server authorizes for it (RFC 9728, 2). */
export function resourceMetadata(settings: Settings) {
  return {
    resource: resourceUrl(settings),
    authorization_servers: [settings.BASE_URL],
    scopes_supported: grantableScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Letterbox",
  };
}

/** What the authorization server does (RFC 8414, 2). */
export function serverMetadata({ BASE_URL }: Settings) {
  const methods = [registered.token_endpoint_auth_method];
  return {
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}/oauth/authorize`,
    token_endpoint: `${BASE_URL}/oauth/token`,
    registration_endpoint: `${BASE_URL}/oauth/register`,
    revocation_endpoint: `${BASE_URL}/oauth/revoke`,
    response_types_supported: registered.response_types,
    grant_types_supported: registered.grant_types,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: methods,
    // Without it a client must assume client_secret_basic.
    revocation_endpoint_auth_methods_supported: methods,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: [...grantableScopes, "offline_access"],
  };
}
