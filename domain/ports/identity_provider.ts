/** Signs people in by the provider of OIDC_ISSUER, over OpenID Connect. */
export interface IdentityProvider {
  /** What people call it. */
  name: string;
  /** Where a browser begins a sign-in. Throws ProviderFailure. */
  startUrl(secrets: SignInSecrets): Promise<string>;
  /**
   * Who came back. `query`: the parameters with which the provider sent the browser back. Throws ProviderFailure.
   */
  personOf(query: URLSearchParams, secrets: SignInSecrets): Promise<ProvedPerson>;
}

/** What binds an answer of the provider to the browser that asked. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** RFC 7636, 4.1. */
  codeVerifier: string;
}

/** Names a person at a provider for ever (OpenID Connect Core, 5.7). An email may later be another person's. */
export interface Subject {
  issuer: string;
  subject: string;
}

/** A person as the provider's ID token names them. */
export interface ProvedPerson extends Subject {
  /** null: the provider did not say that the person reads mail of an address. */
  verifiedEmail: string | null;
  name: string | null;
}

/**
 * `down`: the provider does not answer, or does not work as it is set up here. `refused`: it did not let the person in.
 * `wrong`: its answer does not belong to this sign-in, or does not hold. The message is for the log.
 */
export class ProviderFailure extends Error {
  constructor(readonly kind: "down" | "refused" | "wrong", message: string) {
    super(message);
  }
}
