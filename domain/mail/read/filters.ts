import { z } from "zod";
import { maxSubjectChars } from "../../../mime/headers/limits.ts";
import { authVerdicts } from "../../core/auth_verdicts.ts";
import type { AuthVerdict } from "../../ports/sender_checks.ts";
import type { Address, EmailRow } from "../record/email_row.ts";
import { checkedFilter, compared, contains, personFilter, wholeAddress } from "./person_filters.ts";

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
    "Only mail whose sender's address or name contains this, any case; a text with @: the address alone",
  ),
  to: z.string().max(320).normalize().optional().describe(
    "Only mail with a recipient (to, cc or envelope_to) whose address or name contains this, any case; a text with @: the address alone",
  ),
  envelope_to: z.string().min(1).max(320).optional().describe(
    "Only mail that was delivered to this address, tags included: a whole address, any case",
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
  envelope_to?: string;
  subject?: string;
  date_from?: string;
  date_to?: string;
  label?: string;
  is_read?: boolean;
  direction?: "inbound" | "outbound";
  auth_verdict?: AuthVerdict;
}

type FilteredRow = Pick<
  EmailRow,
  | "from"
  | "to"
  | "cc"
  | "envelopeTo"
  | "subject"
  | "date"
  | "labels"
  | "isRead"
  | "direction"
  | "auth"
>;

/** Whether a row passes all filters that are given. */
export function passes(row: FilteredRow, filters: Filters): boolean {
  const { from, to, envelopeTo, subject, dateFrom, dateTo } = preparedOf(filters);
  return (filters.label === undefined || row.labels.includes(filters.label)) &&
    (filters.is_read === undefined || row.isRead === filters.is_read) &&
    (filters.direction === undefined || row.direction === filters.direction) &&
    (filters.auth_verdict === undefined || row.auth?.verdict === filters.auth_verdict) &&
    row.date >= dateFrom && row.date <= dateTo &&
    (!from || from(row)) &&
    (!to || [row.to, row.cc].some((people) => people.some(to)) ||
      row.envelopeTo?.some((address) => to({ name: "", address })) === true) &&
    (envelopeTo === null ||
      row.envelopeTo?.some((each) => wholeAddress(each) === envelopeTo) === true) &&
    (!subject || contains(row.subject, subject));
}

interface Prepared {
  from: ((row: FilteredRow) => boolean) | null;
  to: ((person: Address) => boolean) | null;
  envelopeTo: string | null;
  subject: string;
  dateFrom: number;
  dateTo: number;
}

/** What is the same for every row of a request. */
const prepared = new WeakMap<Filters, Prepared>();

function preparedOf(filters: Filters): Prepared {
  let known = prepared.get(filters);
  if (!known) {
    known = prepare(filters);
    prepared.set(filters, known);
  }
  return known;
}

function prepare(
  { from, to, envelope_to, subject, date_from, date_to, auth_verdict }: Filters,
): Prepared {
  const author = from ? personFilter(from) : null;
  // What nobody checked, or what failed, is only what was written.
  const counts = auth_verdict === "pass" || auth_verdict === "none";
  const checked = from && counts ? checkedFilter(compared(from)) : null;
  return {
    from: checked ? (row) => checked(row) : author && ((row) => author(row.from)),
    to: to ? personFilter(to) : null,
    envelopeTo: envelope_to === undefined ? null : wholeAddress(envelope_to),
    subject: subject ? compared(subject) : "",
    dateFrom: date_from ? lowerBoundMs(date_from) : -Infinity,
    dateTo: date_to ? upperBoundMs(date_to) : Infinity,
  };
}
