import { isoTime } from "../../core/clock.ts";
import type { Service } from "../../core/service.ts";
import type { DraftEventName } from "../../core/draft_events.ts";
import { recordChange } from "../../changes/change.ts";
import { emit, storedEvent } from "../../webhooks/emit.ts";
import { draftEvent } from "../../webhooks/events.ts";
import type { Tx } from "../../store/database.ts";
import type { Draft } from "./draft.ts";
import { reasonsOf } from "./draft_record.ts";

/**
 * Records a change of a draft, and emits its event, in the transaction of the change. `draft` is the draft after it.
 */
export async function recordDraftChange(
  tx: Tx,
  service: Service,
  draft: Draft,
  hash: string,
  event: DraftEventName,
): Promise<void> {
  const { userId, draftId, mailboxId, sent, revision } = draft;
  const at = service.clock.now();
  const emailId = sent?.email_id ?? null, threadId = sent?.thread_id ?? null;
  recordChange(tx, userId, { event, at, mailboxId, emailId, threadId, draftId, revision });
  await emit(tx, service, userId, event, () =>
    Promise.resolve(storedEvent(
      draftEvent(event, {
        change_id: null,
        timestamp: isoTime(at),
        mailbox_id: mailboxId,
        email_id: emailId,
        thread_id: threadId,
        draft_id: draftId,
        status: draft.status,
        content_hash: hash,
        reasons: reasonsOf(draft.reasons),
      }, String(revision)),
      { mailboxId, ...(emailId === null ? {} : { emailId }) },
    )));
}
