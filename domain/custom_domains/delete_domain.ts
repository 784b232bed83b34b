import { z } from "zod";
import { ServiceError } from "../core/errors.ts";
import { operation } from "../core/operation.ts";
import * as keys from "../store/keys.ts";
import { countMailboxes, type HostClaim, readHost } from "./custom_domain.ts";

export const deleteHost = operation({
  name: "delete_domain",
  title: "Remove a custom domain",
  description: "Removes a domain that no active mailbox uses; move or delete its mailboxes first.",
  scope: null,
  input: z.object({ domain_id: z.string().min(1).max(100) }),
  output: z.object({ domain_id: z.string(), domain_name: z.string(), deleted: z.literal(true) })
    .meta({ id: "DeletedDomain" }),
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "DOMAIN_HAS_MAILBOXES"],
  async run(service, caller, input) {
    const host = await service.entries.transact(async (tx) => {
      const host = await readHost(tx, caller.userId, input.domain_id);
      const { userId, hostId, name } = host;
      const mailboxes = await countMailboxes(tx, host);
      if (mailboxes > 0) {
        throw new ServiceError("DOMAIN_HAS_MAILBOXES", undefined, {
          mailbox_count: mailboxes,
          domain_name: name,
        });
      }
      tx.delete(keys.host(userId, hostId));
      tx.delete(keys.hostByName(userId, name));
      tx.delete(keys.dkimKey(userId, hostId));
      const claim = await tx.get<HostClaim>(keys.hostVerified(name));
      if (claim?.userId === userId && claim.hostId === hostId) tx.delete(keys.hostVerified(name));
      const quota = keys.hostQuota(userId);
      tx.set(quota, Math.max(0, (await tx.get<number>(quota) ?? 0) - 1));
      return host;
    });
    service.log.info("domain.removed", { user_id: caller.userId, domain: host.name });
    return { domain_id: host.hostId, domain_name: host.name, deleted: true as const };
  },
});
