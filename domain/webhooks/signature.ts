import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { Ids } from "../core/ids.ts";

/** The inputs of the signatures of one attempt. */
export interface Signed {
  /** As shown to the user. */
  secret: string;
  /** The event's id: the same for every attempt and replay, so that a receiver can drop repeats. */
  eventId: string;
  /** From 1; a replay continues the count. */
  attempt: number;
  at: Date;
  /** The raw body, byte for byte what is sent. */
  body: string;
}

/**
 * The headers of one attempt (docs/specification.md "Deliveries"): those of this service and those of Standard Webhooks
 * 1.0. Either is enough for a receiver; the second signature also covers id and time.
 */
export function signatureHeaders(signed: Signed): Record<string, string> {
  const timestamp = String(Math.floor(signed.at.getTime() / 1000));
  const standard = createHmac("sha256", standardKey(signed.secret))
    .update(`${signed.eventId}.${timestamp}.${signed.body}`).digest("base64");
  return {
    "X-Service-Signature": serviceSignature(signed.secret, signed.body),
    "X-Service-Attempt": String(signed.attempt),
    "webhook-id": signed.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard}`,
  };
}

/** `sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret string as shown. */
export function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

const secretPrefix = "whsec_";

/** Standard Webhooks asks for 24 to 64 random bytes. */
const secretBytes = 32;

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(ids: Pick<Ids, "bytes">): string {
  return secretPrefix + ids.bytes(secretBytes).toBase64();
}

/**
 * Enough to distinguish two secrets, not enough to sign: at most four characters after the prefix, and at most a
 * quarter of a short secret that a user chose.
 */
export function maskSecret(secret: string): string {
  const prefix = secret.startsWith(secretPrefix) ? secretPrefix : "";
  const shown = Math.min(4, Math.floor((secret.length - prefix.length) / 4));
  return secret.slice(0, prefix.length + shown) + "*".repeat(12);
}

/**
 * The key that the Standard Webhooks libraries derive from a secret: what follows `whsec_`, decoded from base64. For a
 * secret that a user chose and that is not base64, its bytes (their `format: "raw"`).
 */
function standardKey(secret: string): Uint8Array {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64") : Buffer.from(secret, "utf8");
}
