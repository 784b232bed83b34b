import { keyHash } from "../../store/key_hash.ts";
import type { Email } from "../record/email.ts";
import { mailboxForm } from "../../mailboxes/address.ts";

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
