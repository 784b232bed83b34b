/**
 * Every operation by resource and method: its name in the OpenAPI document, HTTP method, path below /v1/api, and its
 * kind.
 *
 * - `pages`: a list that is read page by page; `rows`: a list in one answer
 * - `stream`: bytes
 * - `mails`: an export, a line a mail
 * - `message`: the body is a message, and its other fields are headers
 * - `text`: the text of a file instead of its bytes
 * - `send`: it sends mail, so every call has an idempotency key
 * - `read`: changes nothing although it is a POST
 * - `query`: the fields are in the URL although it is a POST
 * - `wait`: without a time it begins when it is called
 *
 * Editors show the comment of a route at its method. The methods of the Python clients are made from this table too, with
 * the first sentence of the comment.
 */
export const routes = {
  mailboxes: {
    /** The mailboxes of the account. Await it, or loop over it. */
    list: "listMailboxes GET /mailboxes rows",
    /** Makes a mailbox; `generate: true` chooses its name. */
    create: "createMailbox POST /mailboxes",
    /** Deletes a mailbox and its mail; `confirm_email_address` is its address. */
    delete: "deleteMailbox DELETE /mailboxes/{id}",
    /** A mailbox with its name, signature and metadata; `id` may be its address. */
    get: "getMailbox GET /mailboxes/{id}",
    /** Sets the name, signature, metadata or catch-all of a mailbox. */
    update: "updateMailbox PATCH /mailboxes/{id}",
    /** Whether an address can be taken. */
    check: "checkEmail GET /mailboxes/check-email",
    /** Whom the mailbox may write to, and whose mail it takes. */
    policy: "getMailboxPolicy GET /mailboxes/{id}/policy",
    /** Changes the fields that are given; null sets one back. */
    setPolicy: "setMailboxPolicy PUT /mailboxes/{id}/policy",
    /** Stores a message of an archive as its source had it. Nobody is told; the same bytes again are a duplicate. */
    import: "importEmail POST /mailboxes/{id}/import message",
    /** Every mail with its original bytes, `{email, raw}`, in the order in which it came. Loop over it. */
    export: "exportMailbox GET /mailboxes/{id}/export mails",
  },
  emails: {
    /** Mail, newest first. `for await (const email of letterbox.emails.list())` reads every page. */
    list: "listEmails GET /emails pages",
    /** One email with its text. */
    get: "getEmail GET /emails/{id}",
    /** Waits for the next matching email, at most 60 seconds. Name `since`, the time before the mail was caused. */
    wait: "waitForEmail GET /emails/wait wait",
    /** Marks as read or unread, adds and removes labels. */
    update: "updateEmail PATCH /emails/{id}",
    /** Marks, labels or deletes up to 100 emails at once. */
    batch: "updateEmails POST /emails/batch",
    /** Deletes an email. */
    delete: "deleteEmail DELETE /emails/{id}",
    /** Sends an email once, even if the request is retried. `status` tells whether it goes out or waits. */
    send: "sendEmail POST /emails/send send",
    /** Answers an email, in its thread. */
    reply: "replyEmail POST /emails/{id}/reply send",
    /** Forwards an email. */
    forward: "forwardEmail POST /emails/{id}/forward send",
    /** The codes and links to sign up with. */
    verification: "getVerification GET /emails/{id}/verification",
    /** Every link of an email. */
    links: "getLinks GET /emails/{id}/links",
    /** The message as it arrived. It is a stream of bytes. */
    raw: "downloadRawEmail GET /emails/{id}/raw stream",
    /** The bytes of an attachment. They are a stream. */
    attachment: "downloadAttachment GET /emails/{id}/attachments/{id} stream",
    /** A URL that answers the bytes of an attachment without a key, for 15 minutes. */
    attachmentLink: "getAttachmentLink GET /emails/{id}/attachments/{id}/link",
    /** The text of an attachment; pass `next_offset` as `offset` for the rest. */
    attachmentText: "downloadAttachment GET /emails/{id}/attachments/{id} text",
  },
  threads: {
    /** Conversations, by their newest message. */
    list: "listThreads GET /threads pages",
    /** A conversation. */
    get: "getEmailThread GET /threads/{id}",
  },
  drafts: {
    /** Drafts, newest first. */
    list: "listDrafts GET /drafts pages",
    /** One draft. */
    get: "getDraft GET /drafts/{id}",
    /** Makes a draft of a message or of a reply. */
    create: "createDraft POST /drafts send",
    /** Changes a draft. */
    update: "updateDraft PATCH /drafts/{id}",
    /** Cancels a draft. */
    delete: "deleteDraft DELETE /drafts/{id}",
    /** Sends a draft, once. */
    send: "sendDraft POST /drafts/{id}/send send",
    /** Sends a draft that waits for approval. */
    approve: "approveDraft POST /drafts/{id}/approve send",
    /** Refuses a draft that waits for approval. */
    reject: "rejectDraft POST /drafts/{id}/reject",
  },
  uploads: {
    /** Makes a URL for the bytes of a file; `uploadFile` makes it and sends them. */
    create: "createUpload POST /uploads",
  },
  webhooks: {
    /** The webhooks of the account. Await it, or loop over it. */
    list: "listWebhooks GET /webhooks rows",
    /** One webhook. */
    get: "getWebhook GET /webhooks/{id}",
    /** Makes a webhook; only this answer shows its `secret`. */
    create: "createWebhook POST /webhooks",
    /** Changes a webhook. */
    update: "updateWebhook PATCH /webhooks/{id}",
    /** Deletes a webhook. */
    delete: "deleteWebhook DELETE /webhooks/{id}",
    /** Sends a test event. */
    test: "testWebhook POST /webhooks/{id}/test query",
    /** The log of a webhook, newest first. */
    deliveries: "listWebhookDeliveries GET /webhooks/{id}/deliveries pages",
    /** One delivery. */
    delivery: "getWebhookDelivery GET /webhooks/{id}/deliveries/{id}",
    /** Sends a delivery again. */
    replay: "replayWebhookDelivery POST /webhooks/{id}/deliveries/{id}/replay query",
  },
  keys: {
    /** The API keys of the account. Await it, or loop over it. */
    list: "listApiKeys GET /keys rows",
    /** Makes a key; only this answer shows it. */
    create: "createApiKey POST /keys",
    /** Ends a key, and every key that it made. */
    revoke: "revokeApiKey DELETE /keys/{id}",
    /** The same as `revoke`. */
    delete: "revokeApiKey DELETE /keys/{id}",
  },
  changes: {
    /** What changed, in order; the next call begins at `cursor` of the list. */
    list: "listChanges GET /changes pages",
  },
  expectations: {
    /** Announces a mail with a code or link. */
    create: "expectCode POST /expectations",
    /** The expectation, with the code once it came; `timeout_seconds` waits. */
    get: "getExpectedCode GET /expectations/{id}",
    /** Ends an expectation. */
    delete: "deleteExpectation DELETE /expectations/{id}",
  },
  claims: {
    /** Takes emails that nobody else works on. */
    create: "claimEmails POST /mailboxes/{id}/claims",
    /** The email is done. */
    ack: "ackEmail POST /claims/{id}/ack",
    /** Gives the email back. */
    nack: "nackEmail POST /claims/{id}/nack",
    /** Keeps the email for longer. */
    extend: "extendClaim POST /claims/{id}/extend",
  },
  arrivals: {
    /** Every delivery, also refused ones. */
    list: "listArrivals GET /arrivals pages",
  },
  knownRecipients: {
    /** Addresses that got mail which a person approved. */
    list: "listKnownRecipients GET /known-recipients pages",
    /** Makes an address new again. */
    delete: "deleteKnownRecipient DELETE /known-recipients/{id}",
  },
  suppressions: {
    /** Addresses that bounced. */
    list: "listSuppressions GET /suppressions pages",
    /** Lets mail go to an address again. */
    delete: "deleteSuppression DELETE /suppressions/{id}",
  },
  audit: {
    /** Who did what, newest first. */
    list: "listAudit GET /audit pages",
  },
  /** Methods of the client itself. */
  client: {
    /** Finds mail by meaning and by exact words; returns the whole answer, with `total` and `pending`. */
    search: "searchEmails POST /search read",
    /** Whether the service and its parts are well. */
    health: "health GET /health",
  },
} as const;
