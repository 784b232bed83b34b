import { z } from "zod";
import { operation } from "../../../core/operation.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Service } from "../../../core/service.ts";
import { type Audit, moveDraftAlone } from "../../lifecycle/apply.ts";
import { fitRecord } from "../../read/budget.ts";
import { draftId, readDraft, requirePossible, untilUnchanged } from "./draft.ts";
import type { Decider } from "../../record/draft.ts";
import { deciderOf } from "./decider.ts";
import { endedContent, headOf, loadOpen } from "./draft_content.ts";
import { type DraftRecord, draftRecord, draftRecordOf } from "./draft_record.ts";

export const deleteDraft = operation({
  name: "delete_draft",
  title: "Cancel a draft",
  description:
    "Cancels a draft, also one that is scheduled or waits for approval: it is never sent. The answer is the draft with status canceled. A draft that was sent, " +
    "rejected or canceled before is CONFLICT.",
  scope: "emails:send",
  audit: "change",
  input: z.object({ draft_id: draftId }),
  output: draftRecord,
  errors: ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
  fit: fitRecord,
  run: (service, caller, { draft_id }, call) =>
    endUnsent(service, caller, call, draft_id, { type: "cancel" }),
});

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
  run: (service, caller, { draft_id, reason = null }, call) =>
    deciderOf(service.database, caller, "reject_draft").then((by) =>
      endUnsent(service, caller, call, draft_id, { type: "reject", by, reason })
    ),
});

async function endUnsent(
  service: Service,
  caller: Caller,
  call: Audit,
  draftId: string,
  event: { type: "cancel" } | { type: "reject"; by: Decider | null; reason: string | null },
): Promise<DraftRecord> {
  return await untilUnchanged(async () => {
    const draft = await readDraft(service.database, caller, draftId);
    requirePossible(draft, event.type);
    const { submission, hash } = await loadOpen(service, draft);
    const facts = { now: service.clock.now(), hash, kept: endedContent(submission) };
    const ended = await moveDraftAlone(service, call, draft, { ...facts, ...event });
    return draftRecordOf(service, ended, headOf(submission), submission.mailbox.address);
  });
}
