import type { AuditFacts } from "../../core/operation.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import type { ActiveRoute } from "../../mailboxes/route.ts";
import type { Tx } from "../../store/transaction.ts";
import type { MessageHead } from "../../../mime/headers/parse_head.ts";
import type { Email } from "../record/email.ts";
import { authWithoutCheck } from "../record/stored_auth.ts";

/** What the source of an imported message says of it besides its bytes (docs/specification.md "Import"). */
export interface SourceState {
  /** ms since 1970; null: what the message says. */
  receivedAt: number | null;
  /** In lower case, each once. */
  labels: string[];
  isRead: boolean;
  /** null: sent if the mailbox itself wrote it. */
  direction: Email["direction"] | null;
}

/** A message that comes from an archive. */
export interface Imported extends SourceState {
  /** The only mailbox that it may go to; absent: those of its envelope. */
  into?: string;
  /** Notes the call in the audit, in the commit of the email. */
  audit?(facts: AuditFacts, tx: Tx): void;
}

/** Every imported email has it. */
export const importedLabel = "imported";

/** Whether an import may go to this mailbox: its address may have become another's. */
export function isInto(imported: Imported | undefined, { mailboxId }: ActiveRoute): boolean {
  return imported?.into === undefined || imported.into === mailboxId;
}

/** When the source got the message, ms since 1970. A time in the future becomes `now`. */
export function sourceTime(
  { receivedAt }: SourceState,
  { tookAt, head }: { tookAt: number | null; head: MessageHead },
  now: number,
): number {
  return Math.max(0, Math.min(now, receivedAt ?? tookAt ?? head.dateMs ?? now));
}

/** The email of a message as its source had it. `address` is that of its mailbox. */
export function asImported(
  email: Email,
  { labels, isRead, direction }: SourceState,
  { address, importId }: { address: string; importId: string },
): Email {
  const isOwn = mailboxForm(email.from.address) === address;
  const isSent = (direction ?? (isOwn ? "outbound" : "inbound")) === "outbound";
  const { envelopeTo, ...rest } = email;
  return {
    ...rest,
    ...!isSent && { envelopeTo },
    importId,
    direction: isSent ? "outbound" : "inbound",
    isRead: isRead || isSent,
    labels: [...new Set([...labels, importedLabel])].sort(),
    auth: isSent ? null : authWithoutCheck("none"),
  };
}
