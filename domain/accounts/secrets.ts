import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Ids } from "../core/ids.ts";

type Randomness = Pick<Ids, "bytes">;

/**
 * A new API key, `lbx_<identifier>_<secret>`, letters and digits only (docs/specification.md "API keys"). The last six
 * characters are a checksum of all before them: a secret scanner recognizes a key by it, and the service refuses a
 * mistyped key without a read. `keyPrefix` may be shown later.
 */
export function newApiKey(ids: Randomness): { apiKey: string; keyPrefix: string } {
  const beginning = `lbx_${randomText(ids, identifierLength)}_`;
  const body = beginning + randomText(ids, secretLength);
  const apiKey = body + checksum(body);
  const shown = beginning.length + shownOfSecret;
  return {
    apiKey,
    keyPrefix: apiKey.slice(0, shown) + "*".repeat(apiKey.length - shown),
  };
}

/** Whether `text` has the form and the checksum of a key. The key need not exist. */
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

/** An opaque access token of an app, `lbxg_` and 262 random bits. */
export function newGrantAccessToken(ids: Randomness): string {
  return `${grantTokenPrefix}${randomText(ids, tokenLength)}`;
}

export const grantTokenPrefix = "lbxg_";

/** A code that an app exchanges for tokens: `lbxgc_` and the secret of its family, 262 random bits. */
export function newAuthorizationCode(ids: Randomness): string {
  return `lbxgc_${randomText(ids, tokenLength)}`;
}

/** A refresh token of an app: `lbxgr_`, the secret of the code that its grant began with, and 262 bits of its own. */
export function newGrantRefreshToken(ids: Randomness, family: string): string {
  return `lbxgr_${family}_${randomText(ids, tokenLength)}`;
}

/** The secret that a code and all refresh tokens of its grant have; null if the text is none of them. */
export function familyOf(kind: "code" | "refresh", text: string): string | null {
  const form = kind === "code"
    ? /^lbxgc_([0-9A-Za-z]{44})$/
    : /^lbxgr_([0-9A-Za-z]{44})_[0-9A-Za-z]{44}$/;
  return form.exec(text)?.[1] ?? null;
}

/** An opaque token that works once, of an invitation or a mailed link: `lbxo_` and 262 random bits. */
export function newOneTimeToken(ids: Randomness): string {
  return `lbxo_${randomText(ids, tokenLength)}`;
}

/** A password for somebody else to use, 119 random bits. */
export function newPassword(ids: Randomness): string {
  return randomText(ids, passwordLength);
}

/** Keys and tokens are stored only in this form, which is safe for secrets of 112 bits and more (OWASP ASVS 5.0 6.5.2). */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** Equality in constant time, also for texts of different length: their digests are compared. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b));
}

/** The test whether a secret is one of those of a setting, each compared as by `equalSecrets`. */
export function oneOf(secrets: readonly string[]): (given: string) => boolean {
  const digests = secrets.map(digestOf);
  return (given) => {
    const digest = digestOf(given);
    return digests.some((each) => timingSafeEqual(each, digest));
  };
}

function digestOf(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const identifierLength = 12;
/** 32 characters of 62 are 190 bits; with the checksum the secret part has 38. */
const secretLength = 32;
const shownOfSecret = 4;
const tokenLength = 44;
const passwordLength = 20;
const apiKeyForm = /^lbx_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/;

/** `length` characters, evenly distributed: bytes from 248 = 4 * 62 on are dropped. */
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
