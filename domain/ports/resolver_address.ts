import { isIP } from "node:net";

/** The address of a resolver. */
export interface ResolverAddress {
  /** In its canonical spelling, because the sender of an answer is compared with it. */
  address: string;
  port: number;
  family: 4 | 6;
}

/** Reads `ip`, `ip:port`, `ip6`, `[ip6]` or `[ip6]:port`; null for anything else. */
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
