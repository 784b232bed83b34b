import { domainToASCII } from "node:url";

/** Names that RFC 6761, 6762, 7686 and 9476 keep away from the public DNS: nobody can prove one. */
const localSuffixes = ["localhost", "local", "internal", "onion", "arpa", "invalid", "alt"];

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one spelling in which a mail domain is kept and compared: lower-case ASCII (IDNA A-labels),
 * no surrounding space, no trailing dot. `null` where the text is no host name (RFC 1123 section
 * 2.1): empty, longer than 253 characters, a label that is empty, longer than 63, or has anything
 * but letters, digits and inner hyphens; an IPv4 address.
 */
export function normaliseHost(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 1000) return null; // IDNA costs time; no name of 253 octets is written longer
  const host = domainToASCII(trimmed).toLowerCase().replace(/\.$/, "");
  if (host === "" || host.length > 253) return null;
  const labels = host.split(".");
  if (!labels.every((label) => hostLabel.test(label))) return null;
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels[labels.length - 1])) return null; // URL: "ends in a number"
  return host;
}

/**
 * Whether `host` (normalised) can be proved in the public DNS: two labels or more, and not under a
 * suffix that is kept for local use.
 */
export function isPublicHost(host: string): boolean {
  const labels = host.split(".");
  return labels.length >= 2 && !localSuffixes.includes(labels[labels.length - 1]);
}
