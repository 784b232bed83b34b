import { notFound, ServiceError, unavailable } from "../../core/errors.ts";
import type { Caller } from "../../core/caller.ts";
import type { OperationCall } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { recipientsOf } from "../outbound/outgoing_message.ts";
import { rememberKnown } from "../outbound/addresses/known_recipients.ts";
import { type Reason, SendRefused } from "../outbound/send_rules.ts";
import { type SendOutput, submit } from "../outbound/submit.ts";
import { type Draft, isCurrent, isCurrentIn, isOpen, writeDraft } from "./draft.ts";
import { recordDraftChange } from "./draft_changes.ts";
import {
  type DraftHead,
  endedContent,
  headOf,
  loadDraft,
  type LoadedDraft,
} from "./draft_content.ts";
import { keepEnded } from "./ended_drafts.ts";
import { addSendJob } from "./hold.ts";
import { releaseContent } from "./release_content.ts";

/** The draft, or its mailbox, changed since it was read: it must be read again. */
export class Overtaken extends Error {}

/** The open draft with its content. Throws Overtaken if it changes meanwhile. */
export async function loadOpen(service: Service, draft: Draft): Promise<LoadedDraft> {
  const { userId, mailboxId } = draft;
  const mailbox = await service.database.get<Mailbox>(keys.mailbox(userId, mailboxId));
  if (!mailbox) throw notFound("draft");
  try {
    return await loadDraft(service, draft, mailbox);
  } catch (error) {
    if (await isCurrent(service, draft)) throw error;
    throw new Overtaken();
  }
}

/**
 * Sends a draft through the one function that sends. Its status changes in the same commit, which checks that the draft
 * is the one that was loaded. So it is sent once, however often it is asked for, and if processes are killed.
 *
 * Throws Overtaken, ApprovalWanted, SendRefused, or what `submit` throws; then nothing has changed.
 */
export async function submitDraft(
  service: Service,
  caller: Pick<Caller, "userId" | "plan">,
  call: Pick<OperationCall, "audit">,
  { draft, submission, hash }: LoadedDraft,
  options: { approvedNow?: boolean; inCommit?(tx: Tx): void } = {},
): Promise<SendOutput> {
  const approved = options.approvedNow || draft.approvedHash === hash;
  let answer: SendOutput | null = null;
  await submit(service, caller, call, submission, {
    approved,
    begin: async (tx) => {
      const { userId, mailboxId } = draft;
      const mailbox = await tx.get<Mailbox>(keys.mailbox(userId, mailboxId));
      if (mailbox && mailbox.address !== submission.mailbox.address) throw new Overtaken();
      await requireUnchanged(tx, draft);
    },
    end: async (tx, _email, output) => {
      options.inCommit?.(tx);
      const { userId, draftId } = draft;
      answer = { ...output, draft_id: draftId };
      if (approved) {
        await rememberKnown(tx, userId, recipientsOf(submission), {
          knownSince: service.clock.now(),
          mailboxId: draft.mailboxId,
        });
      }
      const open = changedDraft(service, draft, {
        sent: answer,
        reasons: [],
        approvedHash: approved ? hash : null,
      });
      if (options.approvedNow) {
        await recordDraftChange(tx, service, open, hash, "draft.approved");
      }
      await endDraft(tx, service, open, { status: "sent", hash, head: headOf(submission) });
    },
  });
  return answer!;
}

/**
 * As `submitDraft`, for a request of a caller. A draft that waited and is refused becomes a `draft` again, with the
 * reasons.
 */
export async function submitAsked(
  service: Service,
  caller: Pick<Caller, "userId" | "plan">,
  call: Pick<OperationCall, "audit">,
  loaded: LoadedDraft,
  options: { approvedNow?: boolean } = {},
): Promise<SendOutput> {
  try {
    return await submitDraft(service, caller, call, loaded, options);
  } catch (error) {
    if (error instanceof SendRefused && loaded.draft.status !== "draft") {
      const { reasons } = error;
      await setBack(service, loaded, { status: "draft", sendAt: null, reasons });
    }
    throw error;
  }
}

/** Throws Overtaken if the draft is not the one that was read. */
export async function requireUnchanged(tx: Tx, draft: Draft): Promise<void> {
  if (!await isCurrentIn(tx, draft)) throw new Overtaken();
}

/** The draft after a change, as it is to be written. */
export function changedDraft(service: Service, draft: Draft, change: Partial<Draft>): Draft {
  return { ...draft, revision: draft.revision + 1, updatedAt: service.clock.now(), ...change };
}

const endings = {
  sent: "draft.sent",
  canceled: "draft.canceled",
  rejected: "draft.rejected",
} as const;

/** Ends a draft in its commit: its content is kept without attachments, and it no longer counts as open. */
export async function endDraft(
  tx: Tx,
  service: Service,
  draft: Draft,
  { status, hash, head }: {
    status: keyof typeof endings;
    hash: string;
    head: DraftHead;
  },
): Promise<Draft> {
  const ended: Draft = { ...draft, status, content: null, endedHash: hash };
  releaseContent(tx, service, draft);
  await keepEnded(tx, service, ended, endedContent(head), draft.content?.blob.size ?? 0);
  await recordDraftChange(tx, service, ended, hash, endings[status]);
  return ended;
}

/**
 * Keeps a draft that was not sent: it waits for a person, or becomes a `draft` again, without a time. Throws Overtaken
 * if it changed since it was loaded.
 */
export async function setBack(
  service: Service,
  { draft, hash }: LoadedDraft,
  change: {
    status: "draft" | "pending_approval";
    sendAt: number | null;
    reasons: readonly Reason[];
  },
  inCommit?: (tx: Tx) => void,
): Promise<Draft> {
  return await service.database.transact(async (tx) => {
    await requireUnchanged(tx, draft);
    inCommit?.(tx);
    const changed = changedDraft(service, draft, { ...change, approvedHash: null });
    writeDraft(tx, changed);
    await recordDraftChange(tx, service, changed, hash, "draft.updated");
    if (change.status === "pending_approval") {
      await recordDraftChange(tx, service, changed, hash, "draft.pending_approval");
    }
    return changed;
  });
}

/** Writes an open draft that was changed, with its job. */
export function writeOpen(tx: Tx, service: Service, draft: Draft): void {
  if (!isOpen(draft)) throw new Error("an ended draft is not changed");
  writeDraft(tx, draft);
  addSendJob(tx, service, draft);
}

/** Throws CONFLICT if the content is not the one with this hash. */
export function requireHash(hash: string, expected: string): void {
  if (hash === expected) return;
  throw new ServiceError("CONFLICT", "The content is not the one of content_hash.", {
    content_hash: hash,
  });
}

/**
 * Other callers may change the draft between every reading and its commit: after this many tries the request is
 * refused.
 */
const mostTurns = 10;

/** Runs `work`, again as long as the draft changes under it. */
export async function untilUnchanged<R>(work: () => Promise<R>): Promise<R> {
  for (let turn = 1;; turn++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (turn === mostTurns) throw unavailable("The draft changes all the time.");
    }
  }
}
