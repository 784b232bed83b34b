import { z } from "zod";
import { TimeSlices } from "../../core/work/time_slices.ts";
import { mailboxForm } from "../../mailboxes/address.ts";
import { ownAddresses } from "../../mailboxes/own_addresses.ts";
import type { Reads } from "../read/reads.ts";
import type { Address, EmailRow } from "../record/email_row.ts";
import { storedEmail } from "../record/read_email.ts";
import { newestHuman } from "./read_conversation.ts";

/** Whose turn it is: `us` after received mail, `them` after mail that was sent outside. */
export const waitingFor = z.enum(["us", "them"]);
type Turn = z.output<typeof waitingFor>;

export const waitingForOutput = waitingFor.nullable().describe(
  "By its newest message that is not automated: us, it was received; them, it was sent outside; null, there is none, or it " +
    "went from one own mailbox to others",
);

/** So many recipients of a mail are looked at: mail that this service sends has at most 50. */
const maxLooked = 100;

/** Those of the people that are the account's own mailboxes, as `mailboxForm`. */
export async function ownAmong(
  service: Reads,
  userId: string,
  people: readonly Address[],
): Promise<ReadonlySet<string>> {
  return new Set(await ownAddresses(service, userId, people.map(({ address }) => address)));
}

/** The people that decide whose turn it is after a message. */
export function peopleOfTurn({ direction, from, to, cc }: EmailRow): Address[] {
  return direction === "inbound" ? [from] : [...to, ...cc].slice(0, maxLooked);
}

/** Whose turn it is in the conversation of these threads, by its visible messages; `all`: these, if the caller has them. */
export async function turnOf(
  service: Reads,
  userId: string,
  { threadIds, visible, all }: {
    threadIds: Iterable<string>;
    visible: ReadonlySet<string>;
    all: readonly EmailRow[] | null;
  },
): Promise<Turn | null> {
  const human = all ? newestHumanOf(all) : await newestHuman(service, userId, threadIds, {
    visible,
    slices: new TimeSlices(service.clock, userId),
    isOwn: async ({ from }) => (await ownAmong(service, userId, [from])).size > 0,
  });
  const own = await ownAmong(service, userId, human ? peopleOfTurn(human) : []);
  return await turnAfter(service, userId, human, own);
}

function newestHumanOf(rows: readonly EmailRow[]): EmailRow | null {
  const people = rows.filter(({ automated }) => !automated);
  return people.reduce((a: EmailRow | null, b) => a && a.emailId > b.emailId ? a : b, null);
}

/**
 * Whose turn it is after the newest message that no program wrote; null if there is none, or it went from one mailbox of the
 * account to others. `own`: the addresses of the account among {@link peopleOfTurn}.
 */
export async function turnAfter(
  service: Reads,
  userId: string,
  human: EmailRow | null,
  own: ReadonlySet<string>,
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
  const email = await storedEmail(service.database, userId, human.emailId);
  const bcc = email?.bcc.slice(0, maxLooked) ?? [];
  const ownBlind = await ownAmong(service, userId, bcc);
  return bcc.every(({ address }) => ownBlind.has(mailboxForm(address))) ? null : "them";
}
