/**
 * Every operation by resource and method: its name in the OpenAPI document, HTTP method, path below /v1/api, and its
 * kind.
 *
 * - `pages`: a list that is read page by page; `rows`: a list in one answer
 * - `stream`: bytes
 * - `text`: the text of a file instead of its bytes
 * - `send`: it sends mail, so every call has an idempotency key
 * - `read`: changes nothing although it is a POST
 * - `query`: the fields are in the URL although it is a POST
 * - `wait`: without a time it begins when it is called
 */
export const routes = {
  mailboxes: {
    list: "listMailboxes GET /mailboxes rows",
    create: "createMailbox POST /mailboxes",
    delete: "deleteMailbox DELETE /mailboxes/{id}",
    check: "checkEmail GET /mailboxes/check-email",
    policy: "getMailboxPolicy GET /mailboxes/{id}/policy",
    setPolicy: "setMailboxPolicy PUT /mailboxes/{id}/policy",
  },
  emails: {
    list: "listEmails GET /emails pages",
    get: "getEmail GET /emails/{id}",
    wait: "waitForEmail GET /emails/wait wait",
    update: "updateEmail PATCH /emails/{id}",
    batch: "updateEmails POST /emails/batch",
    delete: "deleteEmail DELETE /emails/{id}",
    send: "sendEmail POST /emails/send send",
    reply: "replyEmail POST /emails/{id}/reply send",
    forward: "forwardEmail POST /emails/{id}/forward send",
    verification: "getVerification GET /emails/{id}/verification",
    links: "getLinks GET /emails/{id}/links",
    raw: "downloadRawEmail GET /emails/{id}/raw stream",
    attachment: "downloadAttachment GET /emails/{id}/attachments/{id} stream",
    attachmentText: "downloadAttachment GET /emails/{id}/attachments/{id} text",
  },
  threads: {
    get: "getEmailThread GET /threads/{id}",
  },
  drafts: {
    list: "listDrafts GET /drafts pages",
    get: "getDraft GET /drafts/{id}",
    create: "createDraft POST /drafts send",
    update: "updateDraft PATCH /drafts/{id}",
    delete: "deleteDraft DELETE /drafts/{id}",
    send: "sendDraft POST /drafts/{id}/send send",
    approve: "approveDraft POST /drafts/{id}/approve send",
    reject: "rejectDraft POST /drafts/{id}/reject",
  },
  webhooks: {
    list: "listWebhooks GET /webhooks rows",
    get: "getWebhook GET /webhooks/{id}",
    create: "createWebhook POST /webhooks",
    update: "updateWebhook PATCH /webhooks/{id}",
    delete: "deleteWebhook DELETE /webhooks/{id}",
    test: "testWebhook POST /webhooks/{id}/test query",
    deliveries: "listWebhookDeliveries GET /webhooks/{id}/deliveries pages",
    delivery: "getWebhookDelivery GET /webhooks/{id}/deliveries/{id}",
    replay: "replayWebhookDelivery POST /webhooks/{id}/deliveries/{id}/replay query",
  },
  keys: {
    list: "listApiKeys GET /keys rows",
    create: "createApiKey POST /keys",
    revoke: "revokeApiKey DELETE /keys/{id}",
    delete: "revokeApiKey DELETE /keys/{id}",
  },
  changes: {
    list: "listChanges GET /changes pages",
  },
  expectations: {
    create: "expectCode POST /expectations",
    get: "getExpectedCode GET /expectations/{id}",
    delete: "deleteExpectation DELETE /expectations/{id}",
  },
  claims: {
    create: "claimEmails POST /mailboxes/{id}/claims",
    ack: "ackEmail POST /claims/{id}/ack",
    nack: "nackEmail POST /claims/{id}/nack",
    extend: "extendClaim POST /claims/{id}/extend",
  },
  arrivals: {
    list: "listArrivals GET /arrivals pages",
  },
  suppressions: {
    list: "listSuppressions GET /suppressions pages",
    delete: "deleteSuppression DELETE /suppressions/{id}",
  },
  audit: {
    list: "listAudit GET /audit pages",
  },
  /** Methods of the client itself. */
  client: {
    search: "searchEmails POST /search read",
    health: "health GET /health",
  },
} as const;
