import { getAttachmentText } from "../../domain/mail/read/attachments/attachment_text.ts";
import { getEmail } from "../../domain/mail/read/get_email.ts";
import { getEmailRaw } from "../../domain/mail/read/get_email_raw.ts";
import { getLinks } from "../../domain/mail/read/get_links.ts";
import { getVerification } from "../../domain/mail/read/get_verification.ts";
import { expectCode, getExpectedCode } from "../../domain/mail/work/expect_code.ts";
import { waitForEmail } from "../../domain/mail/work/wait_for_email.ts";
import { getEmailThread } from "../../domain/mail/read/get_email_thread.ts";
import { listChanges } from "../../domain/mail/read/list_changes.ts";
import { listEmails } from "../../domain/mail/read/list_emails.ts";
import { replyEmail } from "../../domain/mail/send/reply_email.ts";
import { forwardEmail } from "../../domain/mail/send/forward_email.ts";
import { createDraft } from "../../domain/mail/send/create_draft.ts";
import { deleteDraft } from "../../domain/mail/send/drafts/end_draft.ts";
import { getDraft, listDrafts } from "../../domain/mail/send/drafts/list_drafts.ts";
import { sendDraft } from "../../domain/mail/send/drafts/send_draft.ts";
import { updateDraft } from "../../domain/mail/send/drafts/update_draft.ts";
import { sendEmail } from "../../domain/mail/send/send_email.ts";
import { deleteEmail } from "../../domain/mail/manage/delete_email.ts";
import { updateEmail } from "../../domain/mail/manage/update_email.ts";
import { updateEmails } from "../../domain/mail/manage/update_emails.ts";
import { claimEmails } from "../../domain/mail/work/claim_emails.ts";
import { ackEmail, extendClaim, nackEmail } from "../../domain/mail/work/end_claim.ts";
import type { Operation } from "../../domain/core/operation.ts";
import { searchEmails } from "../../domain/search/search_emails.ts";
import { createMailboxTool } from "../../domain/mailboxes/create_mailbox.ts";
import { deleteMailbox } from "../../domain/mailboxes/delete_mailbox.ts";
import { listMailboxes } from "../../domain/mailboxes/list_mailboxes.ts";

/** `standard` is served without a `toolset` in the URL. */
export type Toolset = "standard" | "full";

/** A tool and its effects, for the annotations of MCP. */
export interface Tool {
  operation: Operation;
  readOnly: boolean;
  /** Whether it sends mail to people outside. */
  openWorld: boolean;
  /** Whether it deletes something permanently. */
  destructive?: boolean;
  /** Whether a second call with the same arguments changes nothing more. Absent: if it only reads. */
  idempotent?: boolean;
  toolsets: readonly Toolset[];
  /** Whether its result has texts of emails, so that it takes `long_urls`. */
  longUrls?: boolean;
  /** The field in which the result has the output. Absent: the result is the output. */
  resultIn?: string;
  /** Sentences of the description that name another tool: each is included if the client is shown that tool too. */
  besides?: Readonly<Record<string, string>>;
}

const both: readonly Toolset[] = ["standard", "full"];
const full: readonly Toolset[] = ["full"];

/** Every tool, in the order of docs/specification.md "MCP". The first eight are the standard toolset. */
export const tools: readonly Tool[] = [
  {
    operation: searchEmails,
    readOnly: true,
    openWorld: false,
    toolsets: both,
    longUrls: true,
    besides: {
      wait_for_email: "Mail that is still to come is not here: wait_for_email waits for it.",
    },
  },
  {
    operation: listEmails,
    readOnly: true,
    openWorld: false,
    toolsets: both,
    longUrls: true,
    besides: {
      wait_for_email:
        "Do not call it again and again until a mail comes: wait_for_email answers as soon as it is there.",
      list_changes:
        "To see only what is new since the last time, follow list_changes with its cursor.",
    },
  },
  {
    operation: getEmail,
    readOnly: true,
    openWorld: false,
    toolsets: both,
    longUrls: true,
    besides: {
      get_verification:
        "Take a code or a confirmation link from get_verification, not from the text: it tells codes from order numbers and dates.",
      get_links: "A URL that is shown shortened is whole in get_links.",
    },
  },
  {
    operation: getEmailThread,
    readOnly: true,
    openWorld: false,
    toolsets: both,
    longUrls: true,
  },
  { operation: getEmailRaw, readOnly: true, openWorld: false, toolsets: both },
  { operation: listMailboxes, readOnly: true, openWorld: false, toolsets: both },
  { operation: sendEmail, readOnly: false, openWorld: true, toolsets: both },
  { operation: replyEmail, readOnly: false, openWorld: true, toolsets: both },
  {
    operation: createMailboxTool,
    readOnly: false,
    openWorld: false,
    toolsets: full,
    resultIn: "mailbox",
    besides: {
      wait_for_email:
        "To take the code of a sign-up: note the time, give the address to the site, then call wait_for_email with that time as `since`.",
    },
  },
  {
    operation: deleteMailbox,
    readOnly: false,
    openWorld: false,
    destructive: true,
    toolsets: full,
  },
  {
    operation: updateEmail,
    readOnly: false,
    openWorld: false,
    idempotent: true,
    toolsets: full,
  },
  {
    operation: updateEmails,
    readOnly: false,
    openWorld: false,
    destructive: true,
    toolsets: full,
  },
  {
    operation: deleteEmail,
    readOnly: false,
    openWorld: false,
    destructive: true,
    toolsets: full,
  },
  {
    operation: waitForEmail,
    readOnly: true,
    openWorld: false,
    toolsets: full,
    longUrls: true,
    besides: {
      expect_code:
        "If you know the sender's domain before you cause the mail, expect_code is safer.",
    },
  },
  { operation: getVerification, readOnly: true, openWorld: false, toolsets: full },
  { operation: expectCode, readOnly: false, openWorld: false, toolsets: full },
  { operation: getExpectedCode, readOnly: true, openWorld: false, toolsets: full },
  { operation: listChanges, readOnly: true, openWorld: false, toolsets: full },
  { operation: createDraft, readOnly: false, openWorld: true, toolsets: full },
  { operation: listDrafts, readOnly: true, openWorld: false, toolsets: full },
  { operation: getDraft, readOnly: true, openWorld: false, toolsets: full },
  { operation: updateDraft, readOnly: false, openWorld: true, toolsets: full },
  {
    operation: deleteDraft,
    readOnly: false,
    openWorld: false,
    destructive: true,
    toolsets: full,
  },
  { operation: sendDraft, readOnly: false, openWorld: true, idempotent: true, toolsets: full },
  { operation: forwardEmail, readOnly: false, openWorld: true, toolsets: full },
  { operation: getLinks, readOnly: true, openWorld: false, toolsets: full },
  { operation: getAttachmentText, readOnly: true, openWorld: false, toolsets: full },
  { operation: claimEmails, readOnly: false, openWorld: false, toolsets: full, longUrls: true },
  { operation: ackEmail, readOnly: false, openWorld: false, toolsets: full },
  { operation: nackEmail, readOnly: false, openWorld: false, toolsets: full },
  { operation: extendClaim, readOnly: false, openWorld: false, toolsets: full },
];
