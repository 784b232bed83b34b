import { normaliseHost, unambiguousHost } from "../../core/host_name.ts";
import {
  type Address,
  normaliseAddress,
  parseEnvelopeAddress,
  routingAddress,
} from "../address.ts";

/**
 * An entry of a policy's list as it is stored: `local@domain` in lower case, or `@domain` for a domain and all below
 * it; domains in ASCII (IDNA). null if the text is neither.
 */
export function addressPattern(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("@")) {
    const domain = normaliseHost(trimmed.slice(1));
    return domain === null ? null : `@${domain}`;
  }
  const [local, ...others] = trimmed.split("@");
  if (others.length !== 1 || !plainLocal.test(local)) return null;
  return normaliseAddress(trimmed)?.address ?? null;
}

/**
 * A local part without control character, space or bracket. RFC 5321 allows `*`, but who writes `*@example.net` means
 * all of a domain, and an entry that fits no mail would be a block that does not hold.
 */
// deno-lint-ignore no-control-regex -- see above
const plainLocal = /^[^\x00-\x20\x7f"()*,:;<>@[\\\]]{1,64}$/;

/**
 * Whether a list allows an address. `+tag` is part of the address: `ann+x@example.net` is another address than
 * `ann@example.net` at a host that does not fold tags. A stranger's address whose domain has two readings is on no list.
 */
export function isListed(patterns: readonly string[], address: string): boolean {
  if (patterns.length === 0) return false;
  const found = readAddress(address);
  return found !== null && hasOneReading(address) && matches(new Set(patterns), found);
}

function hasOneReading(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1).replace(/>\s*$/, "");
  return unambiguousHost(host) !== null;
}

/** Whether a list blocks an address, with or without its `+tag`: a host that folds tags delivers both to one mailbox. */
export function isBlocked(patterns: readonly string[], address: string): boolean {
  if (patterns.length === 0) return false;
  const found = readAddress(address);
  if (found === null) return false;
  const blocked = new Set(patterns);
  return matches(blocked, found) || blocked.has(routingAddress(found).address);
}

/** `"ann"@example.net` is `ann@example.net` (RFC 5321, section 4.1.2). */
function readAddress(text: string): Address | null {
  return parseEnvelopeAddress(text) ?? normaliseAddress(text);
}

function matches(patterns: ReadonlySet<string>, { address, domain }: Address): boolean {
  if (patterns.has(address)) return true;
  const labels = domain.split(".");
  return labels.some((_label, n) => patterns.has(`@${labels.slice(n).join(".")}`));
}
