import { getDomain } from "tldts";

/**
 * The whole name of a record of `domain`, and its name in the zone of the registrable domain, where people usually publish
 * it: that of the public suffix list, without its private section. `name` is relative to the domain, `@` itself.
 */
export function zoneNames(domain: string, name: string): { fqdn: string; zone_name: string } {
  const fqdn = name === "@" ? domain : `${name}.${domain}`;
  const zone = getDomain(domain, { allowPrivateDomains: false }) ?? domain;
  return { fqdn, zone_name: fqdn === zone ? "@" : fqdn.slice(0, -zone.length - 1) };
}
