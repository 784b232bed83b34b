import { z } from "zod";
import { invalidField, ServiceError } from "../core/errors.ts";
import { createDkimKey, dkimSelector } from "../../mime/compose/dkim.ts";
import { operation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import {
  countMailboxes,
  type CustomDomain,
  domainWithRecords,
  domainWithRecordsOf,
} from "./custom_domain.ts";
import { isPublicHost, normaliseHost } from "../core/host_name.ts";
import { verificationToken } from "./records.ts";
import type { Caller } from "../core/caller.ts";
import { loadZoneNames } from "./zone_names.ts";

/** 128 bits: it cannot be published by chance or guess. */
const tokenBytes = 16;

export const addDomain = operation({
  name: "add_domain",
  title: "Add a custom domain",
  description:
    "Adds a domain and returns the DNS records to publish. Several accounts may add the same domain; it " +
    "belongs to the account whose TXT record is published.",
  scope: null,
  audit: "change",
  input: z.object({ domain: z.string().max(1_000).describe("Host name, such as example.com") }),
  output: domainWithRecords,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "CONFLICT"],
  async run(service, caller, input, call) {
    const { userId } = caller;
    const name = readName(input.domain, service.settings.SHARED_DOMAINS);
    // Checked before the slow creation of a key, and again in the commit, which decides.
    await refuseUnlessFree(service.database, service, caller, name);
    const token = service.ids.bytes(tokenBytes).toHex();
    const dkimKey = await createDkimKey(dkimSelector);
    const now = service.clock.now();
    const domain: CustomDomain = {
      domainId: service.ids.timed(now),
      userId,
      name,
      verificationToken: verificationToken(service.settings.VERIFY_PREFIX, token),
      verified: false,
      mxConfigured: false,
      createdAt: now,
      firstVerifiedAt: null,
    };
    const mailboxCount = await service.database.transact(async (tx) => {
      const count = await refuseUnlessFree(tx, service, caller, name);
      tx.set(keys.customDomainQuota(userId), count + 1);
      tx.set(keys.customDomain(userId, domain.domainId), domain);
      tx.set(keys.customDomainByName(userId, name), domain.domainId);
      tx.set(keys.dkimKey(userId, domain.domainId), dkimKey);
      call.audit({}, tx);
      return await countMailboxes(tx, domain);
    });
    service.log.info("domain.added", { user_id: userId, domain: name });
    const zoneNames = await loadZoneNames();
    return domainWithRecordsOf(domain, mailboxCount, dkimKey, service.settings, zoneNames);
  },
});

/** The number of domains of the account. Throws CONFLICT if it has this one, FORBIDDEN at the plan's limit. */
async function refuseUnlessFree(
  store: Pick<Tx, "get">,
  service: Service,
  { userId, plan }: Caller,
  name: string,
): Promise<number> {
  if (await store.get(keys.customDomainByName(userId, name)) !== null) {
    throw new ServiceError("CONFLICT", "The account already has this domain.", { domain: name });
  }
  const count = await store.get<number>(keys.customDomainQuota(userId)) ?? 0;
  const limit = service.plans[plan].customDomains;
  if (limit !== null && count >= limit) {
    const message = `The ${plan} plan allows ${limit} custom domains.`;
    throw new ServiceError("FORBIDDEN", message, { count, limit, plan });
  }
  return count;
}

function readName(text: string, sharedDomains: readonly string[]): string {
  const name = normaliseHost(text);
  if (name !== null && sharedDomains.includes(name)) {
    throw new ServiceError("CONFLICT", "This domain is shared by all accounts.", { domain: name });
  }
  if (name === null || !isPublicHost(name)) {
    throw invalidField("domain", "must be a public host name, such as example.com");
  }
  return name;
}
