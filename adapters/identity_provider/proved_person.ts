import type { ProvedPerson } from "../../domain/ports/identity_provider.ts";

/** Claims of an ID token or of the userinfo endpoint (OpenID Connect Core, 5.1). */
interface Claims {
  [claim: string]: unknown;
}

/** An address of mail has at most 254 characters (RFC 5321, 4.5.3.1.3, without the brackets). */
const maxEmailLength = 254;
const maxNameLength = 200;

/** The person of checked claims. `more`: those of the userinfo endpoint, if the ID token has no email. */
export function provedPerson(
  token: Claims & { iss: string; sub: string },
  more: Claims = {},
): ProvedPerson {
  const claims = token.email === undefined ? more : token;
  const name = textOf(token.name) ?? textOf(more.name);
  return {
    ...{ issuer: token.iss, subject: token.sub },
    verifiedEmail: isVerified(claims) ? emailOf(claims.email) : null,
    name: name?.replace(/\p{Cc}/gu, "").trim().slice(0, maxNameLength) || null,
  };
}

/**
 * Microsoft Entra has no `email_verified`. Its `email` is any text that an administrator of any tenant writes, unless
 * `xms_edov` says that the tenant has proved the domain. Some providers write booleans as text.
 */
function isVerified({ email_verified, xms_edov }: Claims): boolean {
  const isTrue = (claim: unknown) => claim === true || claim === "true";
  return isTrue(email_verified) || isTrue(xms_edov) || xms_edov === 1 || xms_edov === "1";
}

/**
 * An address must be in NFC (RFC 6532, 3.1): in lower case `jo\u212ae@example.org`, with the sign of Kelvin, is
 * `joke@example.org`, which is another person's.
 */
function emailOf(claim: unknown): string | null {
  const text = textOf(claim)?.trim() ?? "";
  const isAddress = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && text === text.normalize("NFC");
  return isAddress && text.length <= maxEmailLength ? text : null;
}

function textOf(claim: unknown): string | null {
  return typeof claim === "string" ? claim : null;
}
