/**
 * The promises of docs/specification.md that a test can prove, each under a short id. A test names the rows that it
 * proves in a comment directly above it: `// SPEC: id, id`. tests/requirements_test.ts fails for a row that no test
 * names, an unknown id, a comment above no test, and a heading that the specification does not have.
 */
export interface Requirement {
  /** A heading of docs/specification.md. */
  section: string;
  behaviour: string;
}

const under = <Id extends string>(
  section: string,
  rows: Record<Id, string>,
): Record<Id, Requirement> =>
  Object.fromEntries(
    Object.entries<string>(rows).map(([id, behaviour]) => [id, { section, behaviour }]),
  ) as Record<Id, Requirement>;

export const requirements = {
  ...under("General", {
    "general.envelope":
      "a success has success: true and data, unless its endpoint lists another body",
    "general.timestamps": "timestamps are ISO 8601 with milliseconds and Z",
    "general.paths": "REST under /v1/api, MCP at /v1/mcp, dashboard routes under /api",
    "http.id_length": "an id of any length or letters is 404 or 400, never 5xx",
  }),
  ...under("Authentication", {
    "access.v1": "/v1 takes an API key or an access token",
    "access.dashboard": "/api takes the session cookie or an access token",
    "access.unauthorized": "missing or invalid credentials: 401 UNAUTHORIZED on every route",
    "access.keys_hashed": "keys, tokens and passwords are stored hashed only",
    "access.key_expires": "an expired key is refused",
    "access.foreign_404": "foreign mailboxes, emails, keys, webhooks and domains answer 404",
  }),
  ...under("Sessions", {
    "auth.login": "POST /api/auth/login answers accessToken, refreshToken, expiresIn and user",
    "auth.login_wrong": "wrong email or password: 401 UNAUTHORIZED, the same for both",
    "auth.sessions": "an account has at most 20 live sessions; the oldest ends",
    "auth.logout": "POST /api/auth/logout answers a message and ends the session",
    "auth.end_others": "DELETE /api/auth/sessions ends all sessions but the one that asks",
    "auth.refresh": "POST /api/auth/refresh answers accessToken and expiresIn",
    "auth.refresh_wrong": "an invalid or expired refresh token: 401 UNAUTHORIZED",
    "session.lifetimes": "expiresIn 3600 s; the refresh token lasts 30 days and does not rotate",
    "session.cookie":
      "HttpOnly, SameSite=Lax, Path=/, Secure on https, as long as the refresh token",
    "session.same_origin": "a change by cookie from another origin: 403",
    "session.cookie_dashboard_only": "the cookie authenticates /api alone; no API key does there",
  }),
  ...under("Passwords", {
    "user.password_write_only": "no answer shows a password, and the store holds none",
    "session.guessing": "429 after 20 failures; a right password from elsewhere passes",
  }),
  ...under("Scopes", {
    "key.scopes": "a missing scope: 403 FORBIDDEN with required_scope",
    "key.named_scopes": "emails:approve and policy:write are in a key only if its scopes name them",
    "key.no_more_than_itself": "a key cannot make a key that can do more",
    "key.mailbox_ids": "a key limited to mailboxes sees those alone, others are 404",
  }),
  ...under("Errors", {
    "error.body": "success: false, error.code, error.message; details omitted when empty",
    "error.bad_request": "invalid or missing JSON: 400 BAD_REQUEST",
    "error.missing_fields": "no domain, or no local part and no address: 400 MISSING_FIELDS",
    "error.validation": "400 VALIDATION_ERROR with details field -> message",
    "error.validation_dashboard": "on /api the messages are in details.field_errors",
    "error.verification_failed": "400 VERIFICATION_FAILED: expected_txt_record, instructions",
    "error.unauthorized": "401 UNAUTHORIZED",
    "error.forbidden": "403 FORBIDDEN",
    "error.mailbox_quota": "403 MAILBOX_QUOTA: count, limit, plan",
    "error.not_found": "404 NOT_FOUND",
    "error.conflict": "409 CONFLICT",
    "error.email_taken": "409 EMAIL_TAKEN: email_address",
    "error.domain_has_mailboxes": "409 DOMAIN_HAS_MAILBOXES: mailbox_count, domain_name",
    "error.local_too_short": "422 LOCAL_TOO_SHORT: min_length, actual_length",
    "error.invalid_local": "422 INVALID_LOCAL",
    "error.disallowed_local": "422 DISALLOWED_LOCAL",
    "error.domain_mismatch": "422 DOMAIN_MISMATCH: domain_expected, domain_in_request",
    "error.domain_not_allowed": "422 DOMAIN_NOT_ALLOWED: domain, plan",
    "error.rate_limit": "429 RATE_LIMIT_EXCEEDED: limit, window, retry_after; Retry-After",
    "error.internal": "500 INTERNAL_ERROR without a word of what went wrong",
    "error.unavailable": "503 SERVICE_UNAVAILABLE",
    "http.method": "another method on a known path: 405 METHOD_NOT_ALLOWED with Allow",
    "http.unknown_path": "an unknown path: 404 NOT_FOUND",
  }),
  ...under("Plans", {
    "limit.table": "the plans have the documented limits",
  }),
  ...under("Rate limits", {
    "limit.minute": "requests per minute: N pass, then 429",
    "limit.hour": "requests per hour",
    "limit.day": "requests per day",
    "limit.mcp": "MCP requests per minute, and each a request of the account's windows",
    "limit.headers": "X-RateLimit-Limit, -Remaining and -Reset on every answer of the API",
    "limit.account_windows": "windows are the account's, over all its keys and sessions",
    "limit.refused_free": "a request refused with 429 costs nothing",
    "limit.anonymous": "requests without a credential count by client address",
    "limit.unlimited_header":
      "an unlimited window shows 9007199254740991 and the end of the minute",
  }),
  ...under("Quotas", {
    "limit.emails": "emails per month and per day",
    "limit.searches": "search queries per month",
    "limit.storage": "storage bytes",
    "limit.email_size": "largest email of the plan",
    "limit.domains": "custom domains; FREE_MAX_CUSTOM_DOMAINS for free",
    "limit.webhooks": "free accounts have a limited number of webhooks",
    "plan.quotas": "mailboxes 5/50/unlimited, webhooks 3, sends 20/2,000; overrides win",
  }),
  ...under("Bodies", {
    "http.too_large": "1 MiB of JSON, 40 MiB on send, reply and MCP; more is 413",
    "http.media_type": "a JSON route with another content type: 400 BAD_REQUEST",
  }),
  ...under("Headers", {
    "http.request_id": "every answer has X-Request-Id; an unforeseen failure logs the same id",
  }),
  ...under("Health", {
    "health.open": "GET /v1/api/health answers without credentials",
    "health.body":
      "status, version, timestamp, uptime_seconds, dead_jobs, checks; no rate limit spent",
    "health.down": "a critical check down: 503 SERVICE_UNAVAILABLE with details.checks",
  }),
  ...under("Accounts", {
    "account.end": "from the end of an account its credentials, webhooks, mail, domains are dead",
    "account.end_late_payment": "a subscription that is paid after the end is ended at Stripe",
    "account.end_billing": "a running subscription is ended first; Stripe is down: 503, no change",
    "account.purge": "after the end nothing is left but the held addresses",
    "user.email_unique": "the email is unique across users, in upper or lower case",
    "auth.register": "POST /api/auth/register answers userId, name, createdAt",
    "auth.register_invalid":
      "invalid email, short password or no name: 400 VALIDATION_ERROR by field",
    "auth.register_conflict": "a registered email: 409 CONFLICT",
    "auth.verification":
      "EMAIL_VERIFICATION: a mailed link confirms the address; before it 403 EMAIL_NOT_VERIFIED",
    "auth.registration": "REGISTRATION closed or without an invitation: 403 FORBIDDEN",
  }),
  ...under("API keys", {
    "key.secret_once": "the full secret is in the answer of the creation alone, with meta.warning",
    "key.format": "prefix, identifier and secret, separated by underscores",
    "key.prefix_masked": "keyPrefix is the first characters followed by asterisks",
    "key.last_used": "lastUsed is the time of the last call, null before the first",
    "key.expiry": "expirationTs is the end of the key, null where it has none",
    "state.key_revoked": "a revoked key is refused from the next request on",
    "keys.list": "GET /v1/api/keys answers the records and meta.total",
    "keys.create": "POST /v1/api/keys answers 201, the record with apiKey, and meta.warning",
    "keys.create_invalid": "name of 1-100 characters, expirationDays 1-365; else VALIDATION_ERROR",
    "keys.free_defaults": "a free account's key has plan free and rateLimit 20",
    "keys.delete": "DELETE /v1/api/keys/{id} answers keyId and revoked: true; a second one 404",
    "keys.limit":
      "a free account has at most 100 live keys, another 1,000: else 403 with count, limit, plan",
    "keys.dashboard": "GET /api/keys mirrors v1 with the session",
    "decided.key_checksum":
      "lbx_<identifier>_<secret> with a checksum of 6 characters, checked before the database",
  }),
  ...under("Mailboxes", {
    "mailbox.record": "mailbox_id (UUID), email_address, domain, status, namespace, created_at",
    "state.mailbox_renamed": "a rename keeps mailbox_id and mail, and moves the routing",
    "mailboxes.list": "GET /v1/api/mailboxes answers {mailboxes} without success",
    "mailboxes.create": "POST /v1/api/mailboxes answers 201 {success, mailbox}",
    "mailboxes.create_forms":
      "the address comes as local_part, bare email_address or whole email_address",
    "mailboxes.generate": "generate: true makes a free name on the first shared domain",
    "mailboxes.check_email": "check-email answers valid: true with email_address",
    "mailboxes.check_email_rules": "a broken rule: 200 valid: false with code, message, details",
    "mailboxes.check_email_exclude":
      "exclude_mailbox_id counts that mailbox's address as available",
    "mailboxes.check_email_domain": "check-email without domain: 400",
    "mailboxes.rename": "PATCH /api/mailboxes/{id} answers previous_email_address and the mailbox",
    "mailboxes.rename_rules": "the creation rules hold for a rename",
    "mailboxes.session_routes":
      "POST /api/mailboxes and GET /api/mailboxes/check-email answer as v1",
  }),
  ...under("Address rules", {
    "mailboxes.rule.length": "a local part has at least 5 characters after trimming",
    "mailboxes.rule.characters": "letters, digits, . _ -; no . or - at an end",
    "mailboxes.rule.reserved": "DISALLOWED_EMAIL_NAME is refused in any case on every domain",
    "mailboxes.rule.unique": "one address has one owner, whatever its case",
    "mailboxes.rule.domain": "free: the shared pool; pro: a verified or a shared domain",
    "mailboxes.rule.quota": "the mailbox count stays within the plan",
    "mailbox.plus_tag": "local+tag@domain is delivered to local@domain",
  }),
  ...under("Policies", {
    "policies.get": "GET of a policy answers every field, with its default if it was never set",
    "policies.put": "PUT changes the fields that it names; null or [] sets one back",
    "policies.senders": "what the lists of senders refuse is BLOCKED, by every way in",
    "policy.retention": "retention_days deletes older mail within a day, 20 s after a start",
    "policies.scope": "GET needs mailboxes:read, PUT policy:write; a foreign mailbox is 404",
  }),
  ...under("Deletion", {
    "mailbox.soft_delete": "a deletion takes the mailbox and its mail out of sight at once",
    "mailboxes.delete": "DELETE answers data.deleted: true",
    "mailboxes.delete_no_body": "DELETE without a JSON body: 400 BAD_REQUEST",
    "mailboxes.delete_confirm": "confirm_email_address missing or not exact: 400 VALIDATION_ERROR",
    "mailboxes.delete_unknown": "DELETE of an unknown or foreign mailbox: 404",
    "mailbox.hold": "a deleted or left address is held for its former owner",
    "mailbox.purge": "emails, vectors and chunks of a deleted mailbox are purged",
  }),
  ...under("Domains", {
    "domain.record":
      "domain_id, domain_name, verification_token, both flags, created_at, mailbox_count",
    "domain.token_form": "verification_token is <verify_prefix>=<token>",
    "domain.mailbox_count": "mailbox_count counts the active mailboxes that use the domain",
    "domains.list": "GET /api/domains answers the records and meta of the plan's room",
    "domains.create": "POST /api/domains answers the record",
    "domains.verify": "verify needs TXT ownership and MX, and then sets both flags",
    "domains.verify_failed": "400 VERIFICATION_FAILED with expected_txt_record and instructions",
    "domains.migrate_preview": "dry_run shows from_email to to_email and changes nothing",
    "domains.migrate": "a migration moves address and routing; mailbox_id and mail stay",
    "domains.migrate_collision": "a taken target gets a dot and 6 hex characters",
    "domains.delete": "a domain without active mailboxes is removed",
    "domains.delete_in_use": "409 DOMAIN_HAS_MAILBOXES with mailbox_count and domain_name",
    "domains.not_in_v1": "no v1 route serves domains",
    "domain.dns_records": "dns_records with type, name, value, priority, required, status",
    "domain.conflict": "the same domain twice, or one of the shared pool: 409 CONFLICT",
    "domain.limit": "over the plan's domains: 403 FORBIDDEN with count, limit, plan",
    "domain.invalid": "not a public host name: 400 VALIDATION_ERROR",
    "domain.one_owner": "the account that proves a domain has it; the other gets 409 on verify",
    "domain.lapse": "a TXT that is gone: no mail in or out until it is proved again",
    "domain.dns_silent": "a resolver that does not answer: 503, nothing changed",
  }),
  ...under("List", {
    "emails.list": "GET /v1/api/emails lists recent emails, paginated",
    "emails.list_pages": "limit, cursor and offset: each email once, meta tells of more",
    "emails.list_filters": "from, to, subject, dates, thread_id, direction, has_attachments, order",
    "emails.list_invalid": "a malformed parameter: 400 VALIDATION_ERROR naming it",
  }),
  ...under("Record", {
    "emails.record": "the record of the list, every field, bare addresses, no body",
    "emails.record_caps":
      "subject, addresses, references and attachments are capped, truncated: true",
  }),
  ...under("Email", {
    "emails.get": "GET /v1/api/emails/{messageId}: the email in full, every field",
    "emails.get_404": "unknown, foreign or deleted: 404 everywhere",
    "emails.html_text": "body_text of an HTML mail is readable text",
  }),
  ...under("Who sent it", {
    "auth.checked":
      "auth is null until the check has ended; then lists, searches and filters have the verdict",
    "auth.verdicts": "SPF, DKIM and DMARC give pass, fail, none or error; ARC changes nothing",
    "auth.remote": "a malformed X-Remote-IP or X-Remote-Helo is 400",
    "auth.processed": "email.processed is sent when indexing and the check have both ended",
    "auth.own": "mail between own mailboxes passes",
    "auth.expectation": "a mail with the verdict fail meets no expectation",
  }),
  ...under("Raw", {
    "emails.links": "the links of an email in order, verbatim, hidden ones marked",
    "emails.segments":
      "segments by origin, joined the text; hidden text in no other field, snippet or search",
    "emails.verification": "the code and the link of an email, best first",
    "emails.raw": "the raw download is the message byte for byte",
    "emails.raw_headers": "message/rfc822, attachment of <messageId>.eml, X-Service-Storage-Key",
    "emails.raw_404": "missing or foreign: 404 {error: {code, message}} without success",
    "emails.raw_401": "without a valid credential: 401",
  }),
  ...under("Attachments", {
    "attachments.record":
      "attachment_id, filename, content_type, size, disposition, content_id, sha256",
    "attachments.name": "a download names the file in filename*, whatever its characters",
    "attachments.get": "the decoded bytes, Content-Disposition: attachment, nosniff",
  }),
  ...under("Send", {
    "emails.send": "POST /v1/api/emails/send sends from a mailbox",
    "send.answer": "201 with email_id, message_id, thread_id, mailbox_id, status, from, to, cc ...",
    "send.idempotency": "same key and body: the first answer; another body: 409 CONFLICT",
    "send.unverified_domain": "a custom domain that is not verified: 422 DOMAIN_NOT_ALLOWED",
    "send.quota": "over the plan's sends: 403 FORBIDDEN with limit, used, plan",
    "send.injection": "CR or LF in a header field: 400",
    "send.recipients": "to, cc and bcc together at most 50",
  }),
  ...under("Reply", {
    "emails.reply": "POST /v1/api/emails/{messageId}/reply replies to an email",
    "reply.headers": "Reply-To else From, Re: once, In-Reply-To, References, the same thread",
    "reply.all": "reply_all leaves out every own address",
    "reply.own_mail": "a reply to one's own sent mail goes to its recipients",
    "reply.automatic": "automatic mail is answered as such, and never in a loop",
  }),
  ...under("Dry run", {
    "dry_run.answers": "dry_run: true answers what would be done, and writes nothing",
    "dry_run.hash": "a send with the content_hash of a dry run sends that content or is 409",
  }),
  ...under("Forward", {
    "forward.inline": "a forward quotes the email with its attachments",
    "forward.attachment": "as: attachment sends the original bytes as message/rfc822",
  }),
  ...under("Drafts", {
    "drafts.create": "a draft is kept, changed, listed and canceled",
    "drafts.send": "POST .../send sends the draft and answers the record of a send",
    "drafts.once": "a draft is sent once; the same call gives the first answer",
    "drafts.reply": "a draft with reply_to_email_id is a reply",
    "drafts.cancel": "a canceled draft is never sent",
    "drafts.honest": "drafts end with their mailbox",
  }),
  ...under("Later", {
    "later.send_at": "a scheduled mail is sent at its time, never before",
    "later.judged_again": "it is not sent if its recipient is blocked or new by then",
    "later.cancel": "DELETE of a scheduled draft cancels it",
    "later.many": "many sends of one moment leave together",
  }),
  ...under("Approval", {
    "approval.wanted": "under approval a send answers pending_approval with reasons",
    "approval.known": "who got an approved mail is known",
    "approval.withdrawn": "a known recipient is listed, and new again once it is withdrawn",
    "approval.provenance": "own, known, listed and new recipients",
    "approval.always": "always asks for every mail",
    "approval.block": "a blocked recipient is 422 RECIPIENT_BLOCKED, approved or not",
    "approval.hash": "an approval holds for one content_hash",
    "approval.races": "approve, change and cancel at once: one wins",
    "approval.injection": "mail cannot make an agent write to anybody new",
  }),
  ...under("Loops", {
    "loops.thread": "at most 12 sends in 10 minutes in a thread to one recipient",
    "loops.automatic": "automatic: true marks a message Auto-Submitted",
  }),
  ...under("Delivery", {
    "send.local": "own mailboxes are delivered to directly, the relay gets the rest",
    "send.retries": "5 s, 30 s, 2 min, 10 min, then hourly for 24 h; status on the email",
    "send.relay": "a relay's 4xx, 5xx, cut connection and STARTTLS, recipient by recipient",
    "send.events": "the final state fires email.sent or email.failed",
    "send.dkim": "mail of a custom domain with a key is signed; a replay with a second field fails",
    "send.bounces": "a delivery report at the return path of a recipient is email.failed",
    "send.suppressions": "a hard bounce puts the recipient on the list: 422 RECIPIENT_SUPPRESSED",
  }),
  ...under("Threads", {
    "threads.get": "GET /v1/api/threads/{thread_id} mirrors get_email_thread",
    "threads.join": "a reply joins its parent's thread, whichever arrives first",
    "threads.merge": "naming two threads merges them: older id stays, the other is an alias",
    "threads.order": "a thread is shown by date, ties by arrival",
    "threads.subject": "without headers: subject with a reply prefix, participant, 30 days",
    "threads.accounts": "never across accounts, whatever the headers claim",
    "threads.pages": "limit, cursor, has_more, next_cursor",
  }),
  ...under("Search", {
    "search.rest": "POST /v1/api/search takes the tool's input and answers success, results, total",
    "search.identifiers": "an email that holds the query's rare words is among the results",
    "search.pending": "pending counts the emails that are not indexed yet",
    "search.invalid": "limit outside 1-100 or offset below 0: 400",
    "search.foreign_mailbox": "a foreign or unknown mailbox_id: 404",
    "search.quota": "past searchesPerMonth: 403 FORBIDDEN with limit, used, plan",
    "search.deleted": "mail of a deleted mailbox is not found",
    "search.meaning": "with a provider, mail that shares no word with the query is found",
    "search.degraded":
      "a provider that is down: words alone, degraded: true; the backlog drains after",
  }),
  ...under("Audit", {
    "audit.rows": "each call that read, sent or changed something has exactly one row",
    "audit.filters": "email_id, key_id, action, limit and cursor; a foreign email_id: 404",
    "audit.scope": "wants audit:read; a limited key sees the rows of its mailboxes",
    "audit.own_commit": "a change has its row in its own commit",
    "audit.reads_in_time": "rows of reads are there within 2 s; a stop loses none",
    "audit.kept": "rows are kept for 90 days",
  }),
  ...under("Webhooks", {
    "webhook.secret_masked": "reads and lists show secret_masked and never the secret",
    "webhook.secret_once": "the secret is shown on creation, and when an update replaced it",
    "webhooks.list": "GET lists webhook_id, url, events, secret_masked, active, createdAt",
    "webhooks.create": "POST answers 201 with secret, secret_masked and created_at",
    "webhooks.create_invalid": "a URL that is not HTTPS, or no events: 400 VALIDATION_ERROR",
    "webhooks.get": "GET of one answers it with created_at and without the secret",
    "webhooks.patch": "PATCH changes url, events, active, secret: each alone or together",
    "webhooks.delete": "DELETE answers data.message; afterwards 404",
    "webhooks.events_known": "an unknown event or an empty list: 400 VALIDATION_ERROR",
    "webhooks.targets": "private targets are refused at creation and at each delivery",
    "webhooks.free_limit": "free: 3 webhooks, then 403 FORBIDDEN with count, limit, plan",
  }),
  ...under("Events", {
    "event.key_created": "api_key.created is accepted as a subscription",
    "webhooks.new_key_silent": "the creation of a key posts no event",
  }),
  ...under("Payloads", {
    "event.received": "inbound mail posts email.received with the email's fields",
    "event.processed": "the end of indexing posts email.processed",
  }),
  ...under("Deliveries", {
    "state.webhook_survives":
      "a webhook whose deliveries all fail stays active; the failure is logged",
    "event.signature": "X-Service-Signature is sha256= and the hex HMAC of the raw body",
    "event.retries": "three attempts, at once, after 500 ms and after 1000 ms",
    "event.retries_2xx": "every 2xx is a success, everything else is not",
    "event.retries_extended":
      "retry: extended makes ten attempts, pending until the last has failed",
    "webhooks.mailboxes": "mailbox_ids: events of these alone; [] is 400, a foreign id 404",
    "webhooks.standard_headers": "webhook-id, -timestamp, -signature and X-Service-Attempt",
    "webhooks.order": "email.processed follows the first attempt of email.received",
    "webhooks.log": "GET deliveries: rows with their attempts, 30 days, pages",
    "webhooks.replay": "POST replay delivers again under the same id",
    "webhooks.test": "POST test sends a signed event",
  }),
  ...under("Inbound", {
    "inbound.envelope_only": "recipients come from the envelope, never from the message's To",
    "inbound.no_window": "inbound and operator requests count in no rate window",
    "inbound.durable": "what was answered 2xx survives a kill at any moment, once",
  }),
  ...under("Inbound raw", {
    "inbound.accepted": "POST /inbound/raw: 200 with one result a recipient once one is accepted",
    "inbound.token": "Bearer or Basic with the token; else 401",
    "inbound.media_type": "another Content-Type than message/rfc822: 415",
    "inbound.bad_envelope": "no or malformed envelope, over 100 recipients, empty body: 400",
    "inbound.rejected": "all recipients refused: 422 RECIPIENT_REJECTED with details.results",
    "inbound.too_large": "larger than the largest plan: 413 EMAIL_TOO_LARGE, nothing stored",
    "inbound.unavailable": "storage not available: 503 with Retry-After",
  }),
  ...under("Duplicates", {
    "inbound.duplicates":
      "the same ingest id or the same bytes is a duplicate; Message-ID decides nothing",
  }),
  ...under("Providers", {
    "inbound.providers": "Mailgun, SendGrid, Postmark and SES deliver the bytes; unset: 404",
    "inbound.provider_refusal": "each provider gets a refusal in the form that stops its retries",
  }),
  ...under("SMTP", {
    "inbound.smtp": "the SMTP listener stores the bytes of DATA as they came",
    "inbound.smtp_agreed":
      "one SMTP transaction has only recipients that answer alike; the others are 452 at RCPT",
    "inbound.smtp_quoted": "a sender with a quoted local part is taken, and shown with its quotes",
    "inbound.smtp_mixed":
      "a message that a recipient cannot take any more after RCPT is 451, never dropped after 250",
  }),
  ...under("Arrivals", {
    "arrivals.list": "GET /v1/api/arrivals: the ledger's rows, every field, pages, filters",
    "arrivals.every_attempt": "accepted, duplicate and rejected attempts each leave a row",
    "arrivals.bounded":
      "repeated duplicates and refusals get a limited number of rows a day; one row counts the rest",
    "arrivals.thirty_days": "a row is shown for 30 days",
  }),
  ...under("Billing", {
    "subscription.record": "status, plan, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd",
    "subscription.states": "status is active, past_due or canceled as the payments say",
    "usage.record": "emails, searches and storage, used and limit",
    "usage.counts": "usage counts the period's received emails and searches, and the bytes held",
    "billing.subscription": "GET /api/billing/subscription answers the record",
    "billing.usage": "GET /api/billing/usage answers the record",
    "billing.checkout": "POST /api/billing/checkout answers the url where the client pays",
    "billing.portal": "POST /api/billing/portal answers the url of the customer portal",
    "billing.inbound": "POST /api/webhooks/stripe takes the provider's signed events",
    "billing.off": "without settings checkout and portal: 503 naming the setting",
    "billing.signature": "a bad signature: 400, nothing changed",
    "billing.once_any_order": "each event once, in any order: the newest decides",
    "billing.free_record": "a free account: active, free, the calendar month",
    "billing.downgrade": "a downgrade deletes no data",
  }),
  ...under("MCP", {
    "mcp.tools": "eight tools: search_emails ... reply_email, always in the same order",
    "mcp.toolsets": "?toolset=full serves every tool, in the documented order",
    "mcp.url_parameters": "another toolset or parameter of the URL: 400 VALIDATION_ERROR",
    "mcp.tools_by_scope": "a key is shown the tools it may call; another one is FORBIDDEN",
    "mcp.create_mailbox":
      "create_mailbox answers {mailbox}, with a generated name if none is given",
    "mcp.list_changes": "list_changes answers {changes, has_more, next_cursor}",
    "mcp.sign_up": "an agent waits for the mail of a sign-up and takes its code over MCP",
    "mcp.long_urls": "long_urls: short shows a long URL with its number in get_links",
    "mcp.bearer": "the transport takes Authorization: Bearer <API_KEY>",
    "mcp.search_emails": "search_emails answers results with their six fields, and total",
    "mcp.search_filters": "mailbox_id, from, to, subject, date_from, date_to narrow the search",
    "mcp.search_limits": "limit 1-100 (default 10) and offset (default 0)",
    "mcp.search_ranked": "results come best first, score between 0 and 1",
    "mcp.get_email": "get_email answers the email with its nine fields",
    "mcp.get_email_thread": "get_email_thread answers thread_id and thread, chronological",
    "mcp.include_body": "include_body: false leaves the excerpts out",
    "mcp.get_email_raw": "get_email_raw answers r2_key, raw_eml_base64, encoding, content_type",
    "mcp.list_mailboxes": "list_mailboxes answers the records with email_count and last_email_date",
    "mcp.list_emails": "list_emails lists recent mail by mailbox",
    "mcp.send_email": "send_email sends from a mailbox",
    "mcp.reply_email": "reply_email replies in the thread",
    "mcp.errors": "a failed tool answers {error: {code, message}}",
    "mcp.methods": "GET and DELETE /v1/mcp: 405 with Allow",
    "mcp.descriptions": "each tool and each parameter is described; schemas and annotations",
    "mcp.structured": "structuredContent and the same JSON as text",
    "mcp.origin": "a foreign Origin: 403",
    "mcp.unauthorized": "401 with WWW-Authenticate: Bearer",
    "mcp.own_errors": "bad arguments answer VALIDATION_ERROR; garbage is 400 with -32700",
    "mcp.foreign_404": "a foreign id is NOT_FOUND on every tool",
    "mcp.untrusted": "tools that return mail mark its content as untrusted",
    "mcp.eras": "clients of both protocol eras are served",
  }),
  ...under("Budgets", {
    "budget.length": "the JSON of an answer is never longer than max_chars",
    "budget.rows": "a list has fewer rows, at least one, and the cursor to the rest",
    "budget.order":
      "a single email loses HTML, new text, lists, segments and the end of its text, in this order",
    "budget.pieces": "the pieces of a text joined are the whole; no offset inside a character",
    "budget.tools": "tools without max_chars have 60,000 or what their URL says; REST is whole",
  }),
  ...under("Operator", {
    "operator.set_plan": "PUT /operator/accounts/plan answers userId, email, plan; 401, 404 unset",
    "operator.metrics": "metrics have the documented names, types and labels",
  }),
  ...under("Dashboard", {
    "dashboard.root": "GET / is 302 to /app/ for Accept: text/html, else 404",
    "dashboard.copies":
      "every route of /v1/api but health is served under /api with the same body; a key is 401",
    "dashboard.window": "requests by cookie count in a window of their session, 300 a minute",
    "dashboard.account": "GET /api/account: who is signed in, limits, where the service is",
    "dashboard.mailboxes": "GET /api/mailboxes counts the mail of each mailbox",
    "dashboard.usage": "usage counts sends of today, mailboxes and webhooks",
    "dashboard.threads": "GET /api/threads: conversations by their newest message, each once",
    "dashboard.html": "GET /api/emails/{id}/html: sanitised HTML in a document with its own policy",
    "dashboard.draft_parts":
      "GET /api/drafts/{id}/html and /attachments/{sha256}: what an open draft sends, for a person",
    "dashboard.attention": "GET /api/attention: what failed, was refused or runs short in 24 hours",
    "dashboard.activity":
      "GET /api/activity: mail, deliveries and searches by hour and day, counted exactly",
    "dashboard.search":
      "POST /api/search: searches used, and without which filter something is found",
    "dashboard.compression": "JSON above 1 KiB is compressed, but no secret and no event stream",
    "dashboard.pages": "/app/ has a strict policy, immutable files and no request window",
  }),
  ...under("Commands", {
    "command.import": "import brings folders, Maildirs and mboxes in, once",
    "command.doctor":
      "doctor names each mistake of a deployment by its setting, and shows no secret",
    "command.backup":
      "backup copies a store in use, checked; restore puts it back whole, or refuses and changes nothing",
    "command.export": "export writes what import gives back byte for byte",
    "command.export_account": "export --account writes every mailbox, empty ones too",
  }),
  ...under("Settings", {
    "settings.start":
      "start names and refuses each wrong or missing setting, and turns nothing of dev on",
    "settings.table": "docs/settings.md holds the table of settings",
  }),
  ...under("Versioning", {
    "version.release": "the release is 1.0.0",
  }),
} satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;
