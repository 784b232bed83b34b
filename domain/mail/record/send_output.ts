import { z } from "zod";
import { timestampField } from "../../core/clock.ts";
import { emailId } from "../../core/email_id.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { sendStatusField, truncatedField } from "./email_record.ts";

/** The output of `send_email` and `reply_email`. */
export const sendOutput = z.object({
  email_id: emailId.describe("Id of the sent email, for get_email"),
  message_id: z.string().describe("The Message-ID header, <left@right>"),
  thread_id: z.string().describe("For get_email_thread"),
  mailbox_id: z.string(),
  status: sendStatusField.describe(
    "queued: retried for up to 24 hours, and the email shows its status later; stored: kept, but not sent to other " +
      "hosts, because the service has no relay",
  ),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  created_at: timestampField,
  draft_id: z.string().optional().describe("Present if it was a draft"),
  truncated: truncatedField,
}).meta({ id: "SentEmail", description: "An email that was sent or waits to be sent" });
export type SendOutput = z.output<typeof sendOutput>;

/**
 * Why a recipient may be written to: `own` is a mailbox of the account; `known` got a mail that a person approved, or, for a
 * reply, wrote in its thread; `listed` is allowed by the policy; `new` is none of these.
 */
export const provenances = ["own", "known", "listed", "new"] as const;
export type Provenance = typeof provenances[number];

/**
 * A recipient, or an address of reply_to, because of which a mail is not sent: with a `code` it is refused, else a person
 * must approve it.
 */
export interface Reason {
  recipient: string;
  provenance: Provenance;
  code?: ErrorCode;
}
