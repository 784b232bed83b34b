import ipaddr from "ipaddr.js";

/**
 * True for an address on the public internet. Everything that the IANA special-purpose registries
 * set apart is not: loopback, private, link-local, shared (RFC 6598), documentation, benchmarking,
 * multicast, reserved, and IPv6 forms that carry an IPv4 address (mapped, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:a.b.c.d is judged as a.b.c.d
  if (parsed.range() !== "unicast") return false;
  // ipaddr.js calls any IPv6 address without a special range "unicast", ::127.0.0.1 among them;
  // RFC 4291 section 2.4 and the IANA registry give global unicast 2000::/3 alone.
  return parsed instanceof ipaddr.IPv4 || (parsed.parts[0] & 0xe000) === 0x2000;
}

/** The address a URL's host names literally, without the brackets of IPv6; null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}
