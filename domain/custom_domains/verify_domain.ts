import { z } from "zod";
import { ServiceError, unavailable } from "../core/errors.ts";
import type { DkimKey } from "../../mime/compose/dkim.ts";
import { operation } from "../core/operation.ts";
import * as keys from "../store/keys.ts";
import { lookUpRecords, storeFindings } from "./check_records.ts";
import {
  countMailboxes,
  domainWithRecords,
  domainWithRecordsOf,
  expectedRecords,
  readDomain,
} from "./custom_domain.ts";
import { verificationFailure } from "./records.ts";
import { loadZoneNames } from "./zone_names.ts";

/** `Retry-After` if the DNS did not answer. */
const retryAfterSeconds = 10;

export const verifyDomain = operation({
  name: "verify_domain",
  title: "Verify a custom domain",
  description:
    "Looks up the domain's DNS records and stores what was found. The TXT record proves " +
    "the domain, the MX record routes its mail here. Succeeds if both are published.",
  scope: null,
  audit: "change",
  input: z.object({ domain_id: z.string().min(1).max(100) }),
  output: domainWithRecords,
  errors: ["VALIDATION_ERROR", "VERIFICATION_FAILED", "NOT_FOUND", "CONFLICT"],
  async run(service, caller, input, call) {
    const asked = await readDomain(service.database, caller.userId, input.domain_id);
    const dkimKey = await service.database.get<DkimKey>(keys.dkimKey(asked.userId, asked.domainId));
    const seen = await lookUpRecords(service, asked, dkimKey);
    if (seen.kind === "unavailable") {
      service.log.warn("domain.look_failed", { domain: asked.name, reason: seen.reason });
      throw unavailable(
        "The DNS does not answer for this domain at the moment.",
        retryAfterSeconds,
      );
    }
    const { domain, taken, mailboxCount } = await service.database.transact(async (tx) => {
      const current = await readDomain(tx, caller.userId, input.domain_id);
      const outcome = await storeFindings(tx, service, current, seen.records, seen.sending);
      const { verified, mxConfigured } = outcome.domain;
      if (!outcome.taken && verified && mxConfigured) call.audit({}, tx);
      return { ...outcome, mailboxCount: await countMailboxes(tx, current) };
    });
    if (taken) {
      throw new ServiceError("CONFLICT", "Another account has proved this domain.", {
        domain: domain.name,
      });
    }
    const expected = expectedRecords(domain, service.settings);
    if (!domain.verified || !domain.mxConfigured) {
      const details = verificationFailure(domain.name, expected, seen.records);
      throw new ServiceError("VERIFICATION_FAILED", undefined, details);
    }
    const zoneNames = await loadZoneNames();
    return domainWithRecordsOf(domain, mailboxCount, dkimKey, service.settings, zoneNames);
  },
});
