import { z } from "zod";
import { operation, type OperationCall } from "../../core/operation.ts";
import type { Caller } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import { contentHashField } from "../outbound/send_input.ts";
import { sendErrors } from "../outbound/submit.ts";
import { readDraft } from "./draft.ts";
import { headOf } from "./draft_content.ts";
import { recordDraftChange } from "./draft_changes.ts";
import { draftRecord, draftRecordOf } from "./draft_record.ts";
import { draftId, endedConflict, sentAnswer } from "./send_draft.ts";
import { type DraftSendOutput, draftSendOutput, heldOutputOf } from "./send_output.ts";
import {
  changedDraft,
  endDraft,
  loadOpen,
  requireHash,
  requireUnchanged,
  submitAsked,
  untilUnchanged,
  writeOpen,
} from "./submit_draft.ts";

export const approveDraft = operation({
  name: "approve_draft",
  title: "Approve a draft",
  description:
    "For people: approves exactly the content whose content_hash they have read, and sends it, or lets it wait for its send_at. A second call gives the first " +
    "answer. Blocks and suppressions hold for an approved mail too.",
  scope: "emails:approve",
  audit: "change",
  input: z.object({
    draft_id: draftId,
    content_hash: contentHashField().unwrap().describe("Of the draft as it was read"),
  }),
  output: draftSendOutput,
  errors: sendErrors,
  run: (service, caller, input, call) =>
    untilUnchanged(() => approveOnce(service, caller, call, input.draft_id, input.content_hash)),
});

async function approveOnce(
  service: Service,
  caller: Caller,
  call: Pick<OperationCall, "audit">,
  draftId: string,
  expected: string,
): Promise<DraftSendOutput> {
  const draft = await readDraft(service.database, caller, draftId);
  call.audit({ mailboxId: draft.mailboxId, emailId: draft.sent?.email_id ?? null });
  const answered = sentAnswer(draft, expected);
  if (answered) return answered;
  const isApproved = draft.status === "scheduled" && draft.approvedHash !== null;
  if (draft.status !== "pending_approval" && !isApproved) throw endedConflict(draft);
  const loaded = await loadOpen(service, draft);
  requireHash(loaded.hash, expected);
  if (isApproved) return heldOutputOf(draft, loaded.submission, loaded.hash);
  if (draft.sendAt === null || draft.sendAt <= service.clock.now()) {
    return await submitAsked(service, caller, call, loaded, { approvedNow: true });
  }
  const scheduled = changedDraft(service, draft, {
    status: "scheduled",
    reasons: [],
    approvedHash: loaded.hash,
  });
  await service.database.transact(async (tx) => {
    await requireUnchanged(tx, draft);
    writeOpen(tx, service, scheduled);
    call.audit({ mailboxId: draft.mailboxId }, tx);
    await recordDraftChange(tx, service, scheduled, loaded.hash, "draft.approved");
  });
  return heldOutputOf(scheduled, loaded.submission, loaded.hash);
}

export const rejectDraft = operation({
  name: "reject_draft",
  title: "Reject a draft",
  description:
    "For people: ends a draft that waits for approval; it is never sent. The answer is the draft.",
  scope: "emails:approve",
  audit: "change",
  input: z.object({
    draft_id: draftId,
    reason: z.string().max(1_000).optional().describe("Shown with the draft"),
  }),
  output: draftRecord,
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
  run: (service, caller, input, call) =>
    untilUnchanged(async () => {
      const draft = await readDraft(service.database, caller, input.draft_id);
      if (draft.status !== "pending_approval") throw endedConflict(draft);
      const { submission, hash, mailbox } = await loadOpen(service, draft);
      const head = headOf(submission);
      const ended = await service.database.transact(async (tx) => {
        await requireUnchanged(tx, draft);
        call.audit({ mailboxId: draft.mailboxId }, tx);
        const rejectReason = input.reason ?? null;
        const changed = changedDraft(service, draft, { rejectReason });
        return await endDraft(tx, service, changed, { status: "rejected", hash, head });
      });
      return draftRecordOf(ended, head, mailbox.address);
    }),
});
