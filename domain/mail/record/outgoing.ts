import type { RecipientState } from "../../webhooks/events.ts";

/** The state of a sent email for each recipient: a row next to its record. */
export interface Outgoing {
  emailId: string;
  /** When the send was requested, ms since 1970. The 24 hours of retries count from here. */
  createdAt: number;
  /** Attempts that have ended. */
  attempts: number;
  recipients: OutgoingRecipient[];
  /** For the envelope senders; absent if nothing leaves the service. */
  returnPath?: ReturnPath;
}

export interface OutgoingRecipient {
  address: string;
  /** `stored`: there is no relay, so that the mail is kept and not sent. */
  state: RecipientState;
  /** The last reply of the other server, or why sending ended; "" before the first attempt. */
  response: string;
}

/** `partial`: some recipients failed, and the others did not. */
export type SendStatus = RecipientState | "partial";

/**
 * The parts of the envelope senders of a sent email, one for each recipient: `bounce+<keyed id>@domain`. Only the hosts
 * that handle the mail for a recipient learn its envelope sender, so a delivery report to it is about that recipient. The
 * recipients of a large message share one, because it is uploaded once for all of them.
 */
export interface ReturnPath {
  /** Finds the email: 20 hexadecimal digits, random. */
  id: string;
  /** Key of the addresses, 32 hexadecimal digits. It never leaves the database. */
  secret: string;
  domain: string;
}

/** A thread in which a recipient got as many mails in ten minutes as one may get. Kept for a day, for people to see. */
export interface PacedThread {
  /** When the last of these mails was sent, ms since 1970. */
  at: number;
  /** More mail to the recipient is refused before. */
  until: number;
  mailboxId: string;
  recipient: string;
}
