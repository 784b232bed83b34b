import type { BouncedRecipient } from "../../../mime/body/delivery_report.ts";
import type { RecipientResult } from "../../ports/mailer.ts";
import type { RecipientState, SendFailure } from "../../webhooks/events.ts";
import type { Outgoing, OutgoingRecipient, SendStatus } from "../record/outgoing.ts";
import type { SendingEffect, Transition } from "./effects.ts";

/*
 * The life cycle of a send: the state of each recipient by itself after each event. A dash: the event is impossible.
 *
 * | state  | accept         | sent   | temporary      | permanent | bounced |
 * | ------ | -------------- | ------ | -------------- | --------- | ------- |
 * | none   | queued, stored | –      | –              | –         | –       |
 * | queued | –              | sent   | queued, failed | failed    | failed  |
 * | sent   | –              | sent   | sent           | sent      | failed  |
 * | failed | –              | failed | failed         | failed    | failed  |
 * | stored | –              | stored | stored         | stored    | failed  |
 *
 * `accept`: the commit of the send; what needs a relay is stored if there is none. `sent`, `temporary` and `permanent` are
 * the results of an attempt, by the relay or by a mailbox of this service. Between the call of the relay and the record of
 * its results a recipient is queued; an attempt changes nothing for one that is not. `temporary` is tried again for 24
 * hours. `bounced`: a delivery report says that the mail to it failed.
 */

export type SendingEvent =
  | {
    type: "accept";
    userId: string;
    emailId: string;
    addresses: readonly string[];
    /** Those that are mailboxes of this service. */
    local: ReadonlySet<string>;
    /** There is no relay. */
    isOutbox: boolean;
    returnPath: Outgoing["returnPath"];
    now: number;
  }
  /** A queued recipient without a result is tried again, as after a temporary failure. */
  | { type: "attempt"; results: readonly RecipientResult[]; now: number }
  /** By addresses as they are in the row. `isDeleted`: the email was, and its states have gone. */
  | { type: "report"; failures: ReadonlyMap<string, BouncedRecipient>; isDeleted: boolean };

type Move = Transition<Outgoing, SendingEffect>;

/** After a temporary failure: 5 s, 30 s, 2 min, 10 min, then hourly, for 24 h (docs/specification.md "Delivery"). */
const retryDelaysMs = [5_000, 30_000, 120_000, 600_000];
const laterDelayMs = 3_600_000;
export const sendingExpiresAfterMs = 86_400_000;

/** Fifty recipients and their responses stay well below the 64 KiB of a value. */
const maxResponseLength = 300;

/** A send after an event. Throws if it was accepted before, or if anything else happens to one that was not. */
export function sending(before: Outgoing | null, event: SendingEvent): Move {
  if ((before === null) !== (event.type === "accept")) {
    throw new Error(`${event.type} is impossible for a send that is ${before ? "begun" : "none"}`);
  }
  switch (event.type) {
    case "accept":
      return accepted(event);
    case "attempt":
      return attempted(before!, event.results, event.now);
    case "report":
      return reported(before!, event);
  }
}

function accepted(event: Extract<SendingEvent, { type: "accept" }>): Move {
  const { userId, emailId, addresses, local, isOutbox, returnPath, now: createdAt } = event;
  const recipients = uniqueAddresses(addresses).map((address): OutgoingRecipient =>
    isOutbox && !local.has(address)
      ? { address, state: "stored", response: "kept in the outbox, no relay is set" }
      : { address, state: "queued", response: "" }
  );
  const next = { emailId, createdAt, attempts: 0, recipients, ...returnPath && { returnPath } };
  const queued = queuedAddresses(next);
  if (queued.length === 0) return { next, effects: [] };
  const job = queued.every((each) => local.has(each)) ? "send_within" : "send_email";
  return { next, effects: [{ job, payload: { userId, emailId } }] };
}

