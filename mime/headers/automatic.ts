/** The marks of mail that a program wrote, and the number of hosts that a message passed. */
export interface AutomaticMarks {
  /** The envelope's reverse path is empty: a bounce or another notice (RFC 5321 4.5.5). */
  nullReversePath: boolean;
  /** `multipart/report` with a delivery status or a disposition notification. */
  deliveryReport: boolean;
  /** The keyword of `Auto-Submitted` in lower case, or of a field that means the same; null for `no` or none. */
  autoSubmitted: string | null;
  /** Sent to many: `List-Id`, or `Precedence` of a list, bulk or junk mail. */
  isBulk: boolean;
  /** Number of `Received` fields. */
  hops: number;
}

/** Mail that passed more hosts is in a loop. The number is Postfix's hopcount_limit. */
export const maxHops = 50;

/** The value of every header field of one name, in order, unfolded. */
export type HeaderValues = (name: string) => readonly string[];

/** The fields that `automaticMarks` reads. */
export const automaticFields: ReadonlySet<string> = new Set([
  "return-path",
  "content-type",
  "received",
  "auto-submitted",
  "x-autoreply",
  "x-autorespond",
  "x-auto-response-suppress",
  "precedence",
  "list-id",
]);

/**
 * The marks of automatic mail in header fields: RFC 3834 section 5 and the older fields that it lists
 * (`Precedence`, `X-Autoreply`, `X-Autorespond`), `List-Id` (RFC 2919), and `X-Auto-Response-Suppress`
 * ([MS-OXCMAIL]), with which notifications ask for no answer of a program.
 *
 * @param reversePath the envelope's; null if unknown, then `Return-Path` counts.
 */
export function automaticMarks(header: HeaderValues, reversePath: string | null): AutomaticMarks {
  const returnPath = reversePath ?? header("return-path")[0]?.replace(/[<>\s]/g, "") ?? null;
  const contentType = (header("content-type")[0] ?? "").toLowerCase();
  return {
    nullReversePath: returnPath === "",
    deliveryReport: contentType.startsWith("multipart/report") &&
      /report-type\s*=\s*"?(?:delivery-status|disposition-notification)/.test(contentType),
    autoSubmitted: autoSubmitted(header),
    isBulk: header("list-id").length > 0 || /^(?:bulk|junk|list)$/.test(precedenceOf(header)),
    hops: header("received").length,
  };
}

/**
 * Whether a program wrote the message or sent it to many. Such an email has `automated: true`, and its thread gets one
 * automatic answer an hour.
 */
export function isAutomatic(marks: AutomaticMarks): boolean {
  return marks.nullReversePath || marks.deliveryReport || marks.autoSubmitted !== null ||
    marks.isBulk;
}

/** `DR`, `NDR`, `RN` and `NRN` only ask for no receipts. */
const suppressesAnswers = /\b(?:all|oof|autoreply)\b/i;

function autoSubmitted(header: HeaderValues): string | null {
  const keyword = header("auto-submitted")[0]?.split(/[;(\s]/)[0].toLowerCase();
  if (keyword) return keyword === "no" ? null : keyword;
  if (header("x-autoreply").length > 0 || header("x-autorespond").length > 0) return "auto-replied";
  if (suppressesAnswers.test(header("x-auto-response-suppress")[0] ?? "")) return "auto-generated";
  const precedence = precedenceOf(header);
  if (precedence === "auto_reply") return "auto-replied";
  return precedence === "bulk" && header("list-id").length === 0 || precedence === "junk"
    ? "auto-generated"
    : null;
}

function precedenceOf(header: HeaderValues): string {
  return header("precedence")[0]?.trim().toLowerCase() ?? "";
}
