import { z } from "zod";
import { operation } from "../../core/operation.ts";
import { fitRecord } from "../reading/budget.ts";
import { isOpen, readDraft } from "./draft.ts";
import { headOf } from "./draft_content.ts";
import { draftRecord, draftRecordOf } from "./draft_record.ts";
import { draftId, endedConflict } from "./send_draft.ts";
import {
  changedDraft,
  endDraft,
  loadOpen,
  requireUnchanged,
  untilUnchanged,
} from "./submit_draft.ts";

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
    untilUnchanged(async () => {
      const draft = await readDraft(service.database, caller, draft_id);
      if (!isOpen(draft)) throw endedConflict(draft);
      const { submission, hash, mailbox } = await loadOpen(service, draft);
      const head = headOf(submission);
      const ended = await service.database.transact(async (tx) => {
        await requireUnchanged(tx, draft);
        call.audit({ mailboxId: draft.mailboxId }, tx);
        const changed = changedDraft(service, draft, {});
        return await endDraft(tx, service, changed, { status: "canceled", hash, head });
      });
      return draftRecordOf(ended, head, mailbox.address);
    }),
});
