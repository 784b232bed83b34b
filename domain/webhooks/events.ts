import { createHash } from "node:crypto";
import { z } from "zod";
import { authVerdicts } from "../core/auth_verdicts.ts";
import type { AuthVerdict } from "../ports/sender_checks.ts";
import { type DraftEventName, draftEvents, draftStatuses } from "../core/draft_events.ts";
import { emailId } from "../core/email_id.ts";

/** The events that a webhook may subscribe to (docs/specification.md "Events"). */
export const eventNames = [
  "email.received",
  "email.imported",
  "email.processed",
  "email.sent",
  "email.failed",
  ...draftEvents,
  /** Accepted as a subscription, not emitted. */
  "api_key.created",
] as const;

export const eventName = z.enum(eventNames).meta({ id: "EventName" });

export type EventName = (typeof eventNames)[number];

/** An event. Each webhook that subscribes to it gets a delivery. */
export interface WebhookEvent {
  /** The `webhook-id`: the same in every attempt and replay, and however often it is built. */
  id: string;
  name: EventName;
  payload: EventPayload;
}

/** The states of a recipient of a sent email. */
export const recipientStates = ["queued", "sent", "failed", "stored"] as const;
export type RecipientState = typeof recipientStates[number];

const timestamp = z.iso.datetime({ precision: 3 });

const test = z.literal(true).optional().describe("Only in a test event");

const emailData = z.strictObject({
  email_id: emailId,
  message_id: z.string().describe("As the Message-ID header has it"),
  subject: z.string(),
  from: z.string().describe("Bare address"),
  to: z.array(z.string()).describe("Bare addresses"),
  date: timestamp,
  mailbox_id: z.string(),
  domain: z.string(),
  has_attachments: z.boolean(),
  thread_id: z.string(),
  metadata: z.record(z.string(), z.string()).optional().describe(
    "Of sent mail: what its sender gave",
  ),
  truncated: z.literal(true).optional().describe(
    "Only if a list of addresses was cut to keep the event under 20,000 bytes",
  ),
  test,
});

const envelopeTo = {
  envelope_to: z.array(z.string()).describe("As in the record of the email"),
};
const automated = { automated: z.boolean().describe("As in the record of the email") };

const cameData = emailData.extend({
  from_name: z.string().describe("Sender's name, or empty"),
  ...envelopeTo,
  ...automated,
  snippet: z.string().describe("The beginning of its text"),
}).meta({ id: "EmailReceivedData" });

const failure = z.strictObject({
  reason: z.enum(["rejected", "expired", "bounced"]).describe(
    "rejected: the relay refused it permanently; expired: 24 h of temporary failures; bounced: accepted, " +
      "then returned by a delivery status notification",
  ),
  recipients: z.array(z.string()).describe("Whom it did not reach"),
  smtp_status: z.string().nullable().describe("Enhanced status or reply code, such as 5.1.1"),
  message: z.string().describe(
    "For people: the relay's answer, up to 500 characters. Nothing of a delivery report is quoted: anybody can write one",
  ),
}).meta({ id: "SendFailure" });

const draftData = z.strictObject({
  change_id: z.string().nullable().describe(
    "Of the row in the list of changes, which begins after it if it is given as `after`; null if the delivery was made too late to find it",
  ),
  event: z.enum(draftEvents),
  timestamp,
  mailbox_id: z.string(),
  email_id: emailId.nullable().describe("The sent email"),
  thread_id: z.string().nullable(),
  draft_id: z.string(),
  status: z.enum(draftStatuses),
  content_hash: z.string(),
  reasons: z.array(z.strictObject({
    recipient: z.string(),
    provenance: z.enum(["own", "known", "listed", "new"]),
    code: z.string().optional(),
  })).describe("Why it waits, or was not sent"),
  test,
}).meta({ id: "DraftEventData" });

/** Every payload, by event name; `timestamp` is when it happened, not when it is delivered. */
export const eventPayloads = {
  "email.received": payload("email.received", cameData),
  "email.imported": payload("email.imported", cameData),
  "email.processed": payloadOf(
    "email.processed",
    emailData.extend({
      status: z.enum(["indexed", "failed"]),
      indexed_at: timestamp,
      ...envelopeTo,
      ...automated,
      auth_verdict: z.enum(authVerdicts).describe("As in the record of the email"),
    }),
  ),
  "email.sent": payloadOf(
    "email.sent",
    emailData.extend({ status: z.literal("sent"), sent_at: timestamp }),
  ),
  "email.failed": payloadOf(
    "email.failed",
    emailData.extend({
      status: z.enum(["partial", "failed"]).describe(
        "failed: no recipient is left; partial: some are",
      ),
      failed_at: timestamp,
      failure,
      recipients: z.array(z.strictObject({ address: z.string(), status: z.enum(recipientStates) }))
        .describe("All recipients of the mail, and what is known of each at this time"),
    }),
  ),
  ...Object.fromEntries(draftEvents.map((name) => [name, payload(name, draftData)])) as Record<
    DraftEventName,
    ReturnType<typeof payload<DraftEventName, typeof draftData>>
  >,
  "api_key.created": payloadOf(
    "api_key.created",
    z.strictObject({ keyId: z.string(), name: z.string(), createdAt: timestamp, test }),
  ),
} satisfies Record<EventName, z.ZodType>;

