import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { lookUpRecords, reverifyMs, storeFindings } from "./check_records.ts";
import type { CustomDomain } from "./custom_domain.ts";

/** If the DNS does not answer, the domain keeps its state and is checked again after this time. */
const retryMs = 3_600_000;

/**
 * The daily check of a domain that was proved once. If the TXT record is gone, the domain lapses: its mailboxes neither
 * receive nor send, nothing is deleted, and another account can prove it. If the record is back, the domain is verified
 * again, unless another account has proved it meanwhile.
 */
export async function reverifyDomain(service: Service, job: Job<"reverify_domain">): Promise<void> {
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
    if (seen.kind === "found") {
      await storeFindings(tx, service, current, seen.records, seen.sending);
    }
    const delayMs = seen.kind === "found" ? reverifyMs : retryMs;
    service.jobs.putOff(tx, job, service.clock.now() + delayMs, { attempts: 0 });
  });
}
