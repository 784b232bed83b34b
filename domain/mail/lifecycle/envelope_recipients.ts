import type { Tx } from "../../store/transaction.ts";

import { fittedRecipients } from "../record/email.ts";
import { storedEmail } from "../record/read_email.ts";
import { changeRow, type Parts } from "./apply.ts";

/** The addresses of envelopes that one email keeps. */
const maxKept = 100;

/** The addresses of an envelope as an email keeps them: as given, without brackets, each once, at most 100. */
export function envelopeAddresses(
  given: readonly string[],
  before: readonly string[] = [],
): string[] {
  const all = new Map<string, string>();
  for (const each of [...before, ...given.map(withoutBrackets)]) {
    const id = each.toLowerCase();
    if (!all.has(id)) all.set(id, each);
  }
  return fittedRecipients([...all.values()].slice(0, maxKept));
}

function withoutBrackets(given: string): string {
  const path = given.trim();
  return path.startsWith("<") && path.endsWith(">") ? path.slice(1, -1) : path;
}

/** Adds the recipients of a duplicate to the email that its mailbox has; nothing happens if it has them, or was deleted. */
export async function addRecipients(
  tx: Tx,
  parts: Parts,
  { userId, emailId }: { userId: string; emailId: string },
  given: readonly string[],
): Promise<void> {
  const email = await storedEmail(tx, userId, emailId);
  if (!email?.envelopeTo) return;
  const envelopeTo = envelopeAddresses(given, email.envelopeTo);
  if (envelopeTo.length > email.envelopeTo.length) {
    await changeRow(tx, parts, { ...email, envelopeTo });
  }
}
