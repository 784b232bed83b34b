import { scrypt, timingSafeEqual } from "node:crypto";

/**
 * OWASP Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3. As strong as the argon2id setting, but three times
 * slower.
 */
const cost = { ln: 15, r: 8, p: 3 };

const form = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes in the thread pool of the runtime, never on the main thread. Returns a PHC string. */
export async function scryptHash(password: string, salt: Uint8Array): Promise<string> {
  const key = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(key)}`;
}

/** True if `password` made `encoded`. Throws on a string that is not of this form. */
export async function scryptVerify(password: string, encoded: string): Promise<boolean> {
  const parts = form.exec(encoded);
  if (!parts) throw new Error("not a scrypt hash of this service");
  const [ln, r, p] = parts.slice(1, 4).map(Number);
  const expected = Uint8Array.fromBase64(parts[5]);
  const key = await derive(password, Uint8Array.fromBase64(parts[4]), { ln, r, p });
  return expected.length === key.length && timingSafeEqual(key, expected);
}

/** A string of the standard cost that no password matches. */
export const scryptDummy = `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$` +
  "bGV0dGVyYm94LWR1bW15IQ$cKj3iBvDg2uQJf6nQ0gY1w8Xk5bWm4sZ7tHrVpLxNeE";

function derive(
  password: string,
  salt: Uint8Array,
  { ln, r, p }: { ln: number; r: number; p: number },
): Promise<Uint8Array> {
  const N = 2 ** ln;
  return new Promise((resolve, reject) =>
    scrypt(
      password,
      salt,
      32,
      { N, r, p, maxmem: 256 * N * r },
      (error, key) => error ? reject(error) : resolve(key),
    )
  );
}

const unpadded = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true });
