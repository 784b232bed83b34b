import type { ReturnPath } from "../inbound/return_path.ts";

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
  state: "queued" | "sent" | "failed" | "stored";
  /** The last reply of the other server, or why sending ended; "" before the first attempt. */
  response: string;
}

export type SendStatus = OutgoingRecipient["state"];
