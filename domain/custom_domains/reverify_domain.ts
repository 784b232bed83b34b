import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { lookUpRecords, type ReverifyDomain, reverifyMs, storeFindings } from "./check_records.ts";
import type { CustomDomain } from "./custom_domain.ts";

/** How soon a domain is looked at again whose DNS gave no answer: it keeps what it has meanwhile. */
const retryMs = 3_600_000;

/**
 * Looks again at a domain that was proved once, for as long as it exists. Where the TXT record is gone,
 * the domain lapses: its mailboxes neither receive nor send, nothing is deleted, and the name is free
 * for another account to prove. Where it has come back, so does the domain, unless it is another's now.
 */
export async function reverifyDomain(service: Service, job: Job<ReverifyDomain>): Promise<void> {
  const { userId, domainId } = job.payload;
  const key = keys.customDomain(userId, domainId);
  const domain = await service.database.get<CustomDomain>(key);
  const seen = domain && await lookUpRecords(service, domain, null);
  if (seen?.kind === "unavailable") {
    service.log.warn("domain.look_failed", { domain: domain?.name, reason: seen.reason });
  }
  await service.database.transact(async (tx) => {
    const current = await tx.get<CustomDomain>(key);
    if (current === null || seen === null) return service.jobs.complete(tx, job);
    if (seen.kind === "found") await storeFindings(tx, service, current, seen.records);
    const delayMs = seen.kind === "found" ? reverifyMs : retryMs;
    service.jobs.putOff(tx, job, service.clock.now() + delayMs, { attempts: 0 });
  });
}
