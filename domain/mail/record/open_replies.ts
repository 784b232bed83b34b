import type { Tx } from "../../store/transaction.ts";
import * as keys from "../../store/keys.ts";
import type { Draft } from "./draft.ts";

/** An open draft that replies, for conversations: they read these rows and not all drafts. */
export interface OpenReply {
  mailboxId: string;
  /** The email that it replies to. */
  emailId: string;
}

/** Writes the row of a draft that replies; `isOpen`: false once it has ended, or is gone. */
export function noteReply(
  tx: Pick<Tx, "set" | "delete">,
  { userId, draftId, mailboxId, replyToEmailId }: Draft,
  isOpen: boolean,
): void {
  if (replyToEmailId === null) return;
  const key = keys.openReply(userId, draftId);
  if (isOpen) tx.set(key, { mailboxId, emailId: replyToEmailId } satisfies OpenReply);
  else tx.delete(key);
}
