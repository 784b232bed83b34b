import { beginning, cursorOf } from "../changes/position.ts";
import {
  draftEvent,
  emailCame,
  emailFailed,
  emailProcessed,
  emailSent,
  type EventName,
  type WebhookEvent,
} from "./events.ts";

/** A made-up event of the right shape. `nonce` makes its ids unique; all of them begin with `test_`. */
export function sampleEvent(name: EventName, nonce: string, at: Date): WebhookEvent {
  return { ...build(name, nonce, at), id: `test_${nonce}` };
}

/** What `POST /v1/api/webhooks/{id}/test` sends: a sample whose data shows that it is one. */
export function testEvent(name: EventName, nonce: string, at: Date): WebhookEvent {
  const sample = sampleEvent(name, nonce, at);
  const { payload } = sample;
  return { ...sample, payload: { ...payload, data: { ...payload.data, test: true } } };
}

const sampleStatuses = {
  "draft.created": "draft",
  "draft.updated": "draft",
  "draft.pending_approval": "pending_approval",
  "draft.approved": "scheduled",
  "draft.rejected": "rejected",
  "draft.sent": "sent",
  "draft.canceled": "canceled",
} as const;

function build(name: EventName, nonce: string, at: Date): WebhookEvent {
  const email = {
    email_id: `test_${nonce}`,
    message_id: `<test_${nonce}@example.com>`,
    subject: "Test event",
    from: "sender@example.com",
    to: ["agent@example.com"],
    date: at.toISOString(),
    mailbox_id: `test_${nonce}`,
    domain: "example.com",
    has_attachments: false,
    thread_id: `test_${nonce}`,
  };
  const came = { envelope_to: email.to, automated: false };
  switch (name) {
    case "email.received":
    case "email.imported":
      return emailCame(name, email, { ...came, from_name: "", snippet: "This is a test." }, at);
    case "email.processed":
      return emailProcessed(email, {
        ...came,
        status: "indexed",
        auth: { verdict: "pass" },
      }, at);
    case "email.sent":
      return emailSent(email, at);
    case "email.failed":
      return emailFailed(email, {
        failure: {
          reason: "rejected",
          recipients: email.to,
          smtp_status: "5.1.1",
          message: "This is a test.",
        },
        recipients: email.to.map((address) => ({ address, status: "failed" })),
      }, at);
    case "api_key.created":
      return {
        id: "",
        name,
        payload: {
          event: name,
          timestamp: at.toISOString(),
          data: { keyId: `test_${nonce}`, name: "Test key", createdAt: at.toISOString() },
        },
      };
    default:
      return draftEvent(name, {
        change_id: cursorOf(beginning),
        timestamp: at.toISOString(),
        mailbox_id: email.mailbox_id,
        email_id: name === "draft.sent" ? email.email_id : null,
        thread_id: name === "draft.sent" ? email.thread_id : null,
        draft_id: `test_${nonce}`,
        status: sampleStatuses[name],
        content_hash: "0".repeat(64),
        reasons: name === "draft.pending_approval"
          ? [{ recipient: "stranger@example.com", provenance: "new" }]
          : [],
      }, "");
  }
}
