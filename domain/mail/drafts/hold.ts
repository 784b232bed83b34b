import { readUser } from "../../accounts/user.ts";
import { invalidField, notFound } from "../../core/errors.ts";
import type { OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { requireSendingDomain } from "../../custom_domains/sending_domain.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { rememberedOutput, rememberOutput } from "../outbound/idempotency.ts";
import { hashOf, judgedAddresses, type Submission } from "../outbound/outgoing_message.ts";
import type { Writers } from "../outbound/provenance.ts";
import { judge, type Reason, SendRefused } from "../outbound/send_rules.ts";
import { requireContentSize } from "../outbound/message_size.ts";
import { knownWriters } from "../outbound/submit.ts";
import { type Draft, writeDraft } from "./draft.ts";
import { contentBytes, writeContent } from "./draft_content.ts";
import { recordDraftChange } from "./draft_changes.ts";
import { countDraft } from "./draft_totals.ts";

export interface Holding<Output> {
  /** `draft`: kept until somebody sends it. `send`: it is to be sent, at `sendAt` or once a person has approved it. */
  wish: "draft" | "send";
  sendAt: number | null;
  replyToEmailId: string | null;
  /** The answer, which is also stored under the idempotency key. */
  outputOf(draft: Draft, hash: string): Output;
}

/**
 * Keeps a submission as a draft, in one commit with its content, job, change row and the answer under its idempotency
 * key. Returns null if it need not wait and is to be sent now. Throws SendRefused if a rule refuses it.
 */
export async function hold<Output>(
  service: Service,
  call: Pick<OperationCall, "audit">,
  submission: Submission,
  holding: Holding<Output>,
): Promise<Output | null> {
  const { userId, mailboxId } = submission.mailbox;
  const now = service.clock.now();
  requireContentSize(service, await readUser(service.database, userId), submission);
  const hash = hashOf(submission);
  const writers = await knownWriters(service, submission);
  const { blob, headBytes } = await writeContent(service, submission);
  let isKept = false;
  try {
    const output = await service.database.transact(async (tx) => {
      isKept = false;
      const earlier = await rememberedOutput<Output>(tx, submission.idempotencyKey, now);
      if (earlier) return earlier;
      await requireMailbox(tx, submission);
      const wants = holding.wish === "send" || holding.sendAt !== null;
      const found = wants ? await stateOf(tx, service, submission, writers, holding.sendAt) : null;
      if (holding.wish === "send" && found?.status === "draft") return null;
      const draft: Draft = {
        draftId: service.ids.timed(now),
        userId,
        mailboxId,
        status: found?.status ?? "draft",
        revision: 1,
        content: { blob: blob.ref, headBytes },
        replyToEmailId: holding.replyToEmailId,
        sendAt: holding.sendAt,
        reasons: found?.reasons ?? [],
        approvedHash: null,
        rejectReason: null,
        endedHash: null,
        sent: null,
        createdAt: now,
        updatedAt: now,
      };
      await countDraft(tx, service, await readUser(tx, userId), { open: 1, bytes: blob.ref.size });
      await blob.attach(tx);
      writeDraft(tx, draft);
      addSendJob(tx, service, draft);
      await recordDraftChange(tx, service, draft, hash, "draft.created");
      if (draft.status === "pending_approval") {
        await recordDraftChange(tx, service, draft, hash, "draft.pending_approval");
      }
      const output = holding.outputOf(draft, hash);
      rememberOutput(tx, submission.idempotencyKey, output, now);
      call.audit({ mailboxId }, tx);
      isKept = true;
      return output;
    });
    return output;
  } finally {
    if (!isKept) await blob.discard();
  }
}

/** Throws what `hold` throws, except by the rules, which a dry run has asked; the caller's transaction is not committed. */
export async function requireRoom(tx: Tx, service: Service, submission: Submission): Promise<void> {
  const { userId, domain } = submission.mailbox;
  const user = await readUser(tx, userId);
  requireContentSize(service, user, submission);
  await requireMailbox(tx, submission);
  await requireSendingDomain(tx, service, userId, domain);
  await countDraft(tx, service, user, { open: 1, bytes: contentBytes(submission) });
}

/** Throws NOT_FOUND if the mailbox of the sender was deleted or renamed meanwhile. */
async function requireMailbox(tx: Tx, { mailbox }: Submission): Promise<void> {
  const { userId, mailboxId, address } = mailbox;
  const current = await tx.get<Mailbox>(keys.mailbox(userId, mailboxId));
  if (current?.address !== address) throw notFound("mailbox");
}

/** A draft that is to be sent is scheduled or waits for a person; otherwise it is a `draft`. */
export interface WishedState {
  status: "draft" | "scheduled" | "pending_approval";
  reasons: readonly Reason[];
}

/** The status of a draft that is to be sent. Throws SendRefused if a rule refuses it. */
export async function stateOf(
  tx: Tx,
  service: Service,
  submission: Submission,
  writers: Writers,
  sendAt: number | null,
  approved = false,
): Promise<WishedState> {
  const { userId, mailboxId, domain } = submission.mailbox;
  await requireSendingDomain(tx, service, userId, domain);
  const recipients = judgedAddresses(submission);
  const judged = await judge(tx, service, { userId, mailboxId, recipients, writers, approved });
  if (judged.failure) throw new SendRefused(judged.failure, judged.refused);
  if (judged.wanted.length > 0) return { status: "pending_approval", reasons: judged.wanted };
  return { status: sendAt === null ? "draft" : "scheduled", reasons: [] };
}

/** The job that sends a scheduled draft at its time. */
export function addSendJob(tx: Tx, service: Service, draft: Draft): void {
  const { userId, draftId, status, sendAt } = draft;
  if (status !== "scheduled" || sendAt === null) return;
  service.jobs.add(tx, "send_draft", { userId, draftId, sendAt }, sendAt);
}

const maxAheadDays = 90;
const dayMs = 86_400_000;

/** The time of `send_at` in ms since 1970; null if it is absent. Throws VALIDATION_ERROR if it is past or too far ahead. */
export function sendTime({ clock }: Service, text: string | null | undefined): number | null {
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
