import type { WebhookFailureKind } from "../../domain/ports/webhook_target.ts";

/** Thrown inside a connection attempt when a name leads to an address that is not public. */
export class RefusedAddressError extends Error {
  override name = "RefusedAddressError";
  constructor(hostname: string) {
    super(`${hostname} leads to an address that is not public.`);
  }
}

const told: Record<string, [WebhookFailureKind, string]> = {
  ENOTFOUND: ["dns", "The host name does not resolve."],
  EAI_AGAIN: ["dns", "The host name could not be resolved just now."],
  EAI_NODATA: ["dns", "The host name has no address."],
  ECONNREFUSED: ["connection", "The connection was refused."],
  ECONNRESET: ["connection", "The connection was cut before the answer was complete."],
  EPIPE: ["connection", "The connection was cut before the answer was complete."],
  EHOSTUNREACH: ["connection", "The host cannot be reached."],
  ENETUNREACH: ["connection", "The network cannot be reached."],
  ETIMEDOUT: ["timeout", "The connection timed out."],
  HPE_HEADER_OVERFLOW: ["answer", "The answer's header is too large."],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls", "The certificate is self-signed."],
  SELF_SIGNED_CERT_IN_CHAIN: ["tls", "The certificate is self-signed."],
  CERT_HAS_EXPIRED: ["tls", "The certificate has expired."],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls", "The certificate is for another host name."],
};

/**
 * What went wrong, in words of ours: an error's own text may quote what the receiver sent, or name
 * an address inside our network.
 */
export function tellFailure(error: unknown): { kind: WebhookFailureKind; message: string } {
  if (error instanceof RefusedAddressError) return { kind: "refused", message: error.message };
  const code = errorCode(error);
  const known = told[code];
  if (known !== undefined) return { kind: known[0], message: known[1] };
  if (code.startsWith("HPE_")) return { kind: "answer", message: "The answer is not HTTP." };
  if (code.startsWith("EAI_")) return { kind: "dns", message: "The host name does not resolve." };
  const text = error instanceof Error ? error.message : "";
  if (/certificate|tls|ssl|handshake|UnknownIssuer/i.test(`${code} ${text}`)) {
    return { kind: "tls", message: "The TLS handshake failed." };
  }
  return { kind: "connection", message: "The connection failed." };
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  // Several addresses tried, none reached: the first one's reason speaks for all.
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
