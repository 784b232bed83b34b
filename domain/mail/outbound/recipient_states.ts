import type { RecipientResult } from "../../ports/mailer.ts";

/** Where a sent email stands with each of its recipients: a row beside its record. */
export interface Outgoing {
  emailId: string;
  /** When the sending was asked for, ms since 1970; the 24 hours count from here. */
  createdAt: number;
  /** Attempts that have ended. */
  attempts: number;
  recipients: OutgoingRecipient[];
}

export interface OutgoingRecipient {
  address: string;
  state: "queued" | "sent" | "failed";
  /** What the other side said last, or why it was given up; "" before the first attempt. */
  response: string;
}

export type SendStatus = OutgoingRecipient["state"];

/** Why recipients were given up: a refusal for good, or 24 hours of refusals for now. */
export type GivenUp = "rejected" | "expired";

/** What an attempt has come to. */
export interface Settled {
  outgoing: Outgoing;
  status: SendStatus;
  /** Recipients given up in this attempt, by reason; an empty list where there are none. */
  givenUp: Record<GivenUp, OutgoingRecipient[]>;
  /** When to try the queued ones again, ms since 1970; null where none is queued. */
  retryAt: number | null;
}

/** DECISIONS.md 5: after a temporary failure 5 s, 30 s, 2 min, 10 min, then hourly, for 24 h. */
const retryDelaysMs = [5_000, 30_000, 120_000, 600_000];
const laterDelayMs = 3_600_000;
export const sendingExpiresAfterMs = 86_400_000;

/** A fresh row: every recipient queued. Addresses that differ in case only are one. */
export function newOutgoing(
  emailId: string,
  addresses: readonly string[],
  createdAt: number,
): Outgoing {
  const unique = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  return {
    emailId,
    createdAt,
    attempts: 0,
    recipients: [...unique.values()].map((address) => ({ address, state: "queued", response: "" })),
  };
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
 * Marks recipients failed that a delivery report named, after they had been sent.
 * Answers the row and those that were not marked before, so that a second report changes nothing.
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

/** `queued` while any recipient is, else `sent` where any was reached, else `failed`. */
export function sendStatus({ recipients }: Outgoing): SendStatus {
  const any = (state: SendStatus) => recipients.some((recipient) => recipient.state === state);
  return any("queued") ? "queued" : any("sent") ? "sent" : "failed";
}

/** The enhanced status code of a response, else its reply code, else null (RFC 3463, RFC 5321). */
export function statusCode(response: string): string | null {
  return /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] ??
    /^[245]\d\d\b/.exec(response)?.[0] ?? null;
}

/** Fifty recipients and their responses stay well below the 64 KiB of a value. */
const maxResponseLength = 300;
