import type { z } from "zod";
import { readUser } from "../../accounts/user.ts";
import { ServiceError } from "../../core/errors.ts";
import { operation, type OperationCall } from "../../core/operation.ts";
import type { Caller } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import { fitRecord } from "../reading/budget.ts";
import { hashOf, recipientsOf, type Submission } from "../outbound/outgoing_message.ts";
import { attachmentsOf, draftChangesSchema, maxSendRecipients } from "../outbound/send_input.ts";
import { requireContentSize } from "../outbound/message_size.ts";
import { knownWriters, sendErrors } from "../outbound/submit.ts";
import { type Draft, isOpen, readDraft } from "./draft.ts";
import { headOf, writeContent } from "./draft_content.ts";
import { recordDraftChange } from "./draft_changes.ts";
import { type DraftRecord, draftRecord, draftRecordOf } from "./draft_record.ts";
import { releaseContent } from "./release_content.ts";
import { countDraft } from "./draft_totals.ts";
import { sendTime, stateOf, type WishedState } from "./hold.ts";
import { endedConflict } from "./send_draft.ts";
import {
  changedDraft,
  loadOpen,
  requireUnchanged,
  untilUnchanged,
  writeOpen,
} from "./submit_draft.ts";

type Changes = z.output<typeof draftChangesSchema>;

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
  run(service, caller, input, call) {
    const sendAt = sendTime(service, input.send_at);
    // Before the draft is read: what is given can be too large by itself.
    requireContentSize(service, caller, {
      text: input.body_text ?? undefined,
      html: input.body_html ?? undefined,
      attachments: attachmentsOf(input),
    });
    return untilUnchanged(() => changeOnce(service, caller, call, input, sendAt));
  },
});

async function changeOnce(
  service: Service,
  caller: Caller,
  call: Pick<OperationCall, "audit">,
  input: Changes,
  given: number | null,
): Promise<DraftRecord> {
  const draft = await readDraft(service.database, caller, input.draft_id);
  if (!isOpen(draft)) throw endedConflict(draft);
  const loaded = await loadOpen(service, draft);
  const submission = changedSubmission(loaded.submission, input);
  requireContent(submission);
  requireContentSize(service, await readUser(service.database, caller.userId), submission);
  const hash = hashOf(submission);
  const sendAt = input.send_at === undefined ? draft.sendAt : given;
  const wants = sendAt !== null || draft.status === "pending_approval";
  const approved = draft.approvedHash === hash;
  const writers = await knownWriters(service, submission);
  const { blob, headBytes } = await writeContent(service, submission);
  let isKept = false;
  try {
    const changed = await service.database.transact(async (tx) => {
      isKept = false;
      await requireUnchanged(tx, draft);
      call.audit({ mailboxId: draft.mailboxId }, tx);
      const state: WishedState = wants
        ? await stateOf(tx, service, submission, writers, sendAt, approved)
        : { status: "draft", reasons: [] };
      const changed: Draft = changedDraft(service, draft, {
        ...state,
        content: { blob: blob.ref, headBytes },
        sendAt,
        approvedHash: approved ? hash : null,
      });
      const bytes = blob.ref.size - (draft.content?.blob.size ?? 0);
      await countDraft(tx, service, await readUser(tx, draft.userId), { open: 0, bytes });
      releaseContent(tx, service, draft);
      await blob.attach(tx);
      writeOpen(tx, service, changed);
      await recordDraftChange(tx, service, changed, hash, "draft.updated");
      if (state.status === "pending_approval") {
        await recordDraftChange(tx, service, changed, hash, "draft.pending_approval");
      }
      isKept = true;
      return changed;
    });
    return draftRecordOf(changed, headOf(submission), submission.mailbox.address);
  } finally {
    if (!isKept) await blob.discard();
  }
}

function changedSubmission(before: Submission, input: Changes): Submission {
  return {
    ...before,
    to: input.to ?? before.to,
    cc: changed(before.cc, input.cc, []),
    bcc: changed(before.bcc, input.bcc, []),
    replyTo: changed(before.replyTo, input.reply_to, []),
    subject: input.subject ?? before.subject,
    text: changed(before.text, input.body_text, undefined),
    html: changed(before.html, input.body_html, undefined),
    attachments: input.attachments === undefined ? before.attachments : attachmentsOf(input),
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
