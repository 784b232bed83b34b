/** What says that no person wrote a message, or that it has been going around. */
export interface AutomaticMarks {
  /** The envelope's reverse path was empty: a bounce or another notice (RFC 5321 4.5.5). */
  nullReversePath: boolean;
  /** `multipart/report` with a delivery status or a disposition notification. */
  deliveryReport: boolean;
  /** The keyword of `Auto-Submitted` in lower case where it is not `no`, or what stands for it. */
  autoSubmitted: string | null;
  /** Number of `Received` fields. */
  hops: number;
}

/** As Postfix's hopcount_limit: mail that went through more hosts is in a loop. */
export const maxHops = 50;

/** The value of every header field of one name, in order, unfolded. */
export type HeaderValues = (name: string) => readonly string[];

/** The fields that `automaticMarks` asks for. */
export const automaticFields: ReadonlySet<string> = new Set([
  "return-path",
  "content-type",
  "received",
  "auto-submitted",
  "x-autoreply",
  "x-autorespond",
  "precedence",
  "list-id",
]);

/**
 * Reads the marks of automatic mail from a message's header fields: RFC 3834 5 and the older
 * habits that it lists (`Precedence`, `X-Autoreply`, `X-Autorespond`). Mailing lists are not
 * automatic: people write there.
 *
 * @param reversePath the envelope's, or null where it is not known; then `Return-Path` is asked.
 */
export function automaticMarks(header: HeaderValues, reversePath: string | null): AutomaticMarks {
  const returnPath = reversePath ?? header("return-path")[0]?.replace(/[<>\s]/g, "") ?? null;
  const contentType = (header("content-type")[0] ?? "").toLowerCase();
  return {
    nullReversePath: returnPath === "",
    deliveryReport: contentType.startsWith("multipart/report") &&
      /report-type\s*=\s*"?(?:delivery-status|disposition-notification)/.test(contentType),
    autoSubmitted: autoSubmitted(header),
    hops: header("received").length,
  };
}

/** Whether a program wrote the message. */
export function isAutomatic(marks: AutomaticMarks): boolean {
  return marks.nullReversePath || marks.deliveryReport || marks.autoSubmitted !== null;
}

function autoSubmitted(header: HeaderValues): string | null {
  const keyword = header("auto-submitted")[0]?.split(/[;(\s]/)[0].toLowerCase();
  if (keyword) return keyword === "no" ? null : keyword;
  if (header("x-autoreply").length > 0 || header("x-autorespond").length > 0) return "auto-replied";
  const precedence = header("precedence")[0]?.trim().toLowerCase();
  if (precedence === "auto_reply") return "auto-replied";
  return precedence === "bulk" && header("list-id").length === 0 || precedence === "junk"
    ? "auto-generated"
    : null;
}