function attempted(
  before: Outgoing,
  results: readonly RecipientResult[],
  now: number,
): Move {
  const retryAt = now + (retryDelaysMs[before.attempts] ?? laterDelayMs);
  const expired = retryAt > before.createdAt + sendingExpiresAfterMs;
  const givenUp = { rejected: [] as OutgoingRecipient[], expired: [] as OutgoingRecipient[] };
  const recipients = before.recipients.map((recipient): OutgoingRecipient => {
    if (recipient.state !== "queued") return recipient;
    const result = results.find((one) => one.recipient === recipient.address);
    const response = result?.response.slice(0, maxResponseLength) ?? recipient.response;
    if (result?.outcome === "sent") return { ...recipient, state: "sent", response };
    const reason = result?.outcome === "permanent" ? "rejected" : expired ? "expired" : null;
    if (!reason) return { ...recipient, response };
    const failed: OutgoingRecipient = { ...recipient, state: "failed", response };
    givenUp[reason].push(failed);
    return failed;
  });
  const next = { ...before, attempts: before.attempts + 1, recipients };
  const status = sendStatus(next);
  const failures = (["rejected", "expired"] as const).flatMap((reason) =>
    failureOf(reason, givenUp[reason], next, `${reason} ${next.attempts}`)
  );
  return {
    next,
    effects: [
      ...failures,
      ...status === "sent" ? [{ emailEvent: "email.sent" } as const] : [],
      { again: status === "queued" ? retryAt : null },
    ],
  };
}

/**
 * A second report about a recipient has no event. With a code 5.x.x the account does not write to it again, also if the
 * email was deleted: a hard bounce is about the recipient.
 */
function reported(
  before: Outgoing,
  { failures, isDeleted }: Extract<SendingEvent, { type: "report" }>,
): Move {
  const bounced: OutgoingRecipient[] = [], hard: SendingEffect[] = [];
  const recipients = before.recipients.map((recipient): OutgoingRecipient => {
    const { address, state } = recipient;
    const failure = failures.get(address);
    if (!failure) return recipient;
    const { diagnostic, status } = failure;
    const code = status ?? (diagnostic === null ? null : statusCode(diagnostic));
    if (code?.startsWith("5.")) hard.push({ suppress: address, status: code });
    if (state === "failed" || isDeleted) return recipient;
    const response = diagnostic ?? status ?? "returned by a delivery report";
    const failed: OutgoingRecipient = {
      address,
      state: "failed",
      response: response.slice(0, maxResponseLength),
    };
    bounced.push(failed);
    return failed;
  });
  const next = bounced.length > 0 ? { ...before, recipients } : before;
  // Mail to a recipient bounces once.
  const events = bounced.flatMap((each) =>
    failureOf("bounced", [each], next, `bounced ${each.address}`)
  );
  return { next, effects: [...events, ...hard] };
}

/** Anybody can write a report, so an event has only its status code. */
const bouncedText = "The mail came back: a delivery report says that it could not be delivered.";

/** `email.failed` for some recipients, if there are any; `occasion` separates two failures of one email. */
function failureOf(
  reason: SendFailure["reason"],
  failed: readonly OutgoingRecipient[],
  { recipients: all }: Outgoing,
  occasion: string,
): SendingEffect[] {
  if (failed.length === 0) return [];
  const [{ response }] = failed;
  const failure: SendFailure = {
    reason,
    recipients: failed.map(({ address }) => address),
    smtp_status: statusCode(response),
    message: reason === "bounced" ? bouncedText : response,
  };
  const recipients = all.map(({ address, state }) => ({ address, status: state }));
  return [{ emailEvent: "email.failed", failure, recipients, occasion }];
}

/** Each address once; those that differ in case only are one. */
export function uniqueAddresses(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

export function queuedAddresses({ recipients }: Outgoing): string[] {
  return recipients.filter(({ state }) => state === "queued").map(({ address }) => address);
}

/**
 * `queued` while any recipient is queued, else `failed` or `partial` if all or some failed, else `stored` if there was no
 * relay for one of them, else `sent`.
 */
export function sendStatus({ recipients }: Outgoing): SendStatus {
  const any = (state: RecipientState) => recipients.some((recipient) => recipient.state === state);
  if (any("queued")) return "queued";
  if (any("failed")) return any("sent") || any("stored") ? "partial" : "failed";
  return any("stored") ? "stored" : "sent";
}

/** The enhanced status code of a response, which is no part of an IP address, else its reply code, else null (RFC 3463, RFC 5321). */
export function statusCode(response: string): string | null {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(response)?.[0] ??
    /^[245]\d\d\b/.exec(response)?.[0] ?? null;
}
