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

/** Larger blocks than a provider of proxies has: whoever is in one writes the client address that limits count. */
const leastPrefixBits = { ipv4: 8, ipv6: 16 };

/** The entries of `TRUSTED_PROXIES` that name so much of the internet that clients can choose their own address. */
export function tooWide(networks: readonly Network[]): string[] {
  return networks.filter(([address, bits]) => bits < leastPrefixBits[address.kind()])
    .map(([address, bits]) => `${address}/${bits}`);
}

/**
 * The address by which anonymous requests are counted (docs/specification.md "Rate limits"): the peer's; if the peer is a
 * trusted proxy, the last hop of `X-Forwarded-For` that is not one. A hop that is no address ends the search at the
 * proxy that wrote it, because a client can forge what comes before.
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

/** Whether the peer is a trusted proxy. */
export function isTrustedPeer(peer: string, trusted: readonly Network[]): boolean {
  const address = parse(peer);
  return address !== null && isTrusted(address, trusted);
}

/** On Deno Deploy every peer is the front end of Deno Deploy: it is trusted, whatever its address. */
export function peerOnDeploy(peer: string): Network[] {
  return parse(peer) ? parseNetworks([peer.trim()]) : [];
}

/**
 * The key by which limits count an address: the whole of an IPv4 address, the /64 of an IPv6 address, because a provider
 * gives a customer a /64.
 */
export function limitSubject(address: string): string {
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${
    parsed.toByteArray().slice(0, 8).map((byte) => byte.toString(16).padStart(2, "0")).join("")
  }/64`;
}

/**
 * The network around a `limitSubject`: the /48 of a /64, which one customer can get, and the /24 of an IPv4 address. An
 * attacker with many addresses has them in few networks.
 */
export function networkAround(subject: string): string {
  if (subject.endsWith("/64")) return `${subject.slice(0, hexDigitsOf48)}/48`;
  const [net] = /^\d+\.\d+\.\d+\.(?=\d+$)/.exec(subject) ?? [];
  return net ? `${net}0/24` : subject;
}
const hexDigitsOf48 = 12;

/** More than any real chain of proxies has. The client chooses the length of the header. */
const maxHops = 32;

/** Also takes an address with a port or brackets, as some proxies write it; IPv4 in IPv6 becomes IPv4. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(
    /^(\d+\.\d+\.\d+\.\d+):\d+$/,
    "$1",
  );
  // ipaddr also reads 1 and 0x7f as IPv4.
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(bare) && !bare.includes(":")) return null;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, trusted: readonly Network[]): boolean {
  return trusted.some(([network, bits]) =>
    network.kind() === address.kind() && address.match(network, bits)
  );
}
