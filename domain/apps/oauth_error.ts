/** An error of OAuth, as RFC 6749 5.2, RFC 7591 3.2.2 and RFC 8707 2 name them. */
export class OAuthError extends Error {
  constructor(readonly error: string, readonly description: string) {
    super(description);
    this.name = "OAuthError";
  }
}

/** The code or refresh token is not valid. The reason names nothing that its holder does not know. */
export function invalidGrant(reason: string): OAuthError {
  return new OAuthError("invalid_grant", reason);
}
