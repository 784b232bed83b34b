/** A name resolves to an address that is not public. */
export class RefusedAddressError extends Error {
  override name = "RefusedAddressError";
  constructor(hostname: string) {
    super(`${hostname} leads to an address that is not public.`);
  }
}

/** Messages by the code of an error. */
const messages: Record<string, string> = {
  ENOTFOUND: "The host name does not resolve.",
  EAI_AGAIN: "The host name could not be resolved just now.",
  EAI_NODATA: "The host name has no address.",
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was cut before the answer was complete.",
  EPIPE: "The connection was cut before the answer was complete.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The network cannot be reached.",
  ETIMEDOUT: "The connection timed out.",
  ANSWER_TOO_LONG: "The answer is too long.",
  HPE_HEADER_OVERFLOW: "The answer's header is too large.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is self-signed.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host name.",
};

/**
 * The message of a failure for the delivery log. Never the text of the error: it may quote the receiver, or name an
 * address inside the service's network.
 */
export function failureMessage(error: unknown): string {
  if (error instanceof RefusedAddressError) return error.message;
  const code = errorCode(error);
  if (messages[code] !== undefined) return messages[code];
  if (code.startsWith("HPE_")) return "The answer is not HTTP.";
  if (code.startsWith("EAI_")) return "The host name does not resolve.";
  const text = error instanceof Error ? error.message : "";
  if (/certificate|tls|ssl|handshake|UnknownIssuer/i.test(`${code} ${text}`)) {
    return "The TLS handshake failed.";
  }
  return "The connection failed.";
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  // If no address was reached, the first one's error counts.
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
