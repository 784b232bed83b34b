import { z } from "zod";
import { isoTime, timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";

/** The ways in which mail arrives (docs/specification.md "Arrivals"). */
export const sources = [
  "raw",
  "mailgun",
  "sendgrid",
  "postmark",
  "ses",
  "smtp",
  "import",
] as const;
export type Source = typeof sources[number];

/** If the recipients of one SMTP transaction have several, its reply is the first of these. */
export const rejections = [
  "EMAIL_TOO_LARGE",
  "OVER_QUOTA",
  "BLOCKED",
  "UNKNOWN_RECIPIENT",
] as const;
export type Rejection = typeof rejections[number];

export const dispositions = ["accepted", "duplicate", "rejected"] as const;

/** One attempt to deliver to one recipient, accepted or not. Kept for 30 days. */
export interface Arrival {
  arrivalId: string;
  receivedAt: number;
  expiresAt: number;
  source: Source;
  recipient: string;
  sender: string;
  size: number;
  disposition: typeof dispositions[number];
  code: Rejection | null;
  emailId: string | null;
  mailboxId: string | null;
  /** How many attempts the row stands for; absent: one. */
  count?: number;
}

/** What a row has of an attempt. */
export type ArrivalFacts = Omit<Arrival, "arrivalId" | "receivedAt" | "expiresAt">;

/** The place of a row in the ledger. */
export type ArrivalPlace = Pick<Arrival, "arrivalId" | "receivedAt">;

export function newPlace({ clock, ids }: Pick<Service, "clock" | "ids">): ArrivalPlace {
  const receivedAt = clock.now();
  return { arrivalId: ids.timed(receivedAt), receivedAt };
}

const keptMs = 30 * 86_400_000;
/** The owner of rows for unknown addresses on a shared domain: the operator. */
export const unowned = "-";

/**
 * Writes the ledger row of an attempt in the transaction that decides it. With a `place` that was used before, the new
 * row replaces the old one. Only an attempt that a quota counts has a row for certain: the others go through
 * `recordRepeatable`.
 */
export function recordArrival(
  tx: Tx,
  service: Pick<Service, "clock" | "ids">,
  userId: string,
  facts: ArrivalFacts,
  place: ArrivalPlace = newPlace(service),
): void {
  const { arrivalId, receivedAt } = place;
  const expiresAt = receivedAt + keptMs;
  const row: Arrival = {
    ...facts,
    recipient: facts.recipient.slice(0, 400),
    sender: facts.sender.slice(0, 400),
    arrivalId,
    receivedAt,
    expiresAt,
  };
  const expiry = facts.count === undefined
    ? { expireInMs: keptMs }
    : { expireInMs: Math.max(1, expiresAt - service.clock.now()), expiresAt };
  tx.set(keys.arrival(userId, arrivalId), row, expiry);
}

/**
 * Counts an arrival and writes its log line: `mail.accepted`, `mail.duplicate` or `mail.rejected`. To be called when
 * its result is durable.
 */
export function noteArrival(
  { log, metrics }: Pick<Service, "log" | "metrics">,
  { source }: Pick<Arrival, "source">,
  result: {
    disposition: Arrival["disposition"];
    email_id?: string;
    code?: Rejection;
    isMerged?: boolean;
  },
  size: number,
): void {
  const { disposition, email_id, code, isMerged } = result;
  metrics.arrivals.add([source, disposition]);
  // What the ledger only counts does not fill the log either.
  log[isMerged ? "debug" : "info"](`mail.${disposition}`, { source, size, email_id, code });
}

/** The record of `GET /v1/api/arrivals`. */
export const arrivalRecord = z.object({
  arrival_id: z.string(),
  received_at: timestampField,
  source: z.enum(sources).describe("How the mail arrived"),
  recipient: z.string().describe("The recipient of the envelope"),
  sender: z.string().describe("Reverse path; empty for the null sender"),
  size: z.number().int().describe("Bytes; 0 if it was refused before its content was sent"),
  disposition: z.enum(dispositions),
  code: z.enum(rejections).nullable().describe("Why it was refused; null otherwise"),
  email_id: emailId.nullable().describe("null if it was refused"),
  mailbox_id: z.string().nullable(),
  count: z.number().int().min(1).describe(
    "How many attempts the row stands for. In a row of many, `recipient` is `*@` and the domain, and the other fields are " +
      "those of the last attempt",
  ),
}).meta({ id: "Arrival", description: "One attempt to deliver to one recipient" });

export function arrivalRecordOf(row: Arrival): z.input<typeof arrivalRecord> {
  return {
    arrival_id: row.arrivalId,
    received_at: isoTime(row.receivedAt),
    source: row.source,
    recipient: row.recipient,
    sender: row.sender,
    size: row.size,
    disposition: row.disposition,
    code: row.code,
    email_id: row.emailId,
    mailbox_id: row.mailboxId,
    count: row.count ?? 1,
  };
}
