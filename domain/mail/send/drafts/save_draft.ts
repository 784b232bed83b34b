import { readUser } from "../../../accounts/user.ts";
import { invalidField } from "../../../core/errors.ts";
import type { Service } from "../../../core/service.ts";
import { useUploads } from "../../../uploads/upload.ts";
import { requireSendingDomain } from "../../../custom_domains/sending_domain.ts";
import type { Tx } from "../../../store/database.ts";
import { type Audit, moveDraft, requireCurrent } from "../../lifecycle/apply.ts";
import { countDraft } from "../../lifecycle/draft_totals.ts";
import { rememberedOutput } from "../../lifecycle/idempotency.ts";
import { hashOf, type Submission } from "../outgoing_message.ts";
import { knownWriters, requireAllowed } from "../send_rules.ts";
import { requireContentSize } from "../message_size.ts";
import { requireMailbox, requireSender } from "../submit.ts";
import type { Draft } from "../../record/draft.ts";
import { contentBytes, writeContent } from "./draft_content.ts";
import type { Reason } from "../../record/send_output.ts";

export interface Saving<Output> {
  /** The draft that is changed; null: a new one. */
  draft: Draft | null;
  /** It is to be sent, at `sendAt` or once a person has approved it; otherwise it waits until somebody sends it. */
  isToSend: boolean;
  sendAt: number | null;
  replyToEmailId: string | null;
  /** The answer, which is also stored under the idempotency key. */
  outputOf(draft: Draft, hash: string): Output;
}

/**
 * Keeps a submission as a draft, a new one or in place of the content of one, in one commit with all that follows from it.
 * Returns null if a new draft that is to be sent need not wait, and is to be sent now. Throws SendRefused if a rule refuses
 * what is to be sent, StaleRevision if the draft has changed since it was read.
 */
export async function saveDraft<Output>(
  service: Service,
  call: Audit,
  submission: Submission,
  { draft, isToSend, sendAt, replyToEmailId, outputOf }: Saving<Output>,
): Promise<Output | null> {
  const { idempotencyKey, mailbox: { userId, mailboxId, domain } } = submission;
  const now = service.clock.now();
  requireContentSize(service, await readUser(service.database, userId), submission);
  const hash = hashOf(submission);
  const approved = draft?.approvedHash === hash;
  const writers = await knownWriters(service, submission);
  const content = await writeContent(service, submission);
  let isKept = false;
  try {
    return await service.database.transact(async (tx) => {
      isKept = false;
      const earlier = await rememberedOutput<Output>(tx, idempotencyKey, now);
      if (earlier) return earlier;
      if (draft) await requireCurrent(tx, draft);
      else await requireMailbox(tx, submission);
      let reasons: readonly Reason[] = [];
      if (isToSend || sendAt !== null) {
        await requireSendingDomain(tx, service, userId, domain);
        reasons = await requireAllowed(tx, service, submission, writers, approved);
      }
      if (!draft && isToSend && sendAt === null && reasons.length === 0) return null;
      await useUploads(tx, service, userId, submission.uploadIds ?? []);
      const saved = await moveDraft(tx, service, call, draft, {
        type: "save",
        ...{ now, hash, content, sendAt, reasons },
        about: { draftId: service.ids.timed(now), userId, mailboxId, replyToEmailId },
        remember: { under: idempotencyKey, answerOf: (next) => outputOf(next, hash) },
      });
      isKept = true;
      return outputOf(saved, hash);
    });
  } finally {
    if (!isKept) await content.blob.discard();
  }
}

/** Throws what `saveDraft` throws for a new draft, except by the rules; the caller's transaction is not committed. */
export async function requireRoom(tx: Tx, service: Service, submission: Submission): Promise<void> {
  const user = await requireSender(tx, service, submission);
  requireContentSize(service, user, submission);
  await countDraft(tx, service, user.userId, { open: 1, bytes: contentBytes(submission) });
}

const maxAheadDays = 90;
const dayMs = 86_400_000;

/** The time of `send_at` in ms since 1970; null if it is absent. Throws VALIDATION_ERROR if it is past or too far ahead. */
export function sendTime(
  { clock }: Pick<Service, "clock">,
  text: string | null | undefined,
): number | null {
  if (text === undefined || text === null) return null;
  const at = Date.parse(text), now = clock.now();
  const reason = !Number.isFinite(at)
    ? "is not a time"
    : at <= now
    ? "is past"
    : at > now + maxAheadDays * dayMs
    ? `is more than ${maxAheadDays} days ahead`
    : null;
  if (reason === null) return at;
  throw invalidField("send_at", reason);
}
