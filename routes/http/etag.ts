import { createHash } from "node:crypto";
import type { Context } from "hono";

/** A strong validator of a body (RFC 9110, 8.8.3). */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
}

/**
 * Whether the client has this body already (RFC 9110, 13.1.2): the answer is 304. The comparison is weak, because a proxy
 * that compresses makes `W/"x"` of `"x"`; `*` is any body.
 */
export function hasBody(c: Context, etag: string): boolean {
  const known = c.req.header("if-none-match")?.split(",") ?? [];
  return known.some((each) => each.trim().replace(/^W\//, "") === etag) ||
    known.length === 1 && known[0].trim() === "*";
}
