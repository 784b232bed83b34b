/** The marks of mail that a program wrote, and the number of hosts that a message passed. */
export interface AutomaticMarks {
  /** The envelope's reverse path is empty: a bounce or another notice (RFC 5321 4.5.5). */
  nullReversePath: boolean;
  /** `multipart/report` (RFC 6522): a delivery status, a disposition notification, a complaint or another report. */
  isReport: boolean;
  /** The keyword of `Auto-Submitted` in lower case, or of a field that means the same; null for `no` or none. */
  autoSubmitted: string | null;
  /** Sent to many: `List-Id`, or `Precedence` of a list, bulk or junk mail. */
  isBulk: boolean;
  /** Number of `Received` fields. */
  hops: number;
}

/** Mail that passed more hosts is in a loop. The number is Postfix's hopcount_limit. */
export const maxHops = 50;

/** Header fields by name. */
export interface HeaderValues {
  /** The first field of a name, unfolded; undefined if there is none. */
  first(name: string): string | undefined;
  /** The number of fields of a name. */
  count(name: string): number;
}

/** The fields that `automaticMarks` reads. */
export const automaticFields: readonly string[] = [
  ...["return-path", "content-type", "received", "auto-submitted", "x-autoreply"],
  ...["x-autorespond", "x-auto-response-suppress", "precedence", "list-id"],
];

/**
 * The marks of automatic mail in header fields: RFC 3834 section 5 and the older fields that it lists
 * (`Precedence`, `X-Autoreply`, `X-Autorespond`), `List-Id` (RFC 2919), and `X-Auto-Response-Suppress`
 * ([MS-OXCMAIL]), with which notifications ask for no answer of a program.
 *
 * @param reversePath the envelope's; null if unknown, then `Return-Path` counts.
 */
export function automaticMarks(header: HeaderValues, reversePath: string | null): AutomaticMarks {
  const returnPath = reversePath ?? header.first("return-path")?.replace(/[<>\s]/g, "") ?? null;
  const contentType = (header.first("content-type") ?? "").toLowerCase();
  const precedence = header.first("precedence")?.trim().toLowerCase() ?? "";
  const isList = header.count("list-id") > 0;
  return {
    nullReversePath: returnPath === "",
    isReport: /^\s*multipart\/report\b/i.test(contentType),
    autoSubmitted: autoSubmitted(header, precedence, isList),
    isBulk: isList || /^(?:bulk|junk|list)$/.test(precedence),
    hops: header.count("received"),
  };
}

/**
 * Whether a program wrote the message or sent it to many. Such an email has `automated: true`, and its thread gets one
 * automatic answer an hour.
 */
export function isAutomatic(marks: AutomaticMarks): boolean {
  return marks.nullReversePath || marks.isReport || marks.autoSubmitted !== null ||
    marks.isBulk;
}

/** `DR`, `NDR`, `RN` and `NRN` only ask for no receipts. */
const suppressesAnswers = /\b(?:all|oof|autoreply)\b/i;

function autoSubmitted(
  header: HeaderValues,
  precedence: string,
  isList: boolean,
): string | null {
  const keyword = header.first("auto-submitted")?.split(/[;(\s]/)[0].toLowerCase();
  if (keyword) return keyword === "no" ? null : keyword;
  if (header.count("x-autoreply") > 0 || header.count("x-autorespond") > 0) return "auto-replied";
  const suppressed = header.first("x-auto-response-suppress");
  if (suppressed !== undefined && suppressesAnswers.test(suppressed)) return "auto-generated";
  if (precedence === "auto_reply") return "auto-replied";
  return precedence === "bulk" && !isList || precedence === "junk" ? "auto-generated" : null;
}
