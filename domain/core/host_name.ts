import { domainToASCII, domainToUnicode } from "node:url";

/** Top-level names that RFC 6761, 6762, 7686 and 9476 reserve: they are not in the public DNS. */
const localSuffixes = ["localhost", "local", "internal", "onion", "arpa", "invalid", "alt"];

/** A name that `normaliseHost` returns as it is: most of them. An A-label (`xn--`) is looked at by IDNA. */
const plainHost = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The spelling in which mail domains are stored and compared: lower-case ASCII (IDNA A-labels), no surrounding space, no
 * trailing dot. Returns null if the text is no host name (RFC 1123 section 2.1): empty, longer than 253 characters, an
 * IPv4 address, or with a label that is empty, longer than 63, or not letters, digits and inner hyphens.
 */
export function normaliseHost(text: string): string | null {
  if (text.length <= 253 && plainHost.test(text) && !text.includes("xn--")) return text;
  const trimmed = text.trim();
  if (trimmed.length > 1000) return null; // No name of 253 octets is written longer; IDNA of a long text is slow.
  const host = domainToASCII(trimmed).toLowerCase().replace(/\.$/, "");
  if (host === "" || host.length > 253) return null;
  const labels = host.split(".");
  if (!labels.every((label) => hostLabel.test(label))) return null;
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels[labels.length - 1])) return null; // URL: "ends in a number"
  return host;
}

/** The domain of an email address as `normaliseHost` writes it; null if the address has none, or it is no host name. */
export function domainOfAddress(address: string): string | null {
  const at = address.lastIndexOf("@");
  return at < 0 ? null : normaliseHost(address.slice(at + 1));
}

/**
 * The host name that a stranger wrote, as `normaliseHost` writes it, if it has one reading: after letter case and
 * composition (Unicode's NFC) are evened out, IDNA changes no character more. `ｂank.example` has two: the check of a
 * sender asks the DNS for `xn--ank-r76s.example`, and UTS 46 maps the name to `bank.example`, as it maps or drops some
 * sixty other characters. null for such a name, and for one that is no host name.
 */
export function unambiguousHost(text: string): string | null {
  const host = normaliseHost(text);
  const written = text.trim().toLowerCase().normalize().replace(/\.$/, "");
  if (host === null || host === written) return host;
  const labels = written.split(".");
  const read = host.split(".");
  const isOne = labels.length === read.length &&
    read.every((label, n) => label === labels[n] || domainToUnicode(label) === labels[n]);
  return isOne ? host : null;
}

/** The domain of an address that a stranger wrote, if it has one reading: see `unambiguousHost`. */
export function unambiguousDomain(address: string): string | null {
  return unambiguousHost(address.slice(address.lastIndexOf("@") + 1));
}

/**
 * Whether `host` (normalised) may be in the public DNS: it has two labels or more, and no suffix that is reserved for
 * local use.
 */
export function isPublicHost(host: string): boolean {
  const labels = host.split(".");
  return labels.length >= 2 && !localSuffixes.includes(labels[labels.length - 1]);
}
