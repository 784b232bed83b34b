import { recordChange } from "../../changes/change.ts";
import { isoTime } from "../../core/clock.ts";
import type { DraftEventName } from "../../core/draft_events.ts";
import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import { emit, storedEvent } from "../../webhooks/emit.ts";
import { draftEvent } from "../../webhooks/events.ts";
import type { Draft } from "./draft.ts";

/** Records a change of a draft in the journal and emits its event, in the transaction that makes it. */
export async function emitDraftChange(
  tx: Tx,
  { clock, jobs }: Pick<Service, "clock" | "jobs">,
  { change: event, draft, contentHash }: {
    change: DraftEventName;
    draft: Draft;
    contentHash: string;
  },
): Promise<void> {
  const { userId, draftId, mailboxId, sent, revision } = draft;
  const at = clock.now();
  const emailId = sent?.email_id ?? null, threadId = sent?.thread_id ?? null;
  recordChange(tx, userId, { event, at, mailboxId, emailId, threadId, draftId, revision });
  await emit(tx, { jobs }, userId, event, () =>
    Promise.resolve(storedEvent(
      draftEvent(event, {
        change_id: null,
        timestamp: isoTime(at),
        mailbox_id: mailboxId,
        email_id: emailId,
        thread_id: threadId,
        draft_id: draftId,
        status: draft.status,
        content_hash: contentHash,
        reasons: draft.reasons.map((each) => ({ ...each })),
      }, String(revision)),
      { mailboxId, ...(emailId === null ? {} : { emailId }) },
    )));
}
