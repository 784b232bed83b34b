import type { DkimKey } from "../../mime/compose/dkim.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type CustomDomain, type DomainClaim, expectedRecords } from "./custom_domain.ts";
import { compareRecords, type DomainFlags, type FoundRecords } from "./records.ts";
import { findSendingRecords, type SendingRecordsFound } from "./sending_records.ts";

/** Daily. */
export const reverifyMs = 86_400_000;

/** The DNS records of a domain; `unavailable` if the DNS did not answer. */
export type RecordLookup =
  | { kind: "found"; records: FoundRecords; sending: SendingRecordsFound }
  | { kind: "unavailable"; reason: string };

/**
 * Looks up all records of a domain in parallel, in at most 10 s. A missing answer for DKIM or DMARC counts as not
 * published.
 */
export async function lookUpRecords(
  service: Service,
  domain: CustomDomain,
  key: DkimKey | null,
): Promise<RecordLookup> {
  const asked = service.dns.txt(domain.name);
  const [txt, mx, sending] = await Promise.all([
    asked,
    service.dns.mx(domain.name),
    findSendingRecords(service, domain.name, key, asked),
  ]);
  if (txt.kind === "unavailable") return txt;
  if (mx.kind === "unavailable") return mx;
  return {
    kind: "found",
    records: {
      txt: txt.kind === "records" ? txt.records : [],
      mx: mx.kind === "records" ? mx.records : [],
    },
    sending,
  };
}

/**
 * Stores both flags as found, and which account has the domain: the one whose TXT record is published. If another
 * account has proved the domain and its record is still published, that account keeps it and `taken` is true: nothing
 * was changed. If its record is gone, the other account's domain lapses.
 */
export async function storeFindings(
  tx: Tx,
  service: Service,
  domain: CustomDomain,
  found: FoundRecords,
  sendingRecords: SendingRecordsFound,
): Promise<{ domain: CustomDomain; taken: boolean }> {
  const flags = compareRecords(expectedRecords(domain, service.settings), found);
  const now = service.clock.now();
  const claimKey = keys.customDomainVerified(domain.name);
  const claim = await tx.get<DomainClaim>(claimKey);
  const isOwn = claim?.userId === domain.userId && claim.domainId === domain.domainId;
  if (flags.verified && claim !== null && !isOwn) {
    const other = await tx.get<CustomDomain>(keys.customDomain(claim.userId, claim.domainId));
    // The domains of an account that has ended are free.
    if (other !== null && await tx.get(keys.user(claim.userId)) !== null) {
      const others = compareRecords(expectedRecords(other, service.settings), found);
      if (others.verified) return { domain, taken: true };
      tx.set(keys.customDomain(other.userId, other.domainId), changed(other, others, now));
      tx.afterCommit(() => reportLapse(service, other));
    }
  }
  const next = { ...changed(domain, flags, now), sendingRecords };
  tx.set(keys.customDomain(domain.userId, domain.domainId), next);
  if (next.verified && !isOwn) {
    tx.set(claimKey, { userId: domain.userId, domainId: domain.domainId } satisfies DomainClaim);
    tx.afterCommit(() =>
      service.log.info("domain.verified", { user_id: domain.userId, domain: domain.name })
    );
  }
  if (!next.verified && isOwn) {
    tx.delete(claimKey);
    tx.afterCommit(() => reportLapse(service, domain));
  }
  if (next.firstVerifiedAt !== null && domain.firstVerifiedAt === null) {
    service.jobs.add(
      tx,
      "reverify_domain",
      { userId: domain.userId, domainId: domain.domainId },
      now + reverifyMs,
    );
  }
  return { domain: next, taken: false };
}

function changed(
  domain: CustomDomain,
  flags: DomainFlags,
  now: number,
): CustomDomain {
  return {
    ...domain,
    ...flags,
    firstVerifiedAt: domain.firstVerifiedAt ?? (flags.verified ? now : null),
  };
}

function reportLapse(service: Service, domain: CustomDomain): void {
  service.log.warn("domain.lapsed", { user_id: domain.userId, domain: domain.name });
}
