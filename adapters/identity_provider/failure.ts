import { ProviderFailure } from "../../domain/ports/identity_provider.ts";

type Library = typeof import("openid-client");

/** Errors with which a provider says that it does not work now (RFC 6749, 4.1.2.1). */
const downErrors = ["server_error", "temporarily_unavailable"];
/** Errors of the token endpoint that the operator must correct (RFC 6749, 5.2). */
const setUpErrors = ["invalid_client", "unauthorized_client", "unsupported_grant_type"];

/** What an error of the library means. Its message has no token and no code. */
export function failureOf(library: Library, error: unknown): ProviderFailure {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof ProviderFailure) return each;
  }
  if (error instanceof library.AuthorizationResponseError) {
    const kind = downErrors.includes(error.error) ? "down" : "refused";
    return new ProviderFailure(kind, `the provider answered ${shown(error.error)}`);
  }
  if (error instanceof library.ResponseBodyError) {
    const isDown = [...downErrors, ...setUpErrors].includes(error.error);
    return new ProviderFailure(
      isDown ? "down" : "wrong",
      `the token endpoint answered ${shown(error.error)}`,
    );
  }
  if (error instanceof library.ClientError && error.code === "OAUTH_TIMEOUT") {
    return new ProviderFailure("down", "the provider did not answer in time");
  }
  return new ProviderFailure("wrong", error instanceof Error ? error.message : "unknown");
}

/** A stranger can put any text there. */
const shown = (text: string) => text.replace(/[^ -~]/g, "?").slice(0, 100);
