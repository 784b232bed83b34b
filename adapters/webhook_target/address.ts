import ipaddr from "ipaddr.js";

/**
 * True for an address on the public internet: none of the IANA special-purpose registries, which have
 * loopback, private, link-local, shared (RFC 6598), documentation, benchmarking, multicast and reserved
 * addresses, and none of the IPv6 forms that carry an IPv4 address (6to4, Teredo, NAT64).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:a.b.c.d is judged as a.b.c.d
  if (parsed.range() !== "unicast") return false;
  // ipaddr.js calls any other IPv6 address "unicast", also ::127.0.0.1; only 2000::/3 is global unicast
  // (RFC 4291 section 2.4, IANA registry).
  return parsed instanceof ipaddr.IPv4 || (parsed.parts[0] & 0xe000) === 0x2000;
}

/** The IP address that is the host of a URL, without the brackets of IPv6; null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}
