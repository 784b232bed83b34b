import { decodeHeaderText } from "./encoded_words.ts";
import { FieldNames } from "./field_names.ts";
import {
  fieldText,
  firstField,
  type HeaderField,
  messageHeaderLimits,
  readHeader,
} from "./header_fields.ts";
import { headRange } from "./header_range.ts";
import { cutText } from "../text/cut_text.ts";

/** What the header says about a mail's text: whether it answers, and under which subject. */
export interface MailHead {
  /** Decoded; at most {@link maxSubject} characters. */
  subject?: string;
  /** Whether the mail names one that it answers (In-Reply-To, References: RFC 5322, section 3.6.4). */
  answers?: boolean;
}

/** Prefixes stand at the beginning, and a subject that is quoted is no longer. */
const maxSubject = 1_000;

/** The fields of the header that say so. */
export const headNames = ["subject", "in-reply-to", "references"];
const wanted = new FieldNames(headNames);

/** Of the message `raw`. Never throws. */
export function mailHead(raw: Uint8Array): MailHead {
  const { bytes, start, end } = headRange(raw, messageHeaderLimits.scanBytes);
  return mailHeadOf(readHeader(bytes, start, end, wanted, messageHeaderLimits).fields);
}

/** Of the fields of a header, those of {@link headNames} among them. Never throws. */
export function mailHeadOf(fields: readonly HeaderField[]): MailHead {
  const subject = firstField(fields, "subject");
  let decoded: string | undefined;
  return {
    // Most mail has nothing that the subject decides.
    get subject() {
      const text = subject ? cutText(fieldText(subject), 4 * maxSubject) : "";
      return decoded ??= decodeHeaderText(text).slice(0, maxSubject);
    },
    answers: fields.some(({ name }) => name === "in-reply-to" || name === "references"),
  };
}
