import type { Caller } from "../../core/caller.ts";
import { ServiceError } from "../../core/errors.ts";
import { largestPossibleEmailBytes } from "../../core/plans.ts";
import type { Service } from "../../core/service.ts";
import type { Submission } from "./outgoing_message.ts";

/** Throws EMAIL_TOO_LARGE if the plan does not allow a message of this size, or no message can have it. */
export function requireSize(
  { plans }: Pick<Service, "plans">,
  { plan }: Pick<Caller, "plan">,
  size: number,
): void {
  const limit = Math.min(plans[plan].maxEmailBytes ?? Infinity, largestPossibleEmailBytes);
  if (size <= limit) return;
  const reason = "The message is larger than the plan allows.";
  throw new ServiceError("EMAIL_TOO_LARGE", reason, { limit, size });
}

/**
 * Throws EMAIL_TOO_LARGE if the message will surely be larger than the plan allows: before the work that grows with its
 * size.
 */
export function requireContentSize(
  service: Pick<Service, "plans">,
  caller: Pick<Caller, "plan">,
  content: Content,
): void {
  requireSize(service, caller, leastBytes(content));
}

/** The content of a message, without its header. Of the files only the sizes count. */
export interface Content extends Pick<Submission, "text" | "html"> {
  written?: { bytes: { length: number } };
  attachments: readonly { content: { length: number } }[];
}

/** The message has at least this many bytes, known before it is composed: base64 makes 4 characters of 3 bytes. */
export function leastBytes({ text = "", html = "", attachments, written }: Content): number {
  if (written) return written.bytes.length;
  const attached = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return text.length + html.length + Math.floor(attached / 3) * 4;
}
