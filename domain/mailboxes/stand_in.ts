import type { Service } from "../core/service.ts";
import { type Address, normaliseAddress, parseEnvelopeAddress } from "./address.ts";
import { returnLocal } from "./check_address.ts";
import type { Mailbox } from "./mailbox.ts";
import { type ActiveRoute, isActive, type Route } from "./route.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";

/** Addresses that every domain has: RFC 5321, section 4.5.1, and RFC 2142, section 4. */
const contacts: readonly string[] = ["postmaster", "abuse"];

type Reads = Pick<Service, "settings" | "database">;

/**
 * The recipient of an envelope, as {@link parseEnvelopeAddress} reads it. `Postmaster` without a domain, in any case, is that
 * of the service (RFC 5321, section 4.1.1.3): of the first shared domain.
 */
export function recipientAddress({ settings }: Pick<Service, "settings">, text: string) {
  const isPostmaster = /^\s*(<?)postmaster(>?)\s*$/i.exec(text);
  return isPostmaster && isPostmaster[1].length === isPostmaster[2].length
    ? normaliseAddress(`postmaster@${settings.SHARED_DOMAINS[0]}`)
    : parseEnvelopeAddress(text);
}

/** The mailbox that takes mail to `postmaster` and `abuse` of a shared domain: that of POSTMASTER_MAILBOX, if it exists. */
export async function operatorsMailbox(
  store: Pick<Tx, "get">,
  { settings }: Reads,
  { local }: Pick<Address, "local">,
): Promise<ActiveRoute | null> {
  const { POSTMASTER_MAILBOX: address } = settings;
  if (!address || !contacts.includes(local)) return null;
  const route = await store.get<Route>(keys.mailboxByAddress(address));
  return isActive(route) ? route : null;
}

/**
 * The mailbox that takes mail to an address of an own domain that no mailbox has: the catch-all, and for `postmaster` and
 * `abuse` else the oldest mailbox of the domain, else of the account. Bounces are nobody's.
 */
export async function standIn(
  store: Pick<Tx, "get">,
  { database }: Reads,
  userId: string,
  { local, domain }: Pick<Address, "local" | "domain">,
): Promise<ActiveRoute | null> {
  if (local === returnLocal) return null;
  const row = await store.get<ActiveRoute>(keys.catchAll(domain));
  if (row?.userId === userId) return row;
  if (!contacts.includes(local)) return null;
  const mailboxes = await database.cachedRange<Mailbox>(keys.mailboxes(userId));
  let oldest: Mailbox | undefined;
  for (const { value } of mailboxes) {
    const isCloser = Number(value.domain === domain) - Number(oldest?.domain === domain) ||
      (oldest?.createdAt ?? Infinity) - value.createdAt;
    if (!oldest || isCloser > 0) oldest = value;
  }
  // The row is read again: it is gone if the mailbox was deleted meanwhile.
  const mailbox = oldest && await store.get<Mailbox>(keys.mailbox(userId, oldest.mailboxId));
  return mailbox ? { userId, mailboxId: mailbox.mailboxId } : null;
}
