import { fieldText, firstField } from "../headers/header_fields.ts";
import { wholeHeader } from "../headers/header_range.ts";
import { FieldNames } from "../headers/field_names.ts";
import { contentNames, type MimeLimits, type MimePart, mimeParts } from "./mime_parts.ts";
import { plainBounce } from "./plain_bounce.ts";
import { decodeTransfer } from "./transfer_encoding.ts";

/** What a delivery report has of one recipient. */
export interface BouncedRecipient {
  /** The original recipient and the final one, as far as the report names them; at least one. */
  addresses: string[];
  /** `permanent`: given up; `delayed`: the reporting host still tries. */
  outcome: "permanent" | "delayed";
  /** RFC 3463 code such as `5.1.1`, or null. */
  status: string | null;
  /** The answer of the last host, at most 500 characters, or null. */
  diagnostic: string | null;
}

/** Whether a `Content-Type` is that of a delivery report. */
export function isDeliveryReport(contentType: string): boolean {
  return isReport(contentType) && /report-type\s*=\s*"?delivery-status/i.test(contentType);
}

function isReport(contentType: string): boolean {
  return /^\s*multipart\/report\b/i.test(contentType);
}

/**
 * The recipients that a delivery status notification (RFC 3464) reports as failed or delayed, wherever in the message it
 * stands and whatever the message is called, but not in a report that says to be another; or a notice in the plain text
 * of a mail host. None for any other message.
 *
 * Anybody can write such a message: the caller must know by other means which recipient it can be about.
 */
export function bouncedRecipients(raw: Uint8Array): BouncedRecipient[] {
  const { bytes, header } = wholeHeader(raw, reportFields);
  const field = (name: string) => {
    const found = firstField(header.fields, name);
    return found && fieldText(found);
  };
  const type = field("content-type") ?? "";
  if (isReport(type) && /report-type/i.test(type) && !isDeliveryReport(type)) return [];
  const { parts } = mimeParts(bytes, header.bodyStart, bytes.length, header.fields, reportLimits);
  const textOf = (part: MimePart, maxBytes?: number) =>
    new TextDecoder().decode(
      decodeTransfer(bytes.subarray(part.start, part.end), part.encoding, maxBytes),
    );
  const isStatus = (part: MimePart) =>
    statusTypes.includes(part.contentType) ||
    part.contentType === "text/plain" &&
      /^\s{0,9}Reporting-MTA[ \t]{0,9}:/i.test(textOf(part, 100));
  const statuses = parts.filter(isStatus);
  if (statuses.length > 0) {
    return statuses.flatMap((part) => fieldGroups(textOf(part))).flatMap(bouncedRecipient);
  }
  const text = parts.find(({ contentType }) => contentType === "text/plain");
  return plainBounce(text ? textOf(text, maxTextBytes) : "", field("x-failed-recipients"));
}

const reportFields = new FieldNames([...contentNames, "x-failed-recipients"]);

/** Of a text that may be a notice. */
const maxTextBytes = 64 * 1024;

/** A report has three parts; a host may have put it into another multipart. */
const reportLimits: MimeLimits = { maxDepth: 10, maxParts: 50 };

const statusTypes = ["message/delivery-status", "message/global-delivery-status"];
type Fields = Map<string, string>;

/** Groups of header-like fields, separated by empty lines; the first field of each name counts. */
function fieldGroups(text: string): Fields[] {
  return text.trimStart().split(/\r?\n[ \t]*\r?\n/).map((group) => {
    const fields: Fields = new Map();
    for (const line of group.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
      const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? [];
      if (name && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
    }
    return fields;
  });
}

function bouncedRecipient(fields: Fields): BouncedRecipient[] {
  const addresses = ["original-recipient", "final-recipient"].flatMap((name) =>
    plainAddress(fields.get(name)) ?? []
  );
  const status = statusCode.exec(fields.get("status") ?? "")?.[0] ?? null;
  const outcome = outcomeOf(fields.get("action"), status);
  if (!outcome || addresses.length === 0) return [];
  const diagnostic = typedValue(fields.get("diagnostic-code"))?.slice(0, 500) ?? null;
  return [{ addresses, outcome, status, diagnostic }];
}

/** RFC 3463 2. Some hosts write the answer of SMTP before it: `550 5.1.1`. */
const statusCode = /\b[245]\.\d{1,3}\.\d{1,3}\b/;

/**
 * The meaning of `Action`; some hosts leave it out, then it is that of the class of the status. null for `delivered`,
 * `relayed` and `expanded`, which are no bounce (RFC 3464 2.3.3).
 */
function outcomeOf(action: string | undefined, status: string | null) {
  const word = action?.toLowerCase().match(/[a-z]+/)?.[0] ?? (status && classes[status[0]]) ?? "";
  return outcomes.get(word) ?? null;
}

const outcomes = new Map<string, BouncedRecipient["outcome"]>([
  ["failed", "permanent"],
  ["delayed", "delayed"],
]);

/** RFC 3463 3.1. */
const classes: Record<string, string | undefined> = { 5: "failed", 4: "delayed" };

/** The value of `rfc822; someone@example.com` or `smtp; 550 ...`. */
function typedValue(field: string | undefined): string | null {
  return field?.replace(/^[\w-]+\s*;/, "").trim() || null;
}

/** The address of a field without a comment after it and without angle brackets. */
function plainAddress(field: string | undefined): string | null {
  const value = typedValue(field)?.replace(/(?<=[\w>])\s*\([^()]*\)$/, "");
  return value?.replace(/^<|>$/g, "") || null;
}
