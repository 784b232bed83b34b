// What the operations take and answer. Types alone: no code of the service reaches the browser.
import type { z } from "zod";
import type { createApiKey, listApiKeys } from "../domain/accounts/api_keys.ts";
import type { listAudit } from "../domain/audit/list_audit.ts";
import type { getSubscription, getUsage } from "../domain/billing/subscription.ts";
import type { listDomains } from "../domain/custom_domains/list_domains.ts";
import type { verifyDomain } from "../domain/custom_domains/verify_domain.ts";
import type { getDraft } from "../domain/mail/drafts/list_drafts.ts";
import type { listArrivals } from "../domain/mail/inbound/list_arrivals.ts";
import type { sendEmail } from "../domain/mail/sending/send_email.ts";
import type { getFullEmail } from "../domain/mail/reading/get_email.ts";
import type { getEmailThread } from "../domain/mail/reading/get_email_thread.ts";
import type { getVerification } from "../domain/mail/reading/get_verification.ts";
import type { listChanges } from "../domain/mail/reading/list_changes.ts";
import type { listEmails } from "../domain/mail/reading/list_emails.ts";
import type { updateEmail } from "../domain/mail/triage/update_email.ts";
import type { updateEmails } from "../domain/mail/triage/update_emails.ts";
import type { listCountedMailboxes } from "../domain/mailboxes/list_mailboxes.ts";
import type { getAttention } from "../domain/overview/get_attention.ts";
import type { getAccount } from "../domain/overview/get_account.ts";
import type { migrateMailboxes } from "../domain/mailboxes/migrate_mailboxes.ts";
import type { getPolicy, setPolicy } from "../domain/mailboxes/policy/set_policy.ts";
import type { searchEmails } from "../domain/search/search_emails.ts";
import type { getDelivery, listDeliveries } from "../domain/webhooks/delivery_log.ts";
import type { createWebhook, listWebhooks } from "../domain/webhooks/manage.ts";

/** The parsed output of an operation. */
export type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;
/** What an operation takes, before it is parsed: fields with a default may be left off. */
export type Input<T extends { input: z.ZodType }> = z.input<T["input"]>;

export type Account = Output<typeof getAccount>;
export type Attention = Output<typeof getAttention>;
export type EmailRecord = Output<typeof listEmails>["emails"][number];
export type FullEmail = Output<typeof getFullEmail>;
export type Thread = Output<typeof getEmailThread>;
export type ThreadItem = Thread["thread"][number];
export type Verification = Output<typeof getVerification>;
export type Arrival = Output<typeof listArrivals>["arrivals"][number];
export type SearchAnswer = Output<typeof searchEmails>;
export type Hit = SearchAnswer["results"][number];
export type ApiKey = Output<typeof listApiKeys>["keys"][number];
export type CreatedKey = Output<typeof createApiKey>;
export type Webhook = Output<typeof listWebhooks>[number];
export type CreatedWebhook = Output<typeof createWebhook>;
export type Delivery = Output<typeof listDeliveries>["deliveries"][number];
export type FullDelivery = Output<typeof getDelivery>;
export type DomainList = Output<typeof listDomains>;
export type Domain = DomainList["domains"][number];
export type VerifiedDomain = Output<typeof verifyDomain>;
export type Policy = Output<typeof getPolicy>;
export type PolicyInput = Omit<Input<typeof setPolicy>, "mailbox_id">;
export type Migration = Output<typeof migrateMailboxes>;
export type Usage = Output<typeof getUsage>;
export type Mailbox = Output<typeof listCountedMailboxes>["mailboxes"][number];
export type Subscription = Output<typeof getSubscription>;
export type Change = Output<typeof listChanges>["changes"][number];
export type AuditRow = Output<typeof listAudit>["rows"][number];
export type Sent = Exclude<Output<typeof sendEmail>, { dry_run: true }>;
export type BatchResult = Output<typeof updateEmails>["results"][number];

export type SendInput = Input<typeof sendEmail>;
export type UpdateInput = Omit<Input<typeof updateEmail>, "email_id">;
export type KeyInput = Input<typeof createApiKey>;
export type WebhookInput = Input<typeof createWebhook>;
export type SearchInput = Input<typeof searchEmails>;
export type Draft = Output<typeof getDraft>;
