import { unambiguousDomain } from "../../core/host_name.ts";
import { type Address, normaliseAddress } from "../../mailboxes/address.ts";
import type { EmailRow } from "./email_row.ts";

/**
 * The author of a received email for every comparison that counts on its verdict: the address with the domain that was
 * checked. null if the address has no domain, its domain has two readings, or another one was checked. If no domain was
 * checked, the address counts as it is written.
 */
export function checkedAuthor({ from, auth }: Pick<EmailRow, "from" | "auth">): Address | null {
  const author = normaliseAddress(from.address);
  if (!author || unambiguousDomain(from.address) === null) return null;
  const checked = auth?.domain ?? null;
  return checked !== null && checked !== author.domain ? null : author;
}
