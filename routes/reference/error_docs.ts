import { z } from "zod";
import type { ErrorCode } from "../../domain/core/errors.ts";

interface ErrorDoc {
  /** When the service answers with this code. */
  when: string;
  /** Fields that `details` may hold; absent: none are promised. */
  details?: z.ZodType;
  example?: Record<string, unknown>;
}

const quota = z.looseObject({
  count: z.int(),
  used: z.int(),
  limit: z.int(),
  plan: z.string(),
}).partial();
const address = z.looseObject({ local_part: z.string() }).partial();

/** The reference's text for each code. A new code without one does not compile. */
export const errorDocs: Record<ErrorCode, ErrorDoc> = {
  BAD_REQUEST: {
    when:
      "The body is not valid JSON, is missing, has another content type, or a value is malformed.",
  },
  MISSING_FIELDS: { when: "domain is missing, or both local_part and email_address are." },
  VALIDATION_ERROR: {
    when:
      "A parameter is not valid. On /v1/* details maps field to message; on /api/* details.field_errors does.",
    details: z.record(z.string(), z.unknown()),
    example: { limit: "Too big: expected number to be <=100" },
  },
  VERIFICATION_FAILED: {
    when: "The domain's TXT record is not found or does not match, or its MX record does not.",
    details: z.looseObject({ expected_txt_record: z.string(), instructions: z.string() }).partial(),
    example: {
      expected_txt_record: "letterbox-verify=4f7c",
      instructions: "Publish the TXT record at the domain and try again.",
    },
  },
  UNAUTHORIZED: { when: "The credential is missing, wrong, expired or revoked." },
  FORBIDDEN: {
    when:
      "The key lacks a scope (details.required_scope), a quota of the plan is used up, the registration is closed or needs an invitation, or a change by cookie comes from another origin.",
    details: quota.extend({ required_scope: z.string().optional() }),
    example: { required_scope: "emails:read" },
  },
  EMAIL_NOT_VERIFIED: {
    when:
      "The account's own email address is not confirmed, and a recipient is not one of its mailboxes.",
  },
  MAILBOX_QUOTA: {
    when: "The plan's number of mailboxes is used up.",
    details: quota,
    example: { count: 5, limit: 5, plan: "free" },
  },
  NOT_FOUND: { when: "It does not exist, or does not belong to the caller." },
  METHOD_NOT_ALLOWED: { when: "The path has other methods; the header Allow lists them." },
  REQUEST_TIMEOUT: {
    when: "The body stopped for 60 s, or came at less than 1 KiB a second for 60 s.",
  },
  CONFLICT: { when: "It exists already, or the idempotency key was used with another body." },
  EMAIL_TAKEN: {
    when: "The email address exists already.",
    details: z.looseObject({ email_address: z.string() }).partial(),
    example: { email_address: "support.desk@agents.example" },
  },
  CLAIM_LOST: {
    when:
      "The claim was acked or released, or its lease is over: another worker may have the email. Claim again.",
  },
  CURSOR_EXPIRED: {
    when:
      "Changes after the cursor are older than 30 days and gone. Read the mail once, and begin again with `after=now`.",
  },
  DOMAIN_HAS_MAILBOXES: {
    when: "Active mailboxes still use the domain.",
    details: z.looseObject({ mailbox_count: z.int(), domain_name: z.string() }).partial(),
    example: { mailbox_count: 2, domain_name: "example.com" },
  },
  PAYLOAD_TOO_LARGE: {
    when: "The request body is larger than this route accepts.",
    details: z.looseObject({ limit: z.int() }).partial(),
    example: { limit: 1_048_576 },
  },
  EMAIL_TOO_LARGE: { when: "The message is larger than any plan accepts." },
  UNSUPPORTED_MEDIA_TYPE: { when: "The route requires another content type." },
  LOCAL_TOO_SHORT: {
    when: "The local part has fewer than 5 characters.",
    details: z.looseObject({ min_length: z.int(), actual_length: z.int() }).partial(),
    example: { min_length: 5, actual_length: 3 },
  },
  INVALID_LOCAL: {
    when: "The local part has characters or a shape that are not allowed.",
    details: address,
    example: { local_part: "-agent" },
  },
  DISALLOWED_LOCAL: {
    when: "The local part is reserved.",
    details: address,
    example: { local_part: "postmaster" },
  },
  DOMAIN_MISMATCH: {
    when: "The host in email_address is not domain.",
    details: z.looseObject({ domain_expected: z.string(), domain_in_request: z.string() })
      .partial(),
    example: { domain_expected: "agents.example", domain_in_request: "example.com" },
  },
  DOMAIN_NOT_ALLOWED: {
    when: "The domain is neither shared nor a verified domain of the account.",
    details: z.looseObject({ domain: z.string(), plan: z.string() }).partial(),
    example: { domain: "example.com", plan: "free" },
  },
  NO_TEXT: {
    when:
      "The attachment has no text that can be read: it is a picture or a scan, encrypted, broken, or too large to be read in 10 s; or it is no image that can be shown.",
    details: z.looseObject({ download_url: z.string() }).partial(),
    example: { download_url: "https://mail.agents.example/v1/api/downloads/5f0c..." },
  },
  RECIPIENT_BLOCKED: {
    when: "The policy of the mailbox blocks a recipient.",
    details: z.looseObject({ recipients: z.array(z.string()) }).partial(),
    example: { recipients: ["stranger@example.net"] },
  },
  RECIPIENT_REJECTED: {
    when: "Every recipient was refused permanently; details.results has the reason for each.",
    details: z.looseObject({ results: z.array(z.looseObject({ recipient: z.string() })) })
      .partial(),
    example: {
      results: [{
        recipient: "nobody@agents.example",
        disposition: "rejected",
        code: "UNKNOWN_RECIPIENT",
      }],
    },
  },
  RECIPIENT_SUPPRESSED: {
    when:
      "Earlier mail of the account to these recipients came back; DELETE /v1/api/suppressions/{address} allows it again.",
    details: z.looseObject({ recipients: z.array(z.string()) }),
    example: { recipients: ["gone@example.net"] },
  },
  RATE_LIMIT_EXCEEDED: {
    when: "A request window is full; wait Retry-After seconds.",
    details: z.looseObject({ limit: z.int(), window: z.string(), retry_after: z.int() }).partial(),
    example: { limit: 20, window: "minute", retry_after: 12 },
  },
  INTERNAL_ERROR: { when: "An unexpected failure of the service." },
  SERVICE_UNAVAILABLE: {
    when: "The database or a provider does not answer; try again after Retry-After seconds.",
  },
};
