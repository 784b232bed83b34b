import type { RecipientResult } from "../../ports/mailer.ts";
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

/** Why sending to a recipient ended: a permanent refusal, or 24 hours of temporary ones. */
export type GivenUp = "rejected" | "expired";

/** The result of one attempt. */
export interface Settled {
  outgoing: Outgoing;
  status: SendStatus;
  /** Recipients for which this attempt was the last one, by reason. */
  givenUp: Record<GivenUp, OutgoingRecipient[]>;
  /** When to try the queued recipients again, ms since 1970; null if none is queued. */
  retryAt: number | null;
}

/** After a temporary failure: 5 s, 30 s, 2 min, 10 min, then hourly, for 24 h (docs/specification.md "Delivery"). */
const retryDelaysMs = [5_000, 30_000, 120_000, 600_000];
const laterDelayMs = 3_600_000;
export const sendingExpiresAfterMs = 86_400_000;

/** A new row with every recipient queued. Addresses that differ in case only are one recipient. */
export function newOutgoing(
  emailId: string,
  addresses: readonly string[],
  createdAt: number,
): Outgoing {
  return {
    emailId,
    createdAt,
    attempts: 0,
    recipients: uniqueAddresses(addresses).map((address) => ({
      address,
      state: "queued",
      response: "",
    })),
  };
}

/** Each address once; those that differ in case only are one. */
export function uniqueAddresses(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

export function queuedAddresses({ recipients }: Outgoing): string[] {
  return recipients.filter(({ state }) => state === "queued").map(({ address }) => address);
}

/** Applies the results of one attempt; recipients without a result stay as they are. */
export function settleAttempt(
  outgoing: Outgoing,
  results: readonly RecipientResult[],
  now: number,
): Settled {
  const retryAt = now + (retryDelaysMs[outgoing.attempts] ?? laterDelayMs);
  const expired = retryAt > outgoing.createdAt + sendingExpiresAfterMs;
  const givenUp: Settled["givenUp"] = { rejected: [], expired: [] };
  const recipients = outgoing.recipients.map((recipient) => {
    if (recipient.state !== "queued") return recipient;
    const result = results.find((one) => one.recipient === recipient.address);
    const response = result?.response.slice(0, maxResponseLength) ?? recipient.response;
    if (result?.outcome === "sent") return { ...recipient, state: "sent" as const, response };
    const reason = result?.outcome === "permanent" ? "rejected" : expired ? "expired" : null;
    if (!reason) return { ...recipient, response };
    const failed = { ...recipient, state: "failed" as const, response };
    givenUp[reason].push(failed);
    return failed;
  });
  const next = { ...outgoing, attempts: outgoing.attempts + 1, recipients };
  const status = sendStatus(next);
  return { outgoing: next, status, givenUp, retryAt: status === "queued" ? retryAt : null };
}

/**
 * Marks the recipients that a delivery report named as failed. Returns the new row and the recipients that were not failed
 * before, so that a second report changes nothing.
 */
export function settleBounce(
  outgoing: Outgoing,
  bounced: ReadonlyMap<string, string>,
): { outgoing: Outgoing; failed: OutgoingRecipient[] } {
  const failed: OutgoingRecipient[] = [];
  const recipients = outgoing.recipients.map((recipient) => {
    const response = bounced.get(recipient.address.toLowerCase());
    if (response === undefined || recipient.state === "failed") return recipient;
    const next = {
      ...recipient,
      state: "failed" as const,
      response: response.slice(0, maxResponseLength),
    };
    failed.push(next);
    return next;
  });
  return { outgoing: { ...outgoing, recipients }, failed };
}

/**
 * `queued` while any recipient is queued, else `stored` if there was no relay for one of them, else `sent` if any was
 * reached, else `failed`.
 */
export function sendStatus({ recipients }: Outgoing): SendStatus {
  const any = (state: SendStatus) => recipients.some((recipient) => recipient.state === state);
  if (any("queued")) return "queued";
  return any("stored") ? "stored" : any("sent") ? "sent" : "failed";
}

/** The enhanced status code of a response, else its reply code, else null (RFC 3463, RFC 5321). */
export function statusCode(response: string): string | null {
  return /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] ??
    /^[245]\d\d\b/.exec(response)?.[0] ?? null;
}

/** Fifty recipients and their responses stay well below the 64 KiB of a value. */
const maxResponseLength = 300;
