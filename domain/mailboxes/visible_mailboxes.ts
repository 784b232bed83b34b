import { notFound } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { type Caller, seesMailbox } from "../core/caller.ts";
import type { Tx } from "../store/database.ts";
import type { Mailbox } from "./mailbox.ts";

/** NOT_FOUND where the mailbox is unknown, foreign, deleted, or hidden from the caller's key. */
export async function requireMailbox(
  service: Service,
  caller: Caller,
  mailboxId: string | undefined,
): Promise<void> {
  if (mailboxId === undefined) return;
  if (!seesMailbox(caller, mailboxId)) throw notFound("mailbox");
  if (await service.database.get(keys.mailbox(caller.userId, mailboxId)) === null) {
    throw notFound("mailbox");
  }
}

/** The caller's mailbox, or NOT_FOUND: unknown, foreign, deleted, or hidden from the caller's key. */
export async function readMailbox(
  store: Pick<Tx, "get">,
  caller: Caller,
  mailboxId: string,
): Promise<Mailbox> {
  const mailbox = seesMailbox(caller, mailboxId)
    ? await store.get<Mailbox>(keys.mailbox(caller.userId, mailboxId))
    : null;
  if (!mailbox) throw notFound("mailbox");
  return mailbox;
}

/** The caller's mailboxes that its key may see, oldest first. */
export async function visibleMailboxes(service: Service, caller: Caller): Promise<Mailbox[]> {
  const rows = await service.database.cachedRange<Mailbox>(keys.mailboxes(caller.userId));
  return rows.map((row) => row.value).filter((each) => seesMailbox(caller, each.mailboxId))
    .sort((a, b) => a.createdAt - b.createdAt || (a.mailboxId < b.mailboxId ? -1 : 1));
}