/** A payload as it is built. The schemas above describe it to readers; tests compare both. */
export interface EventPayload {
  event: EventName;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The email as every `email.*` event has it. */
export type EventEmail = Omit<z.infer<typeof emailData>, "truncated" | "test">;

export type SendFailure = z.infer<typeof failure>;

/** What events say of mail that came in. */
export interface CameFacts {
  from_name: string;
  envelope_to: readonly string[];
  automated: boolean;
  snippet: string;
}

/** An email came in: it was received, or imported. */
export function emailCame(
  name: "email.received" | "email.imported",
  email: EventEmail,
  { from_name, envelope_to, automated, snippet }: CameFacts,
  at: Date,
): WebhookEvent {
  return build(name, email, at, { from_name, envelope_to, automated, snippet });
}

export function emailProcessed(
  email: EventEmail,
  { status, envelope_to, automated, auth }: Pick<CameFacts, "envelope_to" | "automated"> & {
    status: "indexed" | "failed";
    auth: { verdict: AuthVerdict } | null;
  },
  at: Date,
): WebhookEvent {
  return build("email.processed", email, at, {
    status,
    indexed_at: at.toISOString(),
    envelope_to,
    automated,
    auth_verdict: auth?.verdict ?? "none",
  });
}

export function emailSent(email: EventEmail, at: Date): WebhookEvent {
  return build("email.sent", email, at, { status: "sent", sent_at: at.toISOString() });
}

/** Each recipient of a sent email by its address. */
export type RecipientStates = readonly { address: string; status: RecipientState }[];

/** A message can fail more than once (each recipient may bounce): `occasion` tells them apart. */
export function emailFailed(
  email: EventEmail,
  { failure, recipients }: { failure: SendFailure; recipients: RecipientStates },
  at: Date,
  occasion: string = failure.reason,
): WebhookEvent {
  const details = { ...failure, message: failure.message.slice(0, 500) };
  return build("email.failed", email, at, {
    status: recipients.every(({ status }) => status === "failed") ? "failed" : "partial",
    failed_at: at.toISOString(),
    failure: details,
    recipients,
  }, occasion);
}

export type DraftEventData = Omit<z.infer<typeof draftData>, "test" | "event">;

/** What happened to a draft; `occasion` tells two changes of one draft apart. */
export function draftEvent(
  name: DraftEventName,
  { change_id, ...rest }: DraftEventData,
  occasion: string,
): WebhookEvent {
  const data = { change_id, event: name, ...rest };
  const payload = { event: name, timestamp: data.timestamp, data };
  return { id: eventId(name, data.draft_id, occasion), name, payload };
}

/** The bytes that are signed and sent. They are stored, so every attempt and replay has the same. */
export function eventBody(event: WebhookEvent): string {
  return JSON.stringify(event.payload);
}

/** The id is made from the facts: an event that is built twice (after a crash, or in a repeated job) has one id. */
export function eventId(name: EventName, subject: string, occasion = ""): string {
  const digest = createHash("sha256").update(`${name}\n${subject}\n${occasion}`).digest(
    "base64url",
  );
  return `evt_${digest.slice(0, 27)}`;
}

/** Standard Webhooks advises under 20 kB; a stored delivery must stay under 64 KiB. */
const maxPayloadBytes = 20_000;

function build(
  name: EventName,
  email: EventEmail,
  at: Date,
  extra: Record<string, unknown>,
  occasion?: string,
): WebhookEvent {
  const data: Record<string, unknown> = { ...pick(email), ...extra };
  const make = () => ({ event: name, timestamp: at.toISOString(), data });
  while (new TextEncoder().encode(JSON.stringify(make())).length > maxPayloadBytes) {
    const [field, list] = longestOf(data);
    if (list.length < 2) break;
    Object.assign(data, { [field]: list.slice(0, list.length / 2), truncated: true });
  }
  return { id: eventId(name, email.email_id, occasion), name, payload: make() };
}

/** The field of an event's data with the longest of the lists that may be cut. */
function longestOf(data: Record<string, unknown>): [field: string, list: readonly unknown[]] {
  return ["to", "envelope_to", "recipients"]
    .map((field): [string, readonly unknown[]] => [field, data[field] as unknown[] ?? []])
    .sort(([, a], [, b]) => b.length - a.length)[0];
}

/** Callers may pass records with more fields, such as a list row: these fields must not get into a payload. */
function pick(email: EventEmail): EventEmail {
  return {
    email_id: email.email_id,
    message_id: email.message_id,
    subject: email.subject,
    from: email.from,
    to: email.to,
    date: email.date,
    mailbox_id: email.mailbox_id,
    domain: email.domain,
    has_attachments: email.has_attachments,
    thread_id: email.thread_id,
    ...email.metadata && { metadata: email.metadata },
  };
}

/**
 * A payload's schema; the event names it and its data in the OpenAPI document. All events of drafts have the same data, and
 * so have the two of mail that came in.
 */
function payloadOf<Name extends EventName, Data extends z.ZodType>(name: Name, data: Data) {
  return payload(name, data.meta({ id: `${titleOf(name)}Data` }));
}

function payload<Name extends EventName, Data extends z.ZodType>(name: Name, data: Data) {
  return z.strictObject({
    event: z.literal(name),
    timestamp: timestamp.describe("When it happened, not when it is delivered"),
    data,
  }).meta({ id: `${titleOf(name)}Event` });
}

/** `EmailReceived` of `email.received`. */
function titleOf(name: EventName): string {
  return name.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1)).join("");
}
