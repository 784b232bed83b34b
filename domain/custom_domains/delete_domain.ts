import { z } from "zod";
import { ServiceError } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import * as keys from "../store/keys.ts";
import { countMailboxes, type DomainClaim, readDomain } from "./custom_domain.ts";

export const deleteDomain = operation({
  name: "delete_domain",
  title: "Remove a custom domain",
  description: "Removes a domain that no active mailbox uses. Move or delete its mailboxes first.",
  scope: null,
  audit: "change",
  input: z.object({ domain_id: z.string().min(1).max(100) }),
  output: z.object({ domain_id: z.string(), domain_name: z.string(), deleted: z.literal(true) })
    .meta({ id: "DeletedDomain" }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "DOMAIN_HAS_MAILBOXES"],
  async run(service, caller, input, call) {
    const domain = await service.database.transact(async (tx) => {
      const domain = await readDomain(tx, caller.userId, input.domain_id);
      const { userId, domainId, name } = domain;
      const mailboxes = await countMailboxes(tx, domain);
      if (mailboxes > 0) {
        throw new ServiceError("DOMAIN_HAS_MAILBOXES", undefined, {
          mailbox_count: mailboxes,
          domain_name: name,
        });
      }
      tx.delete(keys.customDomain(userId, domainId));
      tx.delete(keys.customDomainByName(userId, name));
      tx.delete(keys.dkimKey(userId, domainId));
      const claim = await tx.get<DomainClaim>(keys.customDomainVerified(name));
      if (claim?.userId === userId && claim.domainId === domainId) {
        tx.delete(keys.customDomainVerified(name));
      }
      const quota = keys.customDomainQuota(userId);
      tx.set(quota, Math.max(0, (await tx.get<number>(quota) ?? 0) - 1));
      call.audit({}, tx);
      return domain;
    });
    service.log.info("domain.removed", { user_id: caller.userId, domain: domain.name });
    return { domain_id: domain.domainId, domain_name: domain.name, deleted: true as const };
  },
});
