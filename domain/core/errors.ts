/**
 * Every error code with its default message; docs/specification.md "Errors". The status of each is in
 * routes/http/failures.ts.
 */
export const errorMessages = {
  BAD_REQUEST: "The request is malformed.",
  MISSING_FIELDS: "A required field is missing.",
  VALIDATION_ERROR: "A parameter is not valid.",
  VERIFICATION_FAILED: "The domain's DNS records do not match yet.",
  UNAUTHORIZED: "Credentials are missing or not valid.",
  FORBIDDEN: "This is not permitted.",
  EMAIL_NOT_VERIFIED: "The account's email address is not confirmed yet.",
  MAILBOX_QUOTA: "The plan's number of mailboxes is used up.",
  NOT_FOUND: "There is no such resource.",
  METHOD_NOT_ALLOWED: "The resource does not answer this method.",
  CONFLICT: "The resource exists already.",
  EMAIL_TAKEN: "The address is taken.",
  DOMAIN_HAS_MAILBOXES: "Active mailboxes still use the domain.",
  CLAIM_LOST: "The claim has ended or its lease is over.",
  CURSOR_EXPIRED: "The changes after this cursor are no longer kept.",
  REQUEST_TIMEOUT: "The request body came too slowly.",
  PAYLOAD_TOO_LARGE: "The request body is too large.",
  EMAIL_TOO_LARGE: "The message is larger than any plan accepts.",
  UNSUPPORTED_MEDIA_TYPE: "The content type is not supported here.",
  LOCAL_TOO_SHORT: "The local part is too short.",
  INVALID_LOCAL: "The local part has characters or a shape that are not allowed.",
  DISALLOWED_LOCAL: "The local part is reserved.",
  DOMAIN_MISMATCH: "The host of the address is not the domain given.",
  DOMAIN_NOT_ALLOWED: "The domain may not be used by this account.",
  NO_TEXT: "The attachment has no text that can be read.",
  RECIPIENT_BLOCKED: "The policy of the mailbox blocks a recipient.",
  RECIPIENT_REJECTED: "Every recipient was refused permanently.",
  RECIPIENT_SUPPRESSED: "Mail to a recipient bounced permanently.",
  RATE_LIMIT_EXCEEDED: "Too many requests.",
  INTERNAL_ERROR: "The service failed to handle the request.",
  SERVICE_UNAVAILABLE: "The service is temporarily unavailable.",
} as const;

export type ErrorCode = keyof typeof errorMessages;
export type ErrorDetails = Record<string, unknown>;

/** The exception that domain code throws for the caller to see. Any other exception becomes an INTERNAL_ERROR. */
export class ServiceError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = errorMessages[code],
    readonly details: ErrorDetails = {},
    /** Seconds after which a retry is useful; becomes `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "ServiceError";
  }
}

/** VALIDATION_ERROR that names a field and what is wrong with it. */
export function invalidField(field: string, reason: string): ServiceError {
  return new ServiceError("VALIDATION_ERROR", `${field}: ${reason}`, { [field]: reason });
}

/** For an unknown, deleted or foreign resource: always the same error, so that it does not reveal which it is. */
export function notFound(what: string, id = ""): ServiceError {
  const message = `There is no such ${what}.`;
  const taken = id.includes("@") ? takenForId[what] : undefined;
  if (!taken) return new ServiceError("NOT_FOUND", message);
  const advice = `Give its ${what}_id as lists have it, not ${taken}.`;
  return new ServiceError("NOT_FOUND", `${message} ${advice}`);
}

/** What callers give instead of an id. */
const takenForId: Record<string, string> = { email: "a Message-ID" };

/** RATE_LIMIT_EXCEEDED of a window; `retryAfterSeconds` in whole seconds. */
export function rateLimited(
  limit: number,
  window: string,
  retryAfterSeconds: number,
  message?: string,
): ServiceError {
  const details = { limit, window, retry_after: retryAfterSeconds };
  return new ServiceError("RATE_LIMIT_EXCEEDED", message, details, retryAfterSeconds);
}

/** For a temporary fault of the storage or a provider: 503 with `Retry-After`. */
export function unavailable(message: string, retryAfterSeconds = 1): ServiceError {
  return new ServiceError("SERVICE_UNAVAILABLE", message, {}, retryAfterSeconds);
}

/** Whether the error means that a part, such as the database, does not answer now. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "SERVICE_UNAVAILABLE";
}
