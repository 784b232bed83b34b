import type { webhooks } from "./api.ts";
import { LetterboxError } from "./errors.ts";

/** The event that a webhook receives. */
export type WebhookEvent =
  webhooks[keyof webhooks]["post"]["requestBody"]["content"]["application/json"];

const toleranceSeconds = 300;

/**
 * Checks the signature of a webhook (Standard Webhooks 1.0) and returns its event. `body` is the unparsed body. Throws
 * LetterboxError `INVALID_SIGNATURE` if no signature was made with this secret, the timestamp is more than five minutes
 * off, or the body is not JSON.
 */
export async function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array | ArrayBuffer,
  secret: string,
): Promise<WebhookEvent> {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const header = (name: string) => {
    const [, value = ""] = pairs.find(([key]) => key.toLowerCase() === name) ?? [];
    return [value].flat().join(" ");
  };
  const timestamp = header("webhook-timestamp");
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw invalid("is too old, or has no time");
  }
  if (!secret) throw invalid("can't be checked without a secret");
  if (typeof body !== "string" && typeof body?.byteLength !== "number") {
    throw invalid("can't be checked: the body must be as it came, not parsed");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const head = new TextEncoder().encode(`${header("webhook-id")}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", keyOf(secret), hmac, false, ["verify"]);
  for (const each of header("webhook-signature").split(/,?\s+/)) {
    const [version, signature] = each.split(",");
    const given = version === "v1" && bytesOf(signature ?? "");
    if (given && await crypto.subtle.verify("HMAC", key, given, signed)) {
      return eventOf(bytes);
    }
  }
  throw invalid("is not of this secret");
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const error = invalid("is right, but its body is not JSON");
    error.cause = cause;
    throw error;
  }
}

const invalid = (what: string) =>
  new LetterboxError("INVALID_SIGNATURE", `The webhook's signature ${what}.`);

/** What follows `whsec_`, decoded; a secret that is not base64 is the key itself. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return bytesOf(secret.replace(/^whsec_/, "")) || new TextEncoder().encode(secret);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (base64.length % 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
}
