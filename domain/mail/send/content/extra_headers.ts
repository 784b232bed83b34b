import { z } from "zod";
import { hasLineBreakOrControl } from "../../../../mime/headers/address_list.ts";

/** Header fields of a message beyond those that the service writes: names and values, in order. */
export type ExtraHeaders = Readonly<Record<string, string>>;

const maxFields = 20;
/** A line has 998 characters (RFC 5322, section 2.1.1), and a value without blanks cannot be folded. */
const maxValueChars = 900;
/** All together stay in the row of a draft that has ended. */
const maxChars = 8_000;

/** Further fields that may be set, in lower case. */
const listed: readonly string[] = [
  ...["list-unsubscribe", "list-unsubscribe-post", "list-id"],
  ...["precedence", "importance", "feedback-id"],
];

/**
 * The beginnings of fields by which relays are told what to do: tracking, templates, other recipients, another sender.
 * docs/security.md lists them.
 */
export const controlPrefixes: readonly string[] = [
  ...["x-smtpapi", "x-sg-", "x-mailgun-", "x-mc-", "x-mandrill-", "x-ses-", "x-amz-"],
  ...["x-pm-", "x-postmark-", "x-resend-", "x-msys-", "x-sparkpost-", "x-mj-", "x-mailjet-"],
  ...["x-sib-", "x-mailin-", "x-brevo-", "x-elasticemail", "x-mailersend-", "x-mt-", "x-mailtrap-"],
  ...["x-smtp2go-", "x-socketlabs-", "x-mailchannels-", "x-zepto", "x-pepipost", "x-netcore-"],
  ...["x-envelope-", "x-original-to", "x-delivered-to", "x-forwarded-to", "x-rcpt-", "x-bcc"],
];

/** RFC 5322, section 2.2: visible ASCII without a colon; of it what all programs take. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,76}$/;

/** Whether a field tells a relay what to do. */
export function isControlHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return controlPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** `headers` of send, reply, forward and drafts. */
export function headersField() {
  return z.record(z.string(), z.string()).superRefine((headers, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name.slice(0, 80)], message });
    const entries = Object.entries(headers);
    if (entries.length > maxFields) {
      context.addIssue({ code: "custom", message: `must have at most ${maxFields} fields` });
      return;
    }
    const seen = new Set<string>();
    for (const [name, value] of entries) {
      const problem = problemOf(name, value, seen);
      if (problem) refuse(name, problem);
    }
    const chars = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    if (chars > maxChars) {
      context.addIssue({ code: "custom", message: `must have at most ${maxChars} characters` });
    }
  });
}

/** Why the field is refused; null if it is not. Adds its name to `seen`. */
function problemOf(name: string, value: string, seen: Set<string>): string | null {
  const lower = name.toLowerCase();
  const isListed = listed.includes(lower);
  if (!plainName.test(name) || !isListed && !lower.startsWith("x-")) {
    return `is not a field that can be set: X-* and ${listed.join(", ")} can`;
  }
  if (isControlHeader(name)) return "would tell a relay what to do";
  if (seen.has(lower)) return "is given twice";
  seen.add(lower);
  if (value.length > maxValueChars) return `must have at most ${maxValueChars} characters`;
  if (hasLineBreakOrControl(value)) return "must not hold line breaks or control characters";
  // Only in unstructured fields there are encoded words (RFC 2047, section 5).
  return isListed && !/^[\x20-\x7e]*$/.test(value) ? "must be ASCII" : null;
}
