import { dashboardExamples } from "./dashboard_examples.ts";
import {
  claim_id,
  created_at,
  date,
  delivery,
  email,
  email_address,
  email_id,
  expectation,
  fullEmail,
  hook,
  job,
  key,
  lease,
  mailbox,
  mailbox_id,
  marks,
  page,
  policy,
  sent,
  thread_id,
  user,
  verification,
  webhook_id,
} from "./example_records.ts";
import { draftExamples } from "./draft_examples.ts";

/** An input and an output of an operation for the reference. A test validates both. */
export interface RouteExample {
  input: Record<string, unknown>;
  output: unknown;
}

/** By operation name. */
export const routeExamples: Record<string, RouteExample> = {
  ...dashboardExamples,
  health: {
    input: {},
    output: {
      status: "ok",
      version: "1.0.0",
      timestamp: date,
      uptime_seconds: 86_400,
      dead_jobs: 0,
      checks: { kv: "ok", queue: "ok", search: "ok" },
    },
  },
  register: {
    input: { email: "grace@example.org", password: "correct horse battery", name: "Grace" },
    output: { ...user, createdAt: created_at },
  },
  login: {
    input: { email: "grace@example.org", password: "correct horse battery" },
    output: { accessToken: "lbxa_...", refreshToken: "lbxr_...", expiresIn: 3600, user },
  },
  refresh: {
    input: { refreshToken: "lbxr_..." },
    output: { accessToken: "lbxa_...", expiresIn: 3600 },
  },
  list_known_recipients: {
    input: { limit: 20 },
    output: {
      known_recipients: [{ address: "ann@example.net", known_since: created_at }],
      ...page,
    },
  },
  delete_known_recipient: { input: { address: "ann@example.net" }, output: { deleted: true } },
  list_suppressions: {
    input: { limit: 20 },
    output: {
      suppressions: [{
        address: "gone@example.net",
        reason: "hard bounce (5.1.1)",
        email_id: sent.email_id,
        created_at,
      }],
      ...page,
    },
  },
  delete_suppression: { input: { address: "gone@example.net" }, output: { deleted: true } },
  verify_email: { input: { token: "lbxo_..." }, output: { verified: true } },
  resend_verification: { input: {}, output: { message: "The link is on its way." } },
  logout: { input: {}, output: { message: "Logged out." } },
  end_other_sessions: { input: {}, output: { ended: 2 } },
  list_emails: {
    input: { mailbox_id, limit: 20, from: "example.net" },
    output: { emails: [email], ...page },
  },
  get_email: {
    input: { email_id, segments: true },
    output: { ...fullEmail, segments: [{ origin: "new", text: fullEmail.body_text }] },
  },
  update_email: {
    input: { email_id, is_read: true, add_labels: ["orders"] },
    output: { email: { ...email, is_read: true } },
  },
  update_emails: {
    input: { email_ids: [email_id, sent.email_id], is_read: true, remove_labels: ["new"] },
    output: {
      results: [{ email_id, ok: true }, { email_id: sent.email_id, ok: false, code: "NOT_FOUND" }],
    },
  },
  delete_email: { input: { email_id }, output: { deleted: true } },
  claim_emails: {
    input: { mailbox_id, limit: 1, lease_seconds: 60, wait_seconds: 20 },
    output: { claims: [{ ...lease, email: fullEmail }] },
  },
  ack_email: { input: { claim_id }, output: { claim_id, email_id, status: "acked" } },
  nack_email: {
    input: { claim_id, delay_seconds: 30 },
    output: { claim_id, email_id, status: "released" },
  },
  extend_claim: { input: { claim_id, lease_seconds: 60 }, output: lease },
  get_email_thread: {
    input: { thread_id },
    output: {
      thread_id,
      thread: [{
        email_id,
        subject: email.subject,
        direction: "inbound",
        from: email.from,
        from_name: email.from_name,
        to: email.to,
        date,
        ...marks,
        has_attachments: false,
        status: null,
        body_text_snippet: email.snippet,
      }],
      ...page,
    },
  },
  search_emails: {
    input: { query: "when does my order ship?", limit: 10 },
    output: {
      results: [{
        email_id,
        thread_id,
        mailbox_id,
        subject: email.subject,
        from: email.from,
        date,
        ...marks,
        snippet: email.snippet,
        score: 0.83,
      }],
      total: 1,
      pending: 0,
    },
  },
  send_email: {
    input: {
      mailbox_id,
      to: ["ada@example.net"],
      subject: "Your order",
      body_text: "It has left the house.",
      idempotency_key: "order-48213-shipped",
    },
    output: { ...sent, subject: "Your order" },
  },
  reply_email: {
    input: { email_id, body_text: "Thank you, Ada.", reply_all: false },
    output: sent,
  },
  ...draftExamples,
  get_verification: {
    input: { email_id: verification.email_id },
    output: verification,
  },
  get_links: {
    input: { email_id: verification.email_id },
    output: {
      email_id: verification.email_id,
      links: [{
        ...{ n: 1, url: "https://example.com/verify?token=4f7c2a9e1b", text: "Confirm" },
        ...{ host: "example.com", kind: "verify" },
      }],
    },
  },
  wait_for_email: {
    input: { mailbox_id, since: date, require: "code", timeout_seconds: 30 },
    output: { email: fullEmail, timed_out: false, verification },
  },
  expect_code: {
    input: { mailbox_id, from_domain: "example.net", kind: "code" },
    output: { ...expectation, ...{ email_id: null, code: null, link: null, auth: null } },
  },
  get_expected_code: {
    input: { expectation_id: expectation.expectation_id, timeout_seconds: 60 },
    output: { ...expectation, status: "matched" },
  },
  delete_expectation: {
    input: { expectation_id: expectation.expectation_id },
    output: { deleted: true },
  },
  list_changes: {
    input: { after: "now" },
    output: {
      changes: [{
        change_id: "0000000000000a3f0000-0001",
        event: "email.received",
        timestamp: date,
        mailbox_id,
        email_id,
        thread_id,
        draft_id: null,
      }],
      has_more: false,
      next_cursor: "0000000000000a3f0000-0001",
    },
  },
  end_account: {
    input: { confirm_email: "ada@example.net", password: "correct horse battery staple" },
    output: { deleted: true },
  },
  list_audit: {
    input: { action: "get_email", limit: 50 },
    output: {
      rows: [{
        audit_id: "01a1fd77-2b3c-7000-8d4e-5f6a7b8c9d0e",
        at: date,
        actor: { key_id: "01a1fd70-0d00-7000-8e11-2f3a4b5c6d7e" },
        surface: "mcp",
        action: "get_email",
        mailbox_id,
        email_id,
        count: 1,
      }],
      ...page,
    },
  },
  list_arrivals: {
    input: { disposition: "rejected", limit: 20 },
    output: {
      arrivals: [{
        arrival_id: "01a1fd77-1a2b-7000-8c3d-4e5f6a7b8c9d",
        received_at: date,
        source: "raw",
        recipient: "typo.desk@example.com",
        sender: "ada@example.net",
        size: 412,
        disposition: "rejected",
        code: "UNKNOWN_RECIPIENT",
        email_id: null,
        mailbox_id: null,
        count: 1,
      }],
      ...page,
    },
  },
  list_mailboxes: { input: {}, output: { mailboxes: [mailbox] } },
  create_mailbox: {
    input: { local_part: "support.desk", domain: "agents.example" },
    output: mailbox,
  },
  check_email: {
    input: { local_part: "support.desk", domain: "agents.example" },
    output: { valid: true, email_address },
  },
  delete_mailbox: {
    input: { mailbox_id, confirm_email_address: email_address },
    output: { deleted: true },
  },
  get_mailbox_policy: { input: { mailbox_id }, output: policy },
  set_mailbox_policy: {
    input: { mailbox_id, approval: "new_recipients", allow_recipients: ["@example.net"] },
    output: { ...policy, approval: "new_recipients", allow_recipients: ["@example.net"] },
  },
  rename_mailbox: {
    input: { mailbox_id, local_part: "help.desk", domain: "agents.example" },
    output: {
      previous_email_address: email_address,
      mailbox: {
        mailbox_id,
        email_address: "help.desk@agents.example",
        domain: "agents.example",
        status: "active",
      },
    },
  },
  list_webhooks: { input: {}, output: [{ ...hook, createdAt: created_at }] },
  create_webhook: {
    input: { url: hook.url, events: hook.events, retry: "standard" },
    output: { ...hook, created_at, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  },
  get_webhook: { input: { webhook_id }, output: { ...hook, created_at } },
  update_webhook: {
    input: { webhook_id, active: false },
    output: { ...hook, active: false, created_at },
  },
  delete_webhook: { input: { webhook_id }, output: { message: "Webhook deleted." } },
  list_webhook_deliveries: {
    input: { webhook_id, limit: 20 },
    output: { deliveries: [delivery], ...page },
  },
  get_webhook_delivery: {
    input: { webhook_id, delivery_id: delivery.delivery_id },
    output: {
      ...delivery,
      attempts: delivery.attempts.map((each) => ({ ...each, answer: "ok" })),
      payload: '{"event":"email.received","data":{"subject":"Hello"}}',
    },
  },
  replay_webhook_delivery: {
    input: { webhook_id, delivery_id: delivery.delivery_id },
    output: { ...delivery, status: "pending" },
  },
  test_webhook: {
    input: { webhook_id, event: "email.received" },
    output: { ...delivery, email_id: null, status: "pending", attempts: [] },
  },
  list_api_keys: { input: {}, output: { keys: [{ ...key, lastUsed: date }], total: 1 } },
  create_api_key: {
    input: { name: key.name, expirationDays: 90, scopes: ["emails:read", "search"] },
    output: {
      ...key,
      expirationTs: "2027-02-18T08:30:00.000Z",
      scopes: ["emails:read", "search"],
      apiKey: "lbx_...",
    },
  },
  revoke_api_key: { input: { keyId: key.keyId }, output: { keyId: key.keyId, revoked: true } },
  set_plan: {
    input: { email: "grace@example.org", plan: "pro" },
    output: { userId: user.userId, email: "grace@example.org", plan: "pro" },
  },
  create_account: {
    input: { email: "grace@example.org", name: "Grace", plan: "pro" },
    output: {
      userId: user.userId,
      email: "grace@example.org",
      name: "Grace",
      plan: "pro",
      createdAt: created_at,
      password: "V1tq9mXcR4bKz7LwP2sD",
    },
  },
  invite: {
    input: { email: "grace@example.org" },
    output: { token: "lbxo_...", email: "grace@example.org", expires_at: created_at },
  },
  list_jobs: {
    input: { state: "dead" },
    output: { jobs: [job], has_more: false, next_cursor: null },
  },
  retry_job: { input: { job_id: job.job_id }, output: { ...job, state: "waiting", attempts: 0 } },
  delete_job: { input: { job_id: job.job_id }, output: job },
};
