import type { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import { operation } from "../../../core/operation.ts";
import type { Caller } from "../../../core/caller.ts";
import { requireRole } from "../../../core/roles/least_role.ts";
import type { Service } from "../../../core/service.ts";
import type { Audit } from "../../lifecycle/apply.ts";
import { fitRecord } from "../../read/budget.ts";
import { withoutBlank } from "../content/mailbox_words.ts";
import { recipientsOf, type Submission } from "../outgoing_message.ts";
import { readFiles } from "../files/read_files.ts";
import { draftChangesSchema, maxSendRecipients } from "../send_input.ts";
import { requireContentSize } from "../message_size.ts";
import { sendErrors } from "../submit.ts";
import { readDraft, requirePossible, untilUnchanged } from "./draft.ts";
import { headOf, loadOpen } from "./draft_content.ts";
import { type DraftRecord, draftRecord, draftRecordOf } from "./draft_record.ts";
import { saveDraft, sendTime } from "./save_draft.ts";

type Changes = z.output<typeof draftChangesSchema>;
type Files = Pick<Submission, "attachments" | "uploadIds">;

export const updateDraft = operation({
  name: "update_draft",
  title: "Change a draft",
  description:
    "Changes the fields of a draft that are given and keeps the others. A draft that is scheduled or waits for approval is judged again: an approval holds for the " +
    "content that was approved alone. A draft that was sent, rejected or canceled is CONFLICT.",
  scope: "emails:send",
  audit: "change",
  input: draftChangesSchema,
  output: draftRecord,
  errors: sendErrors,
  fit: fitRecord,
  async run(service, caller, input, call) {
    const sendAt = sendTime(service, input.send_at);
    const content = {
      text: input.body_text ?? undefined,
      html: input.body_html ?? undefined,
      attachments: [],
    };
    const files = await readFiles(service, caller, call, {
      ...content,
      files: input.attachments ?? [],
    });
    // Before the draft is read: what is given can be too large by itself.
    requireContentSize(service, caller, { ...content, ...files });
    return await untilUnchanged(() => changeOnce(service, caller, call, input, files, sendAt));
  },
});

async function changeOnce(
  service: Service,
  caller: Caller,
  call: Audit,
  input: Changes,
  files: Files,
  given: number | null,
): Promise<DraftRecord> {
  const draft = await readDraft(service.database, caller, input.draft_id);
  if (draft.status !== "pending_approval") requireRole(caller, "update_draft_that_does_not_wait");
  requirePossible(draft, "save");
  const before = (await loadOpen(service, draft)).submission;
  if (before.written) {
    const reason = "The message came by SMTP and goes out as it came: cancel it and send another.";
    throw new ServiceError("CONFLICT", reason);
  }
  const submission = changedSubmission(before, input, files);
  requireContent(submission);
  const changed = await saveDraft(service, call, submission, {
    draft,
    isToSend: draft.status === "pending_approval",
    sendAt: input.send_at === undefined ? draft.sendAt : given,
    replyToEmailId: draft.replyToEmailId,
    outputOf: (changed) => changed,
  });
  return draftRecordOf(service, changed!, headOf(submission), submission.mailbox.address);
}

function changedSubmission(before: Submission, input: Changes, files: Files): Submission {
  return {
    ...before,
    to: input.to ?? before.to,
    cc: changed(before.cc, input.cc, []),
    bcc: changed(before.bcc, input.bcc, []),
    replyTo: changed(before.replyTo, input.reply_to, []),
    subject: input.subject ?? before.subject,
    ...withoutBlank({
      text: changed(before.text, input.body_text, undefined),
      html: changed(before.html, input.body_html, undefined),
    }),
    ...input.attachments === undefined ? {} : files,
    headers: changed(before.headers, input.headers, undefined),
    metadata: changed(before.metadata, input.metadata, undefined),
    automatic: input.automatic ?? before.automatic,
  };
}

function changed<T>(before: T, given: T | null | undefined, without: T): T {
  return given === undefined ? before : given ?? without;
}

function requireContent(submission: Submission): void {
  const { text, html } = submission;
  const count = recipientsOf(submission).length;
  const details: Record<string, string> = {};
  if (text === undefined && html === undefined) {
    details.body_text = "body_text or body_html is required";
  }
  if (count > maxSendRecipients) {
    details.to =
      `to, cc and bcc hold ${count} recipients, at most ${maxSendRecipients} are allowed`;
  }
  const [first] = Object.entries(details);
  if (first) throw new ServiceError("VALIDATION_ERROR", `${first[0]}: ${first[1]}`, details);
}
