import { createHash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Ids } from "../core/ids.ts";

type Randomness = Pick<Ids, "bytes">;

/**
 * A new API key, DECISIONS.md 1 and 9: `lbx_<identifier>_<secret>`, letters and digits only. The last six characters of
 * the secret are a checksum of everything before them, so that a secret scanner, and we before any look-up, can
 * tell a key from noise. `keyPrefix` is what may be shown afterwards.
 */
export function newApiKey(
  ids: Randomness,
): { apiKey: string; identifier: string; keyPrefix: string } {
  const identifier = randomText(ids, identifierLength);
  const body = `lbx_${identifier}_${randomText(ids, secretLength)}`;
  const apiKey = body + checksum(body);
  const shown = `lbx_${identifier}_`.length + shownOfSecret;
  return {
    apiKey,
    identifier,
    keyPrefix: apiKey.slice(0, shown) + "*".repeat(apiKey.length - shown),
  };
}

/** Whether `text` has the form of a key and the right checksum. Says nothing of whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  if (!apiKeyForm.test(text)) return false;
  return checksum(text.slice(0, -6)) === text.slice(-6);
}

/** An opaque access token, `lbxa_` and 262 random bits. */
export function newAccessToken(ids: Randomness): string {
  return `lbxa_${randomText(ids, tokenLength)}`;
}

/** An opaque refresh token, `lbxr_` and 262 random bits. */
export function newRefreshToken(ids: Randomness): string {
  return `lbxr_${randomText(ids, tokenLength)}`;
}

/** The only form in which keys and tokens are stored: enough for secrets of 112 bits and more (OWASP ASVS 5.0 6.5.2). */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Equality in constant time, also of texts of unequal length: the digests are compared. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b));
}

/** Whether a secret is one of those of a setting, each compared as by `equalSecrets`. */
export function isOneOf(secrets: readonly string[], given: string): boolean {
  const digest = digestOf(given);
  return secrets.some((each) => timingSafeEqual(digestOf(each), digest));
}

function digestOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const identifierLength = 12;
/** 32 characters of 62 are 190 bits; with the checksum the secret part has 38. */
const secretLength = 32;
const shownOfSecret = 4;
const tokenLength = 44;
const apiKeyForm = /^lbx_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/;

/** `length` characters, evenly drawn: bytes past the last whole multiple of 62 are thrown away. */
function randomText(ids: Randomness, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of ids.bytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

function checksum(body: string): string {
  let text = "";
  for (let rest = crc32(body); text.length < 6; rest = Math.floor(rest / 62)) {
    text = alphabet[rest % 62] + text;
  }
  return text;
}
