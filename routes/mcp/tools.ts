import { getEmail } from "../../domain/mail/reading/get_email.ts";
import { getEmailRaw } from "../../domain/mail/reading/get_email_raw.ts";
import { getEmailThread } from "../../domain/mail/reading/get_email_thread.ts";
import { listEmails } from "../../domain/mail/reading/list_emails.ts";
import { replyEmail } from "../../domain/mail/outbound/reply_email.ts";
import { sendEmail } from "../../domain/mail/outbound/send_email.ts";
import type { Operation } from "../../domain/core/operation.ts";
import { searchEmails } from "../../domain/search/search_emails.ts";
import { listMailboxes } from "../../domain/mailboxes/list_mailboxes.ts";

/** A tool and its effects, for the annotations of MCP. */
export interface Tool {
  operation: Operation;
  readOnly: boolean;
  /** Whether it sends mail to people outside. */
  openWorld: boolean;
}

const reads = (operation: Operation): Tool => ({ operation, readOnly: true, openWorld: false });
const sends = (operation: Operation): Tool => ({ operation, readOnly: false, openWorld: true });

/** The eight tools, in the order of docs/specification.md "MCP". */
export const tools: readonly Tool[] = [
  reads(searchEmails),
  reads(listEmails),
  reads(getEmail),
  reads(getEmailThread),
  reads(getEmailRaw),
  reads(listMailboxes),
  sends(sendEmail),
  sends(replyEmail),
];
