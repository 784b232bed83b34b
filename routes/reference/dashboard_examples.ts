import {
  created_at,
  date,
  dns_records,
  domain,
  email,
  email_address,
  mailbox,
  mailbox_id,
  page,
  thread_id,
  user,
  valid,
  webhook_id,
} from "./example_records.ts";
import type { RouteExample } from "./route_examples.ts";

/** Examples of the operations that only sessions can call. */
export const dashboardExamples: Record<string, RouteExample> = {
  get_account: {
    input: {},
    output: {
      userId: user.userId,
      name: user.name,
      email: "grace@example.org",
      plan: "pro",
      createdAt: created_at,
      mustConfirmEmail: false,
      limits: {
        ...{ requestsPerMinute: 100, requestsPerHour: 2_000, requestsPerDay: 20_000 },
        ...{ mcpRequestsPerMinute: 60, emailsPerMonth: 10_000, emailsPerDay: 10_000 },
        ...{ searchesPerMonth: 5_000, storageBytes: 53_687_091_200, maxEmailBytes: 26_214_400 },
        ...{ customDomains: 10, mailboxes: 50, webhooks: null, sendsPerDay: 2_000 },
      },
      baseUrl: "https://mail.agents.example",
      mxHost: "mx.agents.example",
      sharedDomains: ["agents.example"],
      inboundHint: null,
    },
  },
  get_attention: {
    input: {},
    output: {
      failed_deliveries: [{
        webhook_id,
        url: "https://hooks.example.com/mail",
        count: 3,
        last_error: "The receiver answered 500.",
        at: date,
      }],
      refused: { count: 0, last: null },
      failed_sends: 0,
      loops: [],
      pending: 0,
      quotas: [{ what: "mailboxes", used: 41, limit: 50 }],
    },
  },
  get_activity: {
    input: { from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:59:59Z", step: "hour" },
    output: {
      activity: [{
        at: "2026-11-20T10:00:00.000Z",
        ...{ received: 41, sent: 12, delivered: 80, failed: 3, searches: 9, search_p95_ms: 63 },
      }],
    },
  },
  search_with_reasons: {
    input: { query: "when does my order ship?", from: "ada@", limit: 10 },
    output: {
      results: [],
      total: 0,
      pending: 0,
      searches: { used: 41, limit: 5_000 },
      without: { from: 3 },
    },
  },
  list_threads: {
    input: { mailbox_id, limit: 20 },
    output: {
      threads: [{
        thread_id,
        subject: email.subject,
        participants: [{ address: "ada@example.net", name: "Ada" }],
        count: 2,
        last_email: date,
        last_direction: "outbound",
        answered: true,
      }],
      ...page,
    },
  },
  list_counted_mailboxes: {
    input: {},
    output: { mailboxes: [{ ...mailbox, email_count: 12, last_email_date: date }] },
  },
  list_domains: {
    input: {},
    output: {
      domains: [{ ...domain, dns_records }],
      plan: "pro",
      domain_limit: 10,
      domain_count: 1,
      can_add_domain: true,
    },
  },
  add_domain: { input: { domain: "example.com" }, output: { ...domain, dns_records } },
  verify_domain: {
    input: { domain_id: domain.domain_id },
    output: { ...domain, verified: true, mx_configured: true, dns_records: valid },
  },
  migrate_mailboxes: {
    input: { domain_id: domain.domain_id, target_domain: "agents.example", dry_run: true },
    output: {
      dry_run: true,
      migrated_count: 1,
      renamed_count: 0,
      migrations: [{
        mailbox_id,
        renamed: false,
        from_email: "support.desk@example.com",
        to_email: email_address,
      }],
    },
  },
  delete_domain: {
    input: { domain_id: domain.domain_id },
    output: { domain_id: domain.domain_id, domain_name: "example.com", deleted: true },
  },
  get_subscription: {
    input: {},
    output: {
      status: "active",
      plan: "pro",
      currentPeriodStart: "2026-11-01T00:00:00.000Z",
      currentPeriodEnd: "2026-12-01T00:00:00.000Z",
      cancelAtPeriodEnd: false,
    },
  },
  get_usage: {
    input: {},
    output: {
      emailsUsed: 412,
      emailsLimit: 10_000,
      searchesUsed: 37,
      searchesLimit: 5_000,
      storageUsed: 18_874_368,
      storageLimit: 53_687_091_200,
      ...{ sendsUsed: 14, sendsLimit: 2_000, mailboxesUsed: 3, mailboxesLimit: 50 },
      ...{ webhooksUsed: 1, webhooksLimit: null },
    },
  },
  begin_checkout: {
    input: {
      plan: "pro",
      successUrl: "https://app.example.com/paid",
      cancelUrl: "https://app.example.com/plans",
    },
    output: { url: "https://checkout.stripe.com/c/pay/cs_..." },
  },
  open_billing_portal: {
    input: { returnUrl: "https://app.example.com/plans" },
    output: { url: "https://billing.stripe.com/p/session/..." },
  },
};
