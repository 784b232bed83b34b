import { mailboxForm } from "../../mailboxes/address.ts";
import type { Reads } from "../read/reads.ts";
import type { Address, EmailRow } from "../record/email_row.ts";
import { storedEmail } from "../record/read_email.ts";

/** Whose turn it is: `us` after received mail, `them` after mail that was sent outside. */
export const turns = ["us", "them"] as const;
export type Turn = typeof turns[number];

/** So many recipients of a mail are looked at: mail that this service sends has at most 50. */
const maxLooked = 100;

/** The people that decide whose turn it is after a message. */
export function peopleOfTurn({ direction, from, to, cc }: EmailRow): Address[] {
  return direction === "inbound" ? [from] : [...to, ...cc].slice(0, maxLooked);
}

/**
 * Whose turn it is after the newest message that no program wrote; null if there is none, or it went from one mailbox of the
 * account to others. `own`: the addresses of the account among {@link peopleOfTurn}.
 */
export async function turnAfter(
  { database }: Reads,
  userId: string,
  human: EmailRow | null,
  own: { has(form: string): boolean },
  ownAmong: (people: readonly Address[]) => Promise<{ has(form: string): boolean }>,
): Promise<Turn | null> {
  if (!human) return null;
  const people = peopleOfTurn(human);
  const isOwn = people.every(({ address }) => own.has(mailboxForm(address)));
  if (human.direction === "inbound") {
    const isChecked = human.auth?.verdict === "pass" || human.importId !== undefined;
    return isOwn && isChecked ? null : "us";
  }
  if (!isOwn) return "them";
  // Rows have no blind copies.
  const bcc = (await storedEmail(database, userId, human.emailId))?.bcc.slice(0, maxLooked) ?? [];
  const ownBlind = await ownAmong(bcc);
  return bcc.every(({ address }) => ownBlind.has(mailboxForm(address))) ? null : "them";
}
