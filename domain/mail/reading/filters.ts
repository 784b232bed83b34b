import { domainToUnicode } from "node:url";
import { z } from "zod";
import { maxSubjectChars } from "../../../mime/headers/limits.ts";
import { authVerdicts } from "../../core/auth_verdicts.ts";
import type { AuthVerdict } from "../../ports/sender_checks.ts";
import type { EmailRow } from "../record/email_row.ts";
import type { Address } from "../record/email.ts";

/** Two date forms, everywhere: `YYYY-MM-DD` and ISO 8601. An upper bound without a time means the end of that day. */
const bareDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

export const dateBound = z.string().refine(
  (text) =>
    (bareDate.test(text) || isoDate.test(text)) && !Number.isNaN(Date.parse(text)) && sameDay(text),
  "must be a date: YYYY-MM-DD or ISO 8601 with a time zone",
);

/** Date.parse rolls 30 February over into March. */
function sameDay(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;
}

export function lowerBoundMs(text: string): number {
  return Date.parse(text);
}

export function upperBoundMs(text: string): number {
  return bareDate.test(text) ? Date.parse(text) + 86_400_000 - 1 : Date.parse(text);
}

/** A label of an email; upper case is folded, but only after the check: `toLowerCase` makes the Kelvin sign a `k`. */
export const labelField = z.string().max(1_000).regex(
  /^[A-Za-z0-9:_-]{1,64}$/,
  "must be a label: 1 to 64 letters, digits, `:`, `_` and `-`",
).toLowerCase();

export const filterFields = {
  from: z.string().max(320).normalize().optional().describe(
    "Only mail whose sender's address or name contains this, any case",
  ),
  to: z.string().max(320).normalize().optional().describe(
    "Only mail with a recipient (to or cc) whose address or name contains this, any case",
  ),
  subject: z.string().max(maxSubjectChars).normalize().optional().describe(
    "Only mail whose subject contains this, any case",
  ),
  date_from: dateBound.optional().describe(
    "Only mail dated at or after this: YYYY-MM-DD or ISO 8601, UTC",
  ),
  date_to: dateBound.optional().describe(
    "Only mail dated at or before this: YYYY-MM-DD (the whole day) or ISO 8601, UTC",
  ),
  label: labelField.optional().describe("Only mail with this label"),
  is_read: z.boolean().optional().describe(
    "Only mail that is marked read (true) or unread (false)",
  ),
  auth_verdict: z.enum(authVerdicts).optional().describe(
    "Only received mail with this verdict on its sender",
  ),
};

export const directionField = z.enum(["inbound", "outbound"]).optional().describe(
  "Received or sent",
);

export interface Filters {
  from?: string;
  to?: string;
  subject?: string;
  date_from?: string;
  date_to?: string;
  label?: string;
  is_read?: boolean;
  direction?: "inbound" | "outbound";
  auth_verdict?: AuthVerdict;
}

/** Whether a row passes all filters that are given. */
export function passes(
  row: Pick<
    EmailRow,
    "from" | "to" | "cc" | "subject" | "date" | "labels" | "isRead" | "direction" | "auth"
  >,
  filters: Filters,
): boolean {
  const to = filters.to && compared(filters.to);
  return (!filters.from || names(row.from, compared(filters.from))) &&
    (!to || [...row.to, ...row.cc].some((each) => names(each, to))) &&
    (!filters.subject || contains(row.subject, compared(filters.subject))) &&
    (!filters.date_from || row.date >= lowerBoundMs(filters.date_from)) &&
    (!filters.date_to || row.date <= upperBoundMs(filters.date_to)) &&
    (filters.label === undefined || row.labels.includes(filters.label)) &&
    (filters.is_read === undefined || row.isRead === filters.is_read) &&
    (filters.direction === undefined || row.direction === filters.direction) &&
    (filters.auth_verdict === undefined || row.auth?.verdict === filters.auth_verdict);
}

/**
 * Whether a part, as `compared` gives it, is in the address, in the name, or in `Name <address>`. A domain is written in
 * Unicode or in ASCII (IDNA): either finds the other.
 */
function names({ name, address }: Address, part: string): boolean {
  if (contains(`${name} <${address}>`, part)) return true;
  const shown = inUnicode(address), sought = inUnicode(part);
  return (shown !== address || sought !== part) && contains(`${name} <${shown}>`, sought);
}

/** The text with its A-labels as U-labels (RFC 5890); one that cannot be read stays. */
function inUnicode(text: string): string {
  return text.replace(/\bxn--[a-z0-9-]{1,59}/gi, (label) => domainToUnicode(label) || label);
}

/** Whether a part, as `compared` gives it, is in a text of a mail. */
export function contains(text: string, part: string): boolean {
  return compared(text).includes(part);
}

/** A text without its case, composed: macOS writes `é` as two characters in names of files, which become subjects. */
export function compared(text: string): string {
  return text.normalize().toLowerCase();
}
