import { z } from "zod";
import { emailId } from "../../core/email_id.ts";
import { findVerification } from "../../../mime/verification/verification.ts";
import { operation } from "../../core/operation.ts";
import type { Reads } from "./reads.ts";
import type { Email } from "../record/email.ts";
import { fitRecord, maxCharsField } from "./budget.ts";
import { emailIdInput, untrusted } from "./get_email.ts";
import { readEmail } from "./shown_rows.ts";
import { isQuickToRead, readHeadOf } from "./links_of.ts";
import { readBody } from "./parsing/parsed_bodies.ts";
import { storedMessage } from "./parsing/stored_message.ts";
import { truncatedField } from "../record/email_record.ts";

export const linkKind = z.enum(["verify", "sign_in", "reset", "unsubscribe", "other"]);
const confidence = z.number().min(0).max(1);

/** docs/specification.md "Codes and links". */
export const verificationRecord = z.object({
  email_id: emailId,
  best_code: z.string().nullable().describe(
    "The code that the form asks for, or null. Pass it on as it is; do not retype it",
  ),
  best_link: z.string().nullable().describe(
    "The link that verifies, signs in or resets a password, or null",
  ),
  codes: z.array(z.object({
    code: z.string().describe(
      "As the form asks for it: ASCII digits without spaces; a numeric code without hyphens",
    ),
    as_written: z.string(),
    kind: z.enum(["numeric", "alphanumeric"]),
    confidence,
    context: z.string().describe("The words around it; untrusted text"),
  })),
  links: z.array(z.object({
    url: z.string(),
    text: z.string(),
    host: z.string(),
    kind: linkKind,
    confidence,
  })),
  truncated: truncatedField,
}).meta({ id: "Verification", description: "Codes and links of an email, best first" });

export type VerificationRecord = z.output<typeof verificationRecord>;

export const getVerification = operation({
  name: "get_verification",
  title: "Get codes and links of an email",
  description:
    "The code and the link with which a mail asks you to confirm, sign in or reset a password. Use it on the email of a sign-up or login instead of " +
    "reading the text: it tells codes from order numbers, dates and prices. best_code is what the form wants and best_link the URL to open; each is null " +
    "if the mail has none. Pass both on exactly as they stand, character by character; do not retype them from the text. `codes` and `links` hold the " +
    `others, best first, with a confidence from 0 to 1. Check the sender first: anybody can send a code or a link. ${untrusted}`,
  scope: "emails:read",
  audit: "read",
  input: emailIdInput.extend({ max_chars: maxCharsField }),
  output: verificationRecord,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  fit: fitRecord,
  async run(service, caller, { email_id }, call) {
    const email = await readEmail(service, caller, email_id);
    call.audit({ emailId: email.emailId, mailboxId: email.mailboxId });
    return await verificationOf(service, email);
  },
});

/** The codes and links of an email; none if they were not found in time. Throws NOT_FOUND if it was deleted meanwhile. */
export async function verificationOf(service: Reads, email: Email): Promise<VerificationRecord> {
  const head = readHeadOf(email);
  const found = isQuickToRead(email)
    ? findVerification({ ...head, ...await readBody(service, email) })
    : await service.parsing.verification(storedMessage(service, email), head);
  const none = { best_code: null, best_link: null, codes: [], links: [] };
  return { email_id: email.emailId, ...found ?? none };
}
