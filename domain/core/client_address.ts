import ipaddr from "ipaddr.js";

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `TRUSTED_PROXIES`: addresses or CIDR blocks. Throws naming the entry that is neither. */
export function parseNetworks(entries: readonly string[]): Network[] {
  return entries.map((entry) => {
    try {
      if (entry.includes("/")) return ipaddr.parseCIDR(entry);
      const address = ipaddr.process(entry);
      return [address, address.kind() === "ipv4" ? 32 : 128];
    } catch {
      throw new Error(`${entry} is neither an address nor a CIDR block`);
    }
  });
}

/**
 * The address that anonymous requests are counted by, DECISIONS.md 9: the peer's, or where the peer is a trusted
 * proxy the last hop of `X-Forwarded-For` that is not one. A hop that is no address ends the search at the proxy
 * that wrote it: what stands before it may be anybody's invention.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: readonly Network[],
): string {
  let client = parse(peer);
  if (!client) return "unknown";
  const hops = forwardedFor?.split(",").slice(-maxHops) ?? [];
  while (hops.length > 0 && isTrusted(client, trusted)) {
    const hop = parse(hops.pop() ?? "");
    if (!hop) break;
    client = hop;
  }
  return client.toString();
}

/** Whether `X-Forwarded-For` of this peer is believed. */
export function isTrustedPeer(peer: string, trusted: readonly Network[]): boolean {
  const address = parse(peer);
  return address !== null && isTrusted(address, trusted);
}

/** Deno Deploy's own front, whatever its address is: the only peer there is. */
export function peerOnDeploy(peer: string): Network[] {
  return parse(peer) ? parseNetworks([peer.trim()]) : [];
}

/**
 * The address as a subject of limits: an IPv4 address whole, an IPv6 address by its /64, which is what one
 * customer of a provider is given.
 */
export function limitSubject(address: string): string {
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${
    parsed.toByteArray().slice(0, 8).map((byte) => byte.toString(16).padStart(2, "0")).join("")
  }/64`;
}

/** More hops than any chain of real proxies; the header is up to the sender. */
const maxHops = 32;

/** With the port that some proxies add, and brackets, and IPv4 in IPv6 made plain. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(
    /^(\d+\.\d+\.\d+\.\d+):\d+$/,
    "$1",
  );
  // ipaddr reads 1 and 0x7f as IPv4 too: nobody forwards for those.
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(bare) && !bare.includes(":")) return null;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, trusted: readonly Network[]): boolean {
  return trusted.some(([network, bits]) =>
    network.kind() === address.kind() && address.match(network, bits)
  );
}
