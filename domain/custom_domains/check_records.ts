import { type DkimKey, dkimRecordName } from "../../mime/compose/dkim.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { isDkimRecord } from "./dkim_record.ts";
import { expectedRecords, type Host, type HostClaim } from "./custom_domain.ts";
import { compareRecords, type FoundRecords } from "./records.ts";

export const reverifyHostJob = "reverify_host";
/** DECISIONS.md 10: daily. */
export const reverifyMs = 86_400_000;

export interface ReverifyHost {
  userId: string;
  hostId: string;
}

/** What the DNS said of a domain; `unavailable` where it could not be asked. */
export type Look =
  | { kind: "found"; records: FoundRecords; dkimPublished: boolean }
  | { kind: "unavailable"; reason: string };

/** Asks for the records of a domain, all at once: 10 s at most. A DKIM record is never waited for twice. */
export async function look(service: Service, host: Host, key: DkimKey | null): Promise<Look> {
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
  host: Host,
  found: FoundRecords,
): Promise<{ host: Host; taken: boolean }> {
  const flags = compareRecords(expectedRecords(host, service.settings), found);
  const now = service.clock.now();
  const claimKey = keys.hostVerified(host.name);
  const claim = await tx.get<HostClaim>(claimKey);
  const isOwn = claim?.userId === host.userId && claim.hostId === host.hostId;
  if (flags.verified && claim !== null && !isOwn) {
    const other = await tx.get<Host>(keys.host(claim.userId, claim.hostId));
    if (other !== null) {
      const others = compareRecords(expectedRecords(other, service.settings), found);
      if (others.verified) return { host, taken: true };
      tx.set(keys.host(other.userId, other.hostId), changed(other, others, now));
      tx.afterCommit(() => reportLapse(service, other));
    }
  }
  const next = changed(host, flags, now);
  tx.set(keys.host(host.userId, host.hostId), next);
  if (next.verified && !isOwn) {
    tx.set(claimKey, { userId: host.userId, hostId: host.hostId } satisfies HostClaim);
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
      reverifyHostJob,
      { userId: host.userId, hostId: host.hostId } satisfies ReverifyHost,
      now + reverifyMs,
    );
  }
  return { host: next, taken: false };
}

function changed(host: Host, flags: ReturnType<typeof compareRecords>, now: number): Host {
  return {
    ...host,
    verified: flags.verified,
    mxConfigured: flags.mx_configured,
    firstVerifiedAt: host.firstVerifiedAt ?? (flags.verified ? now : null),
    checkedAt: now,
  };
}

function reportLapse(service: Service, host: Host): void {
  service.log.warn("domain.lapsed", { user_id: host.userId, domain: host.name });
}
