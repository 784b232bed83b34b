import type { Configuration } from "openid-client";
import type { Clock } from "../../domain/core/clock.ts";
import { type IdentityProvider, ProviderFailure } from "../../domain/ports/identity_provider.ts";
import { boundedFetch } from "./bounded_fetch.ts";
import { failureOf } from "./failure.ts";
import { provedPerson } from "./proved_person.ts";

export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** Where the provider sends browsers back, as it is registered there. */
  redirectUri: string;
  /** Allows `http:`, for development. */
  allowInsecure: boolean;
  clock: Pick<Clock, "elapsed" | "now">;
  /** For each request to the provider. */
  timeoutMs?: number;
}

/** The provider's metadata is read again after an hour. Its keys are kept by the library, 5 minutes. */
const keptMs = 3_600_000;
const defaultTimeoutMs = 8_000;
/** Clocks may differ by this much, as the library allows for `exp` and `nbf`. */
const mostDriftMs = 30_000;
const scope = "openid email profile";

/** The library is loaded, and the metadata read, at the first sign-in: no start waits for the provider. */
const library = () => import("openid-client");

/**
 * Sign-in by OpenID Connect, with the authorization code flow and PKCE. Every ID token is checked: signature, `iss`,
 * `aud`, `exp`, `iat`, `nonce` (OpenID Connect Core, 3.1.3.7), and `iss` of the answer (RFC 9207).
 */
export function oidcProvider(options: OidcOptions): IdentityProvider {
  const { clock, redirectUri, timeoutMs = defaultTimeoutMs } = options;
  let known: { config: Configuration; readAt: number } | null = null;
  let reading: Promise<Configuration> | null = null;

  const read = async () => {
    const config = await discover(options, timeoutMs);
    known = { config, readAt: clock.elapsed() };
    return config;
  };
  const configuration = async () => {
    if (known && clock.elapsed() - known.readAt < keptMs) return known.config;
    reading ??= read().finally(() => reading = null);
    return await reading;
  };

  return {
    name: options.name,
    async startUrl({ state, nonce, codeVerifier }) {
      const config = await configuration();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      return buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope, state, nonce },
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      }).href;
    },
    async personOf(query, { state, nonce, codeVerifier }) {
      const config = await configuration();
      const { authorizationCodeGrant, fetchUserInfo } = await library();
      try {
        const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        checkClaims(claims, clock.now());
        const isToAsk = claims.email === undefined && config.serverMetadata().userinfo_endpoint;
        const more = isToAsk
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : undefined;
        return provedPerson(claims, more);
      } catch (error) {
        throw failureOf(await library(), error);
      }
    },
  };
}

/**
 * What the library does not check of an ID token (OpenID Connect Core, 2): `sub` has at most 255 characters, and `iat` is
 * not in the future. Throws ProviderFailure `wrong`.
 */
function checkClaims({ sub, iat }: { sub: string; iat: number }, now: number): void {
  const isSubject = sub !== "" && sub.length <= 255;
  if (!isSubject) throw new ProviderFailure("wrong", "the ID token has no subject, or a long one");
  if (iat * 1_000 > now + mostDriftMs) {
    throw new ProviderFailure("wrong", "the ID token is of the future");
  }
}

/** Throws ProviderFailure `down`. */
async function discover(options: OidcOptions, timeoutMs: number): Promise<Configuration> {
  const client = await library();
  const { issuer, clientId, clientSecret, allowInsecure } = options;
  try {
    const config = await client.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret },
      // Basic is what a provider takes that does not say what it takes (OpenID Connect Discovery, 3).
      (server, ...request) => {
        const takesPost = server.token_endpoint_auth_methods_supported?.includes(
          "client_secret_post",
        );
        const send = takesPost ? client.ClientSecretPost : client.ClientSecretBasic;
        return send(clientSecret)(server, ...request);
      },
      {
        [client.customFetch]: (url, init) => boundedFetch(url, init as RequestInit),
        timeout: timeoutMs / 1_000,
        // Without this the library trusts an ID token that came over TLS, and checks no signature.
        execute: [
          client.enableNonRepudiationChecks,
          ...(allowInsecure ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    const { authorization_endpoint, token_endpoint, jwks_uri } = config.serverMetadata();
    if (authorization_endpoint && token_endpoint && jwks_uri) return config;
    throw new Error("the discovery document lacks an endpoint or the keys");
  } catch (error) {
    throw new ProviderFailure("down", failureOf(client, error).message);
  }
}
