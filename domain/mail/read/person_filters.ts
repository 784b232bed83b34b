import { domainToUnicode } from "node:url";
import { PersonFilter } from "../../../fulltext/analysis/people.ts";
import { normaliseHost } from "../../core/host_name.ts";
import { checkedAuthor } from "../record/stored_auth.ts";
import type { Address, EmailRow } from "../record/email_row.ts";

/**
 * Whether a part is in a person: see {@link PersonFilter}. A domain is written in Unicode or in ASCII (IDNA): either finds
 * the other.
 */
export function personFilter(text: string): (person: Address) => boolean {
  const part = compared(text);
  const asWritten = new PersonFilter(part);
  const sought = inUnicode(part);
  const asShown = new PersonFilter(sought);
  // Letters next to each other in a name are next to each other in its A-label too.
  const isInLabels = /^[a-z0-9_-]*$/.test(part);
  return ({ name, address }) => {
    const person = [compared(name), compared(address)] as const;
    if (asWritten.passes(...person)) return true;
    if (sought === part && (isInLabels || !person[1].includes("xn--"))) return false;
    return asShown.passes(person[0], inUnicode(person[1]));
  };
}

/**
 * The filter for a whole address, `@domain` or domain together with a verdict that counts: it looks at the domain that was
 * checked, and `a@bank.example` is not in `a@bank.example.evil.example`. A domain alone includes what is below it. null for
 * any other text.
 */
export function checkedFilter(
  part: string,
): ((row: Pick<EmailRow, "from" | "auth">) => boolean) | null {
  const whole = part.slice(part.lastIndexOf("<") + 1).replace(/>\s*$/, "").trim();
  const at = whole.lastIndexOf("@");
  const host = normaliseHost(whole.slice(at + 1));
  if (!host?.includes(".")) return null;
  const local = whole.slice(0, Math.max(at, 0));
  const name = personFilter(part);
  return (row) => {
    const author = checkedAuthor(row);
    if (!author) return false;
    const { domain } = author;
    if (at < 0) return domain === host || domain.endsWith(`.${host}`);
    return domain === host && author.local.endsWith(local) &&
      name({ ...row.from, address: author.address });
  };
}

/** The text with its A-labels as U-labels (RFC 5890); one that cannot be read stays. */
function inUnicode(text: string): string {
  if (!text.includes("xn--")) return text;
  return text.replace(/\bxn--[a-z0-9-]{1,59}/gi, (label) => domainToUnicode(label) || label);
}

/** An address as it is compared with another one: without its case, its domain in ASCII (IDNA). */
export function wholeAddress(text: string): string {
  const address = compared(text).trim();
  const domain = address.lastIndexOf("@") + 1;
  return address.slice(0, domain) + (normaliseHost(address.slice(domain)) ?? address.slice(domain));
}

/** Whether a part, as `compared` gives it, is in a text of a mail. */
export function contains(text: string, part: string): boolean {
  return compared(text).includes(part);
}

/** A text without its case, composed: macOS writes `é` as two characters in names of files, which become subjects. */
export function compared(text: string): string {
  return text.normalize().toLowerCase();
}
