import assert from "node:assert/strict";
import {
  emailCame,
  emailFailed,
  emailProcessed,
  emailSent,
  eventBody,
  eventNames,
  eventPayloads,
} from "../../../domain/webhooks/events.ts";
import { sampleEvent } from "../../../domain/webhooks/sample_event.ts";

const at = new Date("2026-11-21T08:00:00.123Z");

const email = {
  email_id: "0199e2a0-0000-7000-8000-000000000001",
  message_id: "<order-1@shop.example>",
  subject: "Order 1",
  from: "shop@shop.example",
  to: ["agent@agents.localhost"],
  date: "2026-11-21T07:59:00.000Z",
  mailbox_id: "3f0c8f1e-0000-4000-8000-000000000001",
  domain: "agents.localhost",
  has_attachments: false,
  thread_id: "0199e2a0-0000-7000-8000-000000000001",
};

const envelope_to = ["Agent+order-7@agents.localhost"];
const came = { from_name: "The shop", envelope_to, automated: true, snippet: "Hello" };
const recipients = [
  { address: "nobody@shop.example", status: "failed" as const },
  { address: "ann@shop.example", status: "sent" as const },
];

Deno.test("emailCame() has exactly the specified fields, whatever else the record has", () => {
  const record = { ...email, body_text: "secret", size: 7 };
  for (const event of ["email.received", "email.imported"] as const) {
    assert.deepEqual(JSON.parse(eventBody(emailCame(event, record, came, at))), {
      event,
      timestamp: "2026-11-21T08:00:00.123Z",
      data: { ...email, ...came },
    });
  }
});

Deno.test("emailProcessed(), emailSent() and emailFailed() add their outcome and its time", () => {
  const time = "2026-11-21T08:00:00.123Z";
  assert.deepEqual(
    emailProcessed(email, { ...came, status: "indexed", auth: { verdict: "pass" } }, at)
      .payload,
    {
      event: "email.processed",
      timestamp: time,
      data: {
        ...email,
        status: "indexed",
        indexed_at: time,
        envelope_to,
        automated: true,
        auth_verdict: "pass",
      },
    },
  );
  assert.deepEqual(emailSent(email, at).payload, {
    event: "email.sent",
    timestamp: time,
    data: { ...email, status: "sent", sent_at: time },
  });
  const failure = {
    reason: "rejected" as const,
    recipients: ["nobody@shop.example"],
    smtp_status: "5.1.1",
    message: "x".repeat(600),
  };
  assert.deepEqual(emailFailed(email, { failure, recipients }, at).payload, {
    event: "email.failed",
    timestamp: time,
    data: {
      ...email,
      status: "partial",
      failed_at: time,
      failure: { ...failure, message: "x".repeat(500) },
      recipients,
    },
  });
  const all = { failure, recipients: recipients.slice(0, 1) };
  assert.equal(emailFailed(email, all, at).payload.data.status, "failed");
});

Deno.test("every event, real or a sample, matches its schema", () => {
  const failure = { reason: "expired" as const, recipients: [], smtp_status: null, message: "" };
  const built = [
    emailCame("email.received", email, came, at),
    emailProcessed(email, { ...came, status: "failed", auth: { verdict: "pass" } }, at),
    emailSent(email, at),
    emailFailed(email, { failure, recipients }, at),
    ...eventNames.map((name) => sampleEvent(name, "nonce", at)),
  ];
  for (const { name, payload } of built) {
    assert.deepEqual(eventPayloads[name].parse(payload), payload);
    assert.equal(payload.event, name);
  }
});

Deno.test("an event can be built from any mail", () => {
  const odd = { ...email, date: "0000-02-30T00:00:00.000Z", subject: "\ud800\u0000", from: "" };
  const payload = JSON.parse(eventBody(emailCame("email.received", odd, came, at)));
  assert.deepEqual(payload.data, { ...odd, ...came });
});

Deno.test("an event's id is the same each time it is built, and different for another occasion", () => {
  const failure = { reason: "bounced" as const, recipients: [], smtp_status: null, message: "" };
  const built = (occasion?: string) => emailFailed(email, { failure, recipients }, at, occasion).id;
  const ids = [
    emailCame("email.received", email, came, at).id,
    emailCame("email.received", { ...email, email_id: "other" }, came, at).id,
    emailProcessed(email, { ...came, status: "indexed", auth: { verdict: "pass" } }, at)
      .id,
    emailSent(email, at).id,
    built(),
    built("a@shop.example"),
    built("b@shop.example"),
  ];
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^evt_[A-Za-z0-9_-]{27}$/);
  const later = new Date(at.getTime() + 60_000);
  assert.equal(emailCame("email.received", email, came, later).id, ids[0]);
  assert.equal(
    emailProcessed(email, { ...came, status: "failed", auth: { verdict: "pass" } }, later)
      .id,
    ids[2],
  );
});

Deno.test("an event stays under 20 kB: of very many recipients it has the first ones, and `truncated`", () => {
  const to = Array.from({ length: 200 }, (_, i) => `${i}-${"é".repeat(200)}@shop.example`);
  const event = emailCame(
    "email.received",
    { ...email, subject: "\u0001".repeat(1000), to },
    came,
    at,
  );
  assert.ok(new TextEncoder().encode(eventBody(event)).length <= 20_000);
  const data = eventPayloads["email.received"].parse(event.payload).data;
  assert.equal(data.truncated, true);
  assert.ok(data.to.length >= 10);
  assert.deepEqual(data.to, to.slice(0, data.to.length));
  const many = { ...came, envelope_to: to };
  const blind = emailCame("email.received", { ...email, to: ["list@shop.example"] }, many, at);
  assert.ok(new TextEncoder().encode(eventBody(blind)).length <= 20_000);
  assert.deepEqual(blind.payload.data.to, ["list@shop.example"]);
});

Deno.test("every event name has a payload schema, and api_key.created is among the names", () => {
  assert.deepEqual(Object.keys(eventPayloads), [...eventNames]);
  assert.deepEqual(eventNames, [
    "email.received",
    "email.imported",
    "email.processed",
    "email.sent",
    "email.failed",
    "draft.created",
    "draft.updated",
    "draft.pending_approval",
    "draft.approved",
    "draft.rejected",
    "draft.sent",
    "draft.canceled",
    "api_key.created",
  ]);
});
