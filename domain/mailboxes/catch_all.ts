import type { Caller } from "../core/caller.ts";
import { ServiceError } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import { hasProved } from "../custom_domains/custom_domain.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { Mailbox } from "./mailbox.ts";
import type { ActiveRoute } from "./route.ts";

/** Whether the mailbox takes the mail to every address of its domain that no mailbox has. */
export async function isCatchAll(
  store: Pick<Tx, "get">,
  { mailboxId, domain }: Pick<Mailbox, "mailboxId" | "domain">,
): Promise<boolean> {
  const row = await store.get<ActiveRoute>(keys.catchAll(domain));
  return row?.mailboxId === mailboxId;
}

/**
 * Makes the mailbox the catch-all of its domain, or ends that. Throws DOMAIN_NOT_ALLOWED unless the domain is a verified one
 * of the account, CONFLICT if another mailbox of the account is its catch-all, and FORBIDDEN for a key that is limited to
 * certain mailboxes: it would see mail to others.
 */
export async function setCatchAll(
  tx: Tx,
  service: Service,
  caller: Caller,
  { userId, mailboxId, domain }: Mailbox,
  on: boolean,
): Promise<void> {
  if (caller.mailboxIds) {
    throw new ServiceError("FORBIDDEN", "This key is limited to certain mailboxes.");
  }
  const row = await tx.get<ActiveRoute>(keys.catchAll(domain));
  if (!on) {
    if (row?.mailboxId === mailboxId) tx.delete(keys.catchAll(domain));
    return;
  }
  const { SHARED_DOMAINS } = service.settings;
  if (SHARED_DOMAINS.includes(domain) || !await hasProved(tx, userId, domain)) {
    const message = "Only a mailbox on a verified domain of the account can be a catch-all.";
    throw new ServiceError("DOMAIN_NOT_ALLOWED", message, { domain, plan: caller.plan });
  }
  // The row of an account that had the domain before counts no more.
  if (row && row.userId === userId && row.mailboxId !== mailboxId) {
    const message = "Another mailbox is the catch-all of this domain.";
    throw new ServiceError("CONFLICT", message, { mailbox_id: row.mailboxId });
  }
  tx.set(keys.catchAll(domain), { userId, mailboxId } satisfies ActiveRoute);
}

/** Ends it for a mailbox whose address is released. */
export async function endCatchAll(
  tx: Tx,
  mailbox: Pick<Mailbox, "mailboxId" | "domain">,
): Promise<void> {
  if (await isCatchAll(tx, mailbox)) tx.delete(keys.catchAll(mailbox.domain));
}
