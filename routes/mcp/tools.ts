import { getAttachmentText } from "../../domain/mail/read/attachments/attachment_text.ts";
import { getEmail } from "../../domain/mail/read/get_email.ts";
import { getEmailRaw } from "../../domain/mail/read/get_email_raw.ts";
import { getLinks } from "../../domain/mail/read/get_links.ts";
import { getVerification } from "../../domain/mail/read/get_verification.ts";
import { expectCode, getExpectedCode } from "../../domain/mail/work/expect_code.ts";
import { waitForEmail } from "../../domain/mail/work/wait_for_email.ts";
import { getEmailThread } from "../../domain/mail/conversations/get_email_thread.ts";
import { listThreads } from "../../domain/mail/conversations/list_threads.ts";
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
import { createUpload } from "../../domain/uploads/create_upload.ts";

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
  /** Whether `""` is a value of its arguments: for other tools an optional argument is then absent. */
  keepsEmpty?: boolean;
  /** Sentences of the description that name another tool: each is included if the client is shown that tool too. */
  besides?: Readonly<Record<string, string>>;
}

/** The effects of a tool: `reads` nothing is changed, `changes` the account, `sends` mail to people outside. */
const reads = { readOnly: true, openWorld: false };
const changes = { readOnly: false, openWorld: false };
const sends = { readOnly: false, openWorld: true };
const deletes = { ...changes, destructive: true };

const both: readonly Toolset[] = ["standard", "full"];
const full: readonly Toolset[] = ["full"];

/** Every tool, in the order of docs/specification.md "MCP". The first eight are the standard toolset. */
export const tools: readonly Tool[] = [
  {
    operation: searchEmails,
    ...reads,
    toolsets: both,
    longUrls: true,
    besides: {
      wait_for_email: "Mail that is still to come is not here: wait_for_email waits for it.",
    },
  },
  {
    operation: listEmails,
    ...reads,
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
    ...reads,
    toolsets: both,
    longUrls: true,
    besides: {
      get_verification:
        "Take a code or a confirmation link from get_verification, not from the text: it tells codes from order numbers and dates.",
      get_links: "A URL that is shown shortened is whole in get_links.",
    },
  },
  { operation: getEmailThread, ...reads, toolsets: both, longUrls: true },
  { operation: getEmailRaw, ...reads, toolsets: both },
  { operation: listMailboxes, ...reads, toolsets: both },
  { operation: sendEmail, ...sends, toolsets: both },
  { operation: replyEmail, ...sends, toolsets: both },
  {
    operation: createMailboxTool,
    ...changes,
    toolsets: full,
    resultIn: "mailbox",
    besides: {
      wait_for_email:
        "To take the code of a sign-up: note the time, give the address to the site, then call wait_for_email with that time as `since`.",
      delete_mailbox: "delete_mailbox makes room for another one.",
    },
  },
  { operation: deleteMailbox, ...deletes, toolsets: full },
  { operation: updateEmail, ...changes, idempotent: true, toolsets: full },
  { operation: updateEmails, ...deletes, toolsets: full },
  { operation: deleteEmail, ...deletes, toolsets: full },
  {
    operation: waitForEmail,
    ...reads,
    toolsets: full,
    longUrls: true,
    besides: {
      expect_code:
        "If you know the sender's domain before you cause the mail, expect_code is safer.",
    },
  },
  { operation: getVerification, ...reads, toolsets: full },
  { operation: expectCode, ...changes, toolsets: full },
  { operation: getExpectedCode, ...reads, toolsets: full },
  { operation: listChanges, ...reads, toolsets: full },
  { operation: createDraft, ...sends, toolsets: full },
  { operation: listDrafts, ...reads, toolsets: full },
  { operation: getDraft, ...reads, toolsets: full },
  { operation: updateDraft, ...sends, toolsets: full, keepsEmpty: true },
  { operation: deleteDraft, ...deletes, toolsets: full },
  { operation: sendDraft, ...sends, idempotent: true, toolsets: full },
  { operation: forwardEmail, ...sends, toolsets: full },
  { operation: getLinks, ...reads, toolsets: full },
  { operation: getAttachmentText, ...reads, toolsets: full },
  { operation: claimEmails, ...changes, toolsets: full, longUrls: true },
  { operation: ackEmail, ...changes, toolsets: full },
  { operation: nackEmail, ...changes, toolsets: full },
  { operation: extendClaim, ...changes, toolsets: full },
  { operation: createUpload, ...changes, toolsets: full },
  { operation: listThreads, ...reads, toolsets: full, longUrls: true },
];

export function toolsOf(toolset: Toolset): readonly Tool[] {
  return tools.filter(({ toolsets }) => toolsets.includes(toolset));
}
