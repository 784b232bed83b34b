import { createHmac } from "node:crypto";
import { equalSecrets } from "../../accounts/secrets.ts";
import type { CustomDomain, DomainClaim } from "../../custom_domains/custom_domain.ts";
import type { Service } from "../../core/service.ts";
import type { Address } from "../../mailboxes/address.ts";
import { returnLocal } from "../../mailboxes/check_address.ts";
import { reportsMs } from "../record/unsent_email.ts";
import type { Outgoing, ReturnPath } from "../record/outgoing.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** The email of a return path. */
interface ReturnRow {
  userId: string;
  emailId: string;
  mailboxId: string;
}

/** The recipient of a sent email to whom a return path belongs. */
export interface Returned extends ReturnRow {
  /** As in the row of the recipients' states; null: the path is shared, and the report names the recipient. */
  recipient: string | null;
}

/**
 * Makes the return path of an email and writes its row. Its domain is that of the mailbox if its mail comes to this service,
 * else the first shared domain.
 */
export async function writeReturnPath(
  tx: Tx,
  { ids, settings }: Pick<Service, "ids" | "settings">,
  { userId, emailId, mailboxId }: ReturnRow,
  mailboxDomain: string,
): Promise<ReturnPath> {
  const domains = settings.SHARED_DOMAINS;
  const isOurs = domains.includes(mailboxDomain) ||
    await hasMx(tx, userId, mailboxDomain);
  const path = {
    id: ids.bytes(10).toHex(),
    secret: ids.bytes(16).toHex(),
    domain: isOurs ? mailboxDomain : domains[0],
  };
  const row: ReturnRow = { userId, emailId, mailboxId };
  tx.set(keys.returnPath(path.id), row, { expireInMs: reportsMs });
  return path;
}

async function hasMx(tx: Tx, userId: string, domain: string): Promise<boolean> {
  const claim = await tx.get<DomainClaim>(keys.customDomainVerified(domain));
  if (claim?.userId !== userId) return false;
  const row = await tx.get<CustomDomain>(keys.customDomain(userId, claim.domainId));
  return row?.mxConfigured ?? false;
}

/** The mailbox of the email that the return path belongs to; null after 30 days. */
export async function mailboxOfPath(tx: Pick<Tx, "get">, { id }: ReturnPath) {
  return (await tx.get<ReturnRow>(keys.returnPath(id)))?.mailboxId ?? null;
}

/** The envelope sender for the recipient at this position of the row of states. */
export function returnAddress(path: ReturnPath, position: number): string {
  return `${returnLocal}+${path.id}${tailOf(path, position)}@${path.domain}`;
}

/** In place of a position: the address of all recipients of a large message. An email has at most 50. */
const shared = 0xff;

/** The envelope sender for a transaction with several recipients. */
export function sharedReturnAddress(path: ReturnPath): string {
  return returnAddress(path, shared);
}

/** Two digits of the position and 80 bits of its HMAC: a recipient's host cannot make the address of another. */
function tailOf({ id, secret }: ReturnPath, position: number): string {
  const place = position.toString(16).padStart(2, "0");
  const mac = createHmac("sha256", secret).update(`${id} ${place}`).digest("hex").slice(0, 20);
  return place + mac;
}

/** The email, perhaps deleted, and the recipient of a return path; null if the address is none, or is too old. */
export async function findReturned(
  tx: Pick<Tx, "get">,
  { local, domain }: Address,
): Promise<Returned | null> {
  const [, id, tail] = /^bounce\+([0-9a-f]{20})([0-9a-f]{22})$/.exec(local) ?? [];
  const row = id ? await tx.get<ReturnRow>(keys.returnPath(id)) : null;
  // An account that has ended gets nothing any more.
  if (!row || await tx.get(keys.user(row.userId)) === null) return null;
  const outgoing = await tx.get<Outgoing>(keys.outgoing(row.userId, row.emailId));
  const position = parseInt(tail.slice(0, 2), 16);
  const path = outgoing?.returnPath;
  const recipient = position === shared ? null : outgoing?.recipients[position]?.address;
  if (!path || path.domain !== domain || recipient === undefined) return null;
  if (!equalSecrets(tail, tailOf(path, position))) return null;
  return { ...row, recipient };
}
