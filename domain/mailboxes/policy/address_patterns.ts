import { normaliseHost } from "../../core/host_name.ts";
import { mailboxForm, normaliseAddress } from "../address.ts";

/**
 * An entry of a policy's list in the one spelling in which it is kept: `local@domain` in lower case, or `@domain` for a
 * domain and all below it; domains in ASCII (IDNA). null if the text is neither.
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

// deno-lint-ignore no-control-regex -- a local part has no control character, space or bracket
const plainLocal = /^[^\x00-\x20\x7f"(),:;<>@[\\\]]{1,64}$/;

/**
 * Whether a list allows an address. `+tag` is part of the address: `ann+x@example.net` is another address than
 * `ann@example.net` at a host that does not fold tags.
 */
export function isListed(patterns: readonly string[], address: string): boolean {
  return matches(new Set(patterns), address);
}

/** Whether a list blocks an address, with or without its `+tag`: a host that folds tags delivers both to one mailbox. */
export function isBlocked(patterns: readonly string[], address: string): boolean {
  if (patterns.length === 0) return false;
  const blocked = new Set(patterns);
  return matches(blocked, address) || blocked.has(mailboxForm(address));
}

function matches(patterns: ReadonlySet<string>, text: string): boolean {
  if (patterns.size === 0) return false;
  const found = normaliseAddress(text);
  if (found === null) return false;
  if (patterns.has(found.address)) return true;
  const labels = found.domain.split(".");
  return labels.some((_label, n) => patterns.has(`@${labels.slice(n).join(".")}`));
}
