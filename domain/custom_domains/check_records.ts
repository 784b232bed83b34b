import { type DkimKey, dkimRecordName } from "../../mime/compose/dkim.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { isDkimRecord } from "./dkim_record.ts";
import { type CustomDomain, type DomainClaim, expectedRecords } from "./custom_domain.ts";
import { compareRecords, type FoundRecords } from "./records.ts";

/** DECISIONS.md 10: daily. */
export const reverifyMs = 86_400_000;

/** What the DNS said of a domain; `unavailable` where it could not be asked. */
export type RecordLookup =
  | { kind: "found"; records: FoundRecords; dkimPublished: boolean }
  | { kind: "unavailable"; reason: string };

/** Asks for the records of a domain, all at once: 10 s at most. A DKIM record is never waited for twice. */
export async function lookUpRecords(
  service: Service,
  host: CustomDomain,
  key: DkimKey | null,
): Promise<RecordLookup> {
  const [txt, mx, dkim] = await Promise.all([
    service.dns.txt(host.name),
    service.dns.mx(host.name),
    key === null ? null : service.dns.txt(`${dkimRecordName(key)}.${host.name}`),
  ]);
  if (txt.kind === "unavailable") return txt;
  if (mx.kind === "unavailable") return mx;
  return {
    kind: "found",
    records: {
      txt: txt.kind === "records" ? txt.records : [],
      mx: mx.kind === "records" ? mx.records : [],
    },
    dkimPublished: key !== null && dkim?.kind === "records" && isDkimRecord(key, dkim.records),
  };
}

/**
 * Stores what was found: both flags, each as found, and who has the domain. The account whose TXT record
 * stands there has it; where another account has proved it and its record stands there too, that one
 * keeps it, else it has lapsed by the very same look. `taken`: the proof is there and the domain is not
 * to be had; nothing was changed.
 */
export async function storeFindings(
  tx: Tx,
  service: Service,
  host: CustomDomain,
  found: FoundRecords,
): Promise<{ host: CustomDomain; taken: boolean }> {
  const flags = compareRecords(expectedRecords(host, service.settings), found);
  const now = service.clock.now();
  const claimKey = keys.customDomainVerified(host.name);
  const claim = await tx.get<DomainClaim>(claimKey);
  const isOwn = claim?.userId === host.userId && claim.domainId === host.domainId;
  if (flags.verified && claim !== null && !isOwn) {
    const other = await tx.get<CustomDomain>(keys.host(claim.userId, claim.domainId));
    if (other !== null) {
      const others = compareRecords(expectedRecords(other, service.settings), found);
      if (others.verified) return { host, taken: true };
      tx.set(keys.host(other.userId, other.domainId), changed(other, others, now));
      tx.afterCommit(() => reportLapse(service, other));
    }
  }
  const next = changed(host, flags, now);
  tx.set(keys.host(host.userId, host.domainId), next);
  if (next.verified && !isOwn) {
    tx.set(claimKey, { userId: host.userId, domainId: host.domainId } satisfies DomainClaim);
    tx.afterCommit(() =>
      service.log.info("domain.verified", { user_id: host.userId, domain: host.name })
    );
  }
  if (!next.verified && isOwn) {
    tx.delete(claimKey);
    tx.afterCommit(() => reportLapse(service, host));
  }
  if (next.firstVerifiedAt !== null && host.firstVerifiedAt === null) {
    service.jobs.add(
      tx,
      "reverify_domain",
      { userId: host.userId, domainId: host.domainId },
      now + reverifyMs,
    );
  }
  return { host: next, taken: false };
}

function changed(
  host: CustomDomain,
  flags: ReturnType<typeof compareRecords>,
  now: number,
): CustomDomain {
  return {
    ...host,
    verified: flags.verified,
    mxConfigured: flags.mx_configured,
    firstVerifiedAt: host.firstVerifiedAt ?? (flags.verified ? now : null),
    checkedAt: now,
  };
}

function reportLapse(service: Service, host: CustomDomain): void {
  service.log.warn("domain.lapsed", { user_id: host.userId, domain: host.name });
}
