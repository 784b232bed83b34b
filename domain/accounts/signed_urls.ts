import { createHmac } from "node:crypto";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { equalSecrets } from "./secrets.ts";

/** What a URL is for: the token of one purpose is none of another. */
type Purpose = "upload" | "download";

const secretKey = () => keys.mark("url_secret");
const secretBytes = 32;

/**
 * A token for a URL that needs no other credential: the fields and their HMAC-SHA256 (RFC 2104), joined by dots. Nothing is
 * stored for it, so who takes it checks the rows that it names. Fields are of `[A-Za-z0-9_-]`.
 */
export async function signedToken(
  parts: Pick<Service, "database" | "ids">,
  purpose: Purpose,
  fields: readonly string[],
): Promise<string> {
  return [...fields, macOf(await secretOf(parts), purpose, fields)].join(".");
}

/** The fields of a token; null if this service has not signed it for this purpose. */
export async function fieldsOfToken(
  { database }: Pick<Service, "database">,
  purpose: Purpose,
  token: string,
): Promise<string[] | null> {
  const secret = await database.get<Uint8Array>(secretKey());
  const fields = token.split(".");
  const mac = fields.pop() ?? "";
  return secret && equalSecrets(mac, macOf(secret, purpose, fields)) ? fields : null;
}

/** The secret of this store, which the first token makes. */
async function secretOf({ database, ids }: Pick<Service, "database" | "ids">): Promise<Uint8Array> {
  const known = await database.get<Uint8Array>(secretKey());
  if (known) return known;
  const made = ids.bytes(secretBytes);
  return await database.transact(async (tx) => {
    const first = await tx.get<Uint8Array>(secretKey());
    if (!first) tx.set(secretKey(), made);
    return first ?? made;
  });
}

function macOf(secret: Uint8Array, purpose: Purpose, fields: readonly string[]): string {
  return createHmac("sha256", secret).update([purpose, ...fields].join(".")).digest("base64url");
}
