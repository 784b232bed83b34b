import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Email } from "./email.ts";
import { type StoredDetails, storedDetails, withDetails } from "./email_details.ts";
import { readRow, type StoredRow, storedRow } from "./email_row.ts";

/** A sent email that was deleted before every recipient was tried: nobody sees it, but it is still sent. */
interface Unsent {
  row: StoredRow;
  details: StoredDetails;
}

export function keepUnsent(tx: Tx, email: Email): void {
  const unsent: Unsent = { row: storedRow(email), details: storedDetails(email) };
  tx.set(keys.emailUnsent(email.userId, email.emailId), unsent);
}

/** The email; null if it was not deleted while it was sent. */
export async function unsentEmail(
  store: Pick<Tx, "get">,
  userId: string,
  emailId: string,
): Promise<Email | null> {
  const unsent = await store.get<Unsent>(keys.emailUnsent(userId, emailId));
  return unsent && withDetails(userId, readRow(emailId, unsent.row), unsent.details);
}
