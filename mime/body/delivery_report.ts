import {
  fieldText,
  firstField,
  messageHeaderLimits,
  readHeader,
} from "../headers/header_fields.ts";
import { bodyRange } from "../headers/header_range.ts";
import { contentFields, type MimeLimits, type MimePart, mimeParts } from "./mime_parts.ts";
import { decodeTransfer } from "./transfer_encoding.ts";

/** A delivery status notification about a message. */
export interface Bounce {
  /** Message-ID of the message that could not be delivered, with its angle brackets; null if it is not named. */
  originalMessageId: string | null;
  recipients: BouncedRecipient[];
}

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
  return /^\s*multipart\/report\b/i.test(contentType) &&
    /report-type\s*=\s*"?delivery-status/i.test(contentType);
}

/**
 * Reads a delivery status notification (RFC 3464). Returns null for any other message, and for one that only reports
 * success.
 *
 * Anybody can write such a message: the caller must know by other means which recipient it can be about.
 */
export function readBounce(raw: Uint8Array): Bounce | null {
  const { bytes, start, headEnd } = bodyRange(raw);
  const header = readHeader(bytes, start, headEnd, reportFields, messageHeaderLimits);
  const text = (name: string) => {
    const field = firstField(header.fields, name);
    return field ? fieldText(field) : "";
  };
  if (!isDeliveryReport(text("content-type"))) return null;
  const { parts } = mimeParts(bytes, header.bodyStart, bytes.length, header.fields, reportLimits);
  const textOf = (part: MimePart) =>
    new TextDecoder().decode(decodeTransfer(bytes.subarray(part.start, part.end), part.encoding));
  const recipients = parts.filter(({ contentType }) => statusTypes.includes(contentType))
    .flatMap((part) => fieldGroups(textOf(part))).flatMap(bouncedRecipient);
  const returned = parts.find(({ contentType }) => returnedTypes.includes(contentType));
  const originalMessageId =
    messageId(returned && fieldGroups(textOf(returned))[0]?.get("message-id")) ??
      messageId(text("in-reply-to")) ?? messageId(text("references").split(/\s+/).at(-1));
  return recipients.length > 0 ? { originalMessageId, recipients } : null;
}

const reportFields = new Set([...contentFields, "in-reply-to", "references"]);

/** A report has three parts; a host may have put it into another multipart. */
const reportLimits: MimeLimits = { maxDepth: 10, maxParts: 50 };

const statusTypes = ["message/delivery-status", "message/global-delivery-status"];
const returnedTypes = [
  "message/rfc822",
  "text/rfc822-headers",
  "message/global",
  "message/global-headers",
];

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
  const outcome = outcomes[fields.get("action")?.toLowerCase().match(/[a-z]+/)?.[0] ?? ""];
  const addresses = ["original-recipient", "final-recipient"].flatMap((name) =>
    typedValue(fields.get(name))?.replace(/^<|>$/g, "") ?? []
  );
  if (!outcome || addresses.length === 0) return [];
  return [{
    addresses,
    outcome,
    status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? null,
    diagnostic: typedValue(fields.get("diagnostic-code"))?.slice(0, 500) ?? null,
  }];
}

/** Without `delivered`, `relayed` and `expanded`, which are no bounce (RFC 3464 2.3.3). */
const outcomes: Record<string, BouncedRecipient["outcome"] | undefined> = {
  failed: "permanent",
  delayed: "delayed",
};

/** The value of `rfc822; someone@example.com` or `smtp; 550 ...`. */
function typedValue(field: string | undefined): string | null {
  return field?.replace(/^[\w-]+\s*;/, "").trim() || null;
}

function messageId(value: string | undefined): string | null {
  return /<[^<>\s]+>/.exec(value ?? "")?.[0] ?? null;
}
