/** Records that the examples of several operations share. */
export const mailbox_id = "5f0c2b8e-4a7d-4c55-9b1e-2f6a7d8c9e01";
export const email_id = "01a1fd71-9114-7000-8a19-a1959eb40652";
export const thread_id = "01a1fd71-9114-7000-8b3c-0e5d4c3b2a19";
export const email_address = "support.desk@agents.example";
export const date = "2026-11-20T09:00:00.000Z";
export const created_at = "2026-11-20T08:30:00.000Z";

export const mailbox = {
  mailbox_id,
  email_address,
  domain: "agents.example",
  status: "active",
  namespace: "ns_01a1fd70-0d00-7000-8b65-ab6e1c8627bb",
  created_at,
};

export const draft = {
  draft_id: "01a1fd79-3c4d-7000-8e5f-6a7b8c9d0e1f",
  mailbox_id,
  status: "draft",
  from: email_address,
  to: ["Ada <ada@example.net>"],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: "Your order",
  body_text: "It has left the house.",
  body_html: null,
  attachments: [],
  automatic: false,
  reply_to_email_id: null,
  send_at: null,
  content_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  reasons: [],
  reject_reason: null,
  email_id: null,
  created_at,
  updated_at: created_at,
};

export const reason = { recipient: "ada@example.net", provenance: "new" };

export const dryRun = {
  dry_run: true,
  would: "pending_approval",
  content_hash: draft.content_hash,
  from: email_address,
  to: draft.to,
  cc: [],
  bcc: [],
  subject: draft.subject,
  size: 512,
  recipients: [{ address: "ada@example.net", provenance: "new" }],
  reasons: [reason],
};

export const policy = {
  approval: "never",
  allow_recipients: [],
  block_recipients: [],
  allow_senders: [],
  block_senders: [],
  retention_days: null,
};

export const marks = {
  is_read: false,
  labels: ["orders"],
  automated: false,
  auth_verdict: "pass",
};

export const email = {
  email_id,
  message_id: "<q1@example.net>",
  thread_id,
  mailbox_id,
  direction: "inbound",
  from: "ada@example.net",
  from_name: "Ada",
  to: [email_address],
  cc: [],
  ...marks,
  subject: "Your order",
  date,
  received_at: "2026-11-20T09:00:02.118Z",
  snippet: "The order number is ZX-48213. It ships on Monday.",
  has_attachments: false,
  attachment_ids: [],
  attachments: [],
  size: 412,
  processed: true,
};

const { snippet: _snippet, processed: _processed, ...listed } = email;

export const fullEmail = {
  ...listed,
  auth: {
    verdict: "pass",
    spf: "pass",
    dkim: "pass",
    dmarc: "pass",
    domain: "example.net",
    source: "checked",
  },
  body_text: "The order number is ZX-48213. It ships on Monday.\n",
  in_reply_to: null,
  references: [],
  reply_to: [],
  bcc: [],
  body_html: null,
  body_new_text: "The order number is ZX-48213. It ships on Monday.",
  problem: null,
};

export const sent = {
  email_id: "01a1fd72-1c3e-7000-8d2f-6b7a8c9d0e1f",
  message_id: "<01a1fd72-1c3e-7000-8d2f-6b7a8c9d0e1f@agents.example>",
  thread_id,
  mailbox_id,
  status: "queued",
  from: email_address,
  to: ["ada@example.net"],
  cc: [],
  subject: "Re: Your order",
  created_at: "2026-11-20T09:05:00.000Z",
};

export const domain = {
  domain_id: "01a1fd73-5a6b-7000-9c8d-7e6f5a4b3c2d",
  domain_name: "example.com",
  verification_token: "letterbox-verify=4f7c2a9e1b",
  verified: false,
  mx_configured: false,
  created_at,
  mailbox_count: 0,
};
export const dns_records = [
  {
    type: "TXT",
    name: "@",
    value: "letterbox-verify=4f7c2a9e1b",
    required: true,
    status: "missing",
  },
  {
    type: "MX",
    name: "@",
    value: "mx.agents.example",
    priority: 10,
    required: true,
    status: "missing",
  },
  {
    type: "TXT",
    name: "@",
    value: "v=spf1 include:agents.example ~all",
    required: false,
    status: "missing",
  },
  { type: "TXT", name: "_dmarc", value: "v=DMARC1; p=none", required: false, status: "missing" },
];
export const valid = dns_records.map((record) => ({ ...record, status: "valid" }));

export const webhook_id = "01a1fd74-2b3c-7000-8a9b-1c2d3e4f5a6b";
export const hook = {
  webhook_id,
  url: "https://hooks.example.com/mail",
  events: ["email.received", "email.processed"],
  secret_masked: "whsec_****",
  active: true,
  mailbox_ids: null,
  retry: "standard",
};
export const delivery = {
  delivery_id: "01a1fd75-0a1b-7000-9d8e-2f3a4b5c6d7e",
  event: "email.received",
  event_id: "evt_01a1fd71",
  email_id,
  created_at: date,
  url: "https://hooks.example.com/mail",
  status: "delivered",
  attempts: [{ at: date, http_status: 200, error: null, duration_ms: 84 }],
};

export const key = {
  keyId: "01a1fd76-3c4d-7000-8e9f-0a1b2c3d4e5f",
  name: "support agent",
  keyPrefix: "lbx_HWbw********",
  plan: "free",
  rateLimit: 20,
  createdAt: created_at,
  expirationTs: null,
};

export const user = { userId: "01a1fd70-0d00-7000-8b65-ab6e1c8627bb", name: "Grace" };
export const page = { has_more: false, next_cursor: null };

export const job = {
  job_id: "0198f3c2-7d10-7a4e-8c55-2f6b1d9e0a37",
  kind: "read_bounce",
  state: "dead",
  attempts: 1,
  created_at,
  run_at: created_at,
  last_error: "the process died three times while this job was at work",
};

export const verification = {
  email_id,
  best_code: "482913",
  best_link: null,
  codes: [{
    code: "482913",
    as_written: "482 913",
    kind: "numeric",
    confidence: 0.98,
    context: "Your verification code is 482 913. It expires in 10 minutes.",
  }],
  links: [],
};

export const expectation = {
  expectation_id: "01a1fd78-4e5f-7000-8a1b-2c3d4e5f6a7b",
  mailbox_id,
  from_domain: "example.net",
  subject: null,
  kind: "code",
  status: "waiting",
  created_at: date,
  expires_at: "2026-11-20T09:15:00.000Z",
  email_id,
  code: "482913",
  link: null,
  auth: {
    ...{ verdict: "none", spf: "none", dkim: "none", dmarc: "none" },
    ...{ domain: "example.net", source: "none" },
  },
};

export const claim_id = "b7c1e0a4-2d53-4f0e-9a86-1c3d5e7f9a0b";
export const lease = { claim_id, lease_until: "2026-11-20T09:01:00.000Z", attempts: 1 };
