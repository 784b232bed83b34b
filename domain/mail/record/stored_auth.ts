import { authVerdicts } from "../../core/auth_verdicts.ts";
import { unambiguousDomain } from "../../core/host_name.ts";
import { type Address, normaliseAddress } from "../../mailboxes/address.ts";
import type { AuthVerdict, SenderAuth } from "../../ports/sender_checks.ts";

const sources = ["checked", "provider", "none"] as const;

/** The result of a sender's checks by position, in the row of its email. A verdict and a source are their numbers. */
export type StoredAuth = [
  verdict: number,
  source: number,
  spf: string,
  dkim: string,
  dmarc: string,
  /** 0: that of the From address. */
  domain: string | null | 0,
];

export function storedAuth(auth: SenderAuth, from: { address: string }): StoredAuth {
  const { verdict, source, spf, dkim, dmarc, domain } = auth;
  const isOfFrom = domain !== null && domain === domainOf(from.address);
  return [
    authVerdicts.indexOf(verdict),
    sources.indexOf(source),
    spf,
    dkim,
    dmarc,
    isOfFrom ? 0 : domain,
  ];
}

export function readAuth(
  [verdict, source, spf, dkim, dmarc, domain]: StoredAuth,
  from: { address: string },
): SenderAuth {
  return {
    verdict: authVerdicts[verdict],
    spf,
    dkim,
    dmarc,
    domain: domain === 0 ? domainOf(from.address) : domain,
    source: sources[source],
  };
}

/** For an email whose sender was not checked. */
export function authWithoutCheck(verdict: AuthVerdict): SenderAuth {
  const none = "none";
  return { verdict, spf: none, dkim: none, dmarc: none, domain: null, source: none };
}

/** For mail between mailboxes of this service: it has no SMTP envelope, and the service itself wrote From. */
export function ownAuth(from: string): SenderAuth {
  return { ...authWithoutCheck("pass"), domain: domainOf(from), source: "checked" };
}

/** What is known of the author of an email. */
interface Checked {
  from: { address: string };
  auth: SenderAuth | null;
}

/**
 * The author of a received email for every comparison that counts on its verdict: the address with the domain that was
 * checked. null if the address has no domain, its domain has two readings, or another one was checked. If no domain was
 * checked, the address counts as it is written.
 */
export function checkedAuthor({ from, auth }: Checked): Address | null {
  const author = normaliseAddress(from.address);
  if (!author || unambiguousDomain(from.address) === null) return null;
  const checked = auth?.domain ?? null;
  return checked !== null && checked !== author.domain ? null : author;
}

/** What follows the at sign, in lower case; "" if there is none. */
function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}
