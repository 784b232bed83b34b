import { operation } from "../../core/operation.ts";
import { fitRecord, maxCharsField } from "./budget.ts";
import { emailIdInput, untrusted } from "./get_email.ts";
import { readEmail } from "./shown_rows.ts";
import { verificationOf, verificationRecord } from "./verification_record.ts";

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
