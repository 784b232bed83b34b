/** The names of a record: `name` is relative to `domain`, `@` is the domain itself. */
export type ZoneNames = (domain: string, name: string) => { fqdn: string; zone_name: string };

/**
 * Gives the whole name of a record, and its name in the zone of the registrable domain, where people usually publish it:
 * that of the public suffix list, without its private section. The list is read at the first use: it takes 35 ms.
 */
export async function loadZoneNames(): Promise<ZoneNames> {
  const { getDomain } = await import("tldts");
  return (domain, name) => {
    const fqdn = name === "@" ? domain : `${name}.${domain}`;
    const zone = getDomain(domain, { allowPrivateDomains: false }) ?? domain;
    return { fqdn, zone_name: fqdn === zone ? "@" : fqdn.slice(0, -zone.length - 1) };
  };
}
