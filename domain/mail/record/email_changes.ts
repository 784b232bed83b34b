import { type ChangeEvent, recordChange } from "../../changes/change.ts";
import type { Tx } from "../../store/database.ts";
import type { Email } from "./email.ts";

/** Records a change of an email, `at` ms since 1970, in the transaction that makes it. */
export function recordEmailChange(
  tx: Tx,
  email: Pick<Email, "userId" | "mailboxId" | "emailId" | "threadId">,
  event: ChangeEvent,
  at: number,
): void {
  const { userId, mailboxId, emailId, threadId } = email;
  recordChange(tx, userId, { event, at, mailboxId, emailId, threadId });
}
