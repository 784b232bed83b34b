import type { Service } from "../../core/service.ts";
import type { SenderFacts } from "../../ports/sender_checks.ts";
import type { Rejection, Source } from "./arrivals.ts";
import type { Imported } from "./imported.ts";

/** What arrivals use of the service. */
export type Receives = Pick<
  Service,
  | "arrivalLoad"
  | "clock"
  | "database"
  | "ids"
  | "jobs"
  | "log"
  | "metrics"
  | "parsedBodies"
  | "parsing"
  | "plans"
  | "settings"
>;

/** How a message arrives, and from whom. */
export interface Attempt {
  source: Source;
  /** RFC 5321 reverse path; "" is the null sender. */
  sender: string;
}

/** An arriving message. Every way in (HTTP, a provider, SMTP) makes one of these. */
export interface Delivery extends Attempt {
  /** RFC 5321 recipients as given, 1 to 100. */
  recipients: string[];
  /** A stable id of this delivery, if the way in has one. */
  ingestId: string | null;
  /** Bytes of the body, if its sender declared them. */
  declaredSize?: number | null;
  /** The largest message that every recipient takes, if that is known before. */
  maxBytes?: number;
  /** What is known of its sender; `own`: a mailbox of this service sent it, and this service wrote From. */
  facts: SenderFacts | "own";
  /** Set if it does not arrive but comes from an archive. */
  imported?: Imported;
  body: AsyncIterable<Uint8Array>;
}

/** The result for one recipient. */
export interface DeliveryResult {
  recipient: string;
  disposition: "accepted" | "duplicate" | "rejected";
  email_id?: string;
  code?: Rejection;
}

/** The result for one mailbox. */
export interface Outcome extends Omit<DeliveryResult, "recipient"> {
  /** The ledger counts it in a row with others. */
  isMerged?: boolean;
}

/** Recipients of one envelope; RFC 5321 4.5.3.1.8 asks for at least 100. */
export const maxEnvelopeRecipients = 100;
