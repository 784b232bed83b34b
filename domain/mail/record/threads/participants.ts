import { keyHash } from "../../../store/key_hash.ts";
import * as keys from "../../../store/keys.ts";
import type { Tx } from "../../../store/transaction.ts";
import type { Email } from "../email.ts";
import { mailboxForm } from "../../../mailboxes/address.ts";
import type { Route } from "../../../mailboxes/route.ts";

/**
 * The participants of a message except its mailbox: a short hash of each address, and the address in the form for
 * routing. Rows keep the hashes, which are short and reveal no address.
 */
export type Participants = ReadonlyMap<string, string>;

const hashCharacters = 12;

export function participantsOf(
  email: Pick<Email, "from" | "replyTo" | "to" | "cc">,
  mailboxAddress: string,
): Participants {
  const own = mailboxForm(mailboxAddress);
  const people = new Map<string, string>();
  for (const { address } of [email.from, ...email.replyTo, ...email.to, ...email.cc]) {
    const form = mailboxForm(address);
    if (form !== "" && form !== own) people.set(keyHash(form).slice(0, hashCharacters), form);
  }
  return people;
}

/** Whether one of the participants is among the people of a thread and is not a mailbox of the account. */
export async function takePart(
  tx: Pick<Tx, "peek">,
  userId: string,
  participants: Participants,
  people: ReadonlySet<string>,
): Promise<boolean> {
  for (const [person, address] of participants) {
    if (!people.has(person)) continue;
    const route = await tx.peek<Route>(keys.mailboxByAddress(address));
    if (route?.userId !== userId) return true;
  }
  return false;
}
