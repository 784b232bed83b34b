import { ServiceError } from "../../core/errors.ts";
import { firstIdAt } from "../../core/ids.ts";
import { planNames } from "../../core/plans.ts";
import type { Service } from "../../core/service.ts";
import type { MailboxPolicy } from "../../mailboxes/policy/policy.ts";
import * as keys from "../../store/keys.ts";
import type { Parts } from "../lifecycle/apply.ts";
import { storedEmailKeys } from "../record/read_email.ts";
import { storedOrder } from "../record/stored_order.ts";
import { removeEmail } from "./delete_email.ts";

type Sweeps = Parts & Pick<Service, "arrivalLoad">;

const dayMs = 86_400_000;
/** Deleted at the same time; the store groups them into commits. */
const emailsAtOnce = 20;

/**
 * Deletes the mail, received and sent, that is older than the `retention_days` of its mailbox, as `delete_email` does; imported
 * mail is as old as its import. Returns how many emails. Arrivals come first, and `mayGoOn` is called between two batches.
 */
export async function deleteOldMail(service: Sweeps, mayGoOn: () => boolean): Promise<number> {
  let deleted = 0;
  const policies = service.database.list<Partial<MailboxPolicy>>({ prefix: keys.allPolicies() });
  for await (const { key: [, userId, mailboxId], value: { retentionDays } } of policies) {
    if (retentionDays == null) continue;
    deleted += await deleteBefore(
      service,
      { userId: String(userId), mailboxId: String(mailboxId) },
      service.clock.now() - retentionDays * dayMs,
      mayGoOn,
    );
  }
  return deleted;
}

/** Places in the store have its time. */
async function deleteBefore(
  service: Sweeps,
  { userId, mailboxId }: { userId: string; mailboxId: string },
  before: number,
  mayGoOn: () => boolean,
): Promise<number> {
  const { database } = service;
  const old = storedOrder(service, { userId, mailboxId }, { end: firstIdAt(before) });
  // The deletion asks for the account and the mailbox alone.
  const caller = { userId, plan: planNames[0] };
  let deleted = 0;
  while (mayGoOn()) {
    await service.arrivalLoad.idle();
    const ids: string[] = [];
    for (let next; ids.length < emailsAtOnce && !(next = await old.next()).done;) {
      ids.push(next.value.emailId);
    }
    const gone = await Promise.all(ids.map(async (emailId) => {
      try {
        await database.transact((tx) => removeEmail(tx, service, caller, emailId), {
          prefetch: storedEmailKeys(userId, emailId),
        });
        return true;
      } catch (error) {
        // Somebody else was faster, or the mailbox has been deleted.
        if (error instanceof ServiceError && error.code === "NOT_FOUND") return false;
        throw error;
      }
    }));
    const count = gone.filter(Boolean).length;
    deleted += count;
    // The mailbox was deleted: its purge removes the rest.
    if (count === 0 || ids.length < emailsAtOnce) break;
  }
  return deleted;
}
