import { isIP } from "node:net";

/** Where a resolver is asked. */
export interface ResolverAddress {
  /** In its one spelling, for answers are told by where they come from. */
  address: string;
  port: number;
  family: 4 | 6;
}

/** Reads `ip`, `ip:port`, `[ip6]` or `[ip6]:port` (and a bare `ip6`); `null` where it is none of them. */
export function parseResolverAddress(text: string): ResolverAddress | null {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(text);
  const address = parts?.[1] ?? parts?.[2] ?? text;
  const port = Number(parts?.[3] ?? 53);
  if (port < 1 || port > 65_535) return null;
  const family = isIP(address);
  if (family === 4) return { address, port, family };
  if (family !== 6 || address.includes("%")) return null;
  return { address: new URL(`http://[${address}]`).hostname.slice(1, -1), port, family };
}
