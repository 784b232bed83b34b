import { notFound } from "../core/errors.ts";
import type { Service } from "../core/service.ts";
import { readableRows } from "../core/work/skip_damaged.ts";
import * as keys from "../store/keys.ts";
import { type Caller, seesMailbox } from "../core/caller.ts";
import type { Tx } from "../store/database.ts";
import { type Mailbox, mailboxRecordOf } from "./mailbox.ts";

type Mailboxes = Pick<Service, "database" | "log">;

/**
 * The caller's mailbox. Throws NOT_FOUND of `what` if the mailbox is unknown, another account's, deleted, or hidden from
 * the caller's key.
 */
export async function readMailbox(
  store: Pick<Tx, "get">,
  caller: Caller,
  mailboxId: string,
  what = "mailbox",
): Promise<Mailbox> {
  const mailbox = seesMailbox(caller, mailboxId)
    ? await store.get<Mailbox>(keys.mailbox(caller.userId, mailboxId))
    : null;
  if (!mailbox) throw notFound(what, mailboxId);
  return mailbox;
}

/** Checks the mailbox of an optional filter, as `readMailbox` does. */
export async function requireMailbox(
  service: Mailboxes,
  caller: Caller,
  mailboxId: string | undefined,
): Promise<void> {
  if (mailboxId !== undefined) await readMailbox(service.database, caller, mailboxId);
}

/** The caller's live mailboxes that its key may see, oldest first. */
export async function visibleMailboxes(service: Mailboxes, caller: Caller): Promise<Mailbox[]> {
  return (await liveMailboxes(service, caller))
    .sort((a, b) => a.createdAt - b.createdAt || (a.mailboxId < b.mailboxId ? -1 : 1));
}

/** The ids of `visibleMailboxes`: mail of any other mailbox is not shown. */
export async function visibleMailboxIds(service: Mailboxes, caller: Caller): Promise<Set<string>> {
  return new Set((await liveMailboxes(service, caller)).map((each) => each.mailboxId));
}

/** Whether the account has exactly one mailbox, whether or not the caller's key may see it. */
export async function hasOneMailbox(
  { database }: Pick<Service, "database">,
  userId: string,
): Promise<boolean> {
  return (await database.cachedRange(keys.mailboxes(userId))).length === 1;
}

/** Rows of the cache that were found to be readable: each list asks for all mailboxes of its account. */
const readable = new WeakSet<Mailbox>();

async function liveMailboxes(service: Mailboxes, caller: Caller): Promise<Mailbox[]> {
  const rows = await service.database.cachedRange<Mailbox>(keys.mailboxes(caller.userId));
  const mailboxes = readableRows(service.log, rows, (mailbox) => {
    if (readable.has(mailbox)) return mailbox;
    mailboxRecordOf(mailbox);
    readable.add(mailbox);
    return mailbox;
  });
  return mailboxes.filter((each) => seesMailbox(caller, each.mailboxId));
}
