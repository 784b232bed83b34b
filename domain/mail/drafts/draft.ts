import { notFound } from "../../core/errors.ts";
import { type Caller, seesMailbox } from "../../core/caller.ts";
import type { Service } from "../../core/service.ts";
import type { BlobRef } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Reason } from "../outbound/send_rules.ts";
import type { SendOutput } from "../outbound/submit.ts";

export const draftStatuses = [
  "draft",
  "scheduled",
  "pending_approval",
  "sent",
  "canceled",
  "rejected",
] as const;

export type DraftStatus = typeof draftStatuses[number];

/** A message that is not sent yet, or was sent. Its content is stored separately: see `draft_content.ts`. */
export interface Draft {
  draftId: string;
  userId: string;
  mailboxId: string;
  status: DraftStatus;
  /** Goes up with every change: a commit that sends checks that it sends what it has read. */
  revision: number;
  /** Its content; null once it has ended. */
  content: { blob: BlobRef; headBytes: number } | null;
  replyToEmailId: string | null;
  /** ms since 1970; null: it is sent when somebody asks for it. */
  sendAt: number | null;
  /** Why it waits, or was not sent. */
  reasons: readonly Reason[];
  /** The content that a person approved. */
  approvedHash: string | null;
  rejectReason: string | null;
  /** Of an ended draft: the hash of its content. */
  endedHash: string | null;
  /** The answer to the send. */
  sent: SendOutput | null;
  createdAt: number;
  updatedAt: number;
}

/** Open drafts can still be sent. */
export function isOpen({ status }: Pick<Draft, "status">): boolean {
  return status === "draft" || status === "scheduled" || status === "pending_approval";
}

/** The caller's draft. Throws NOT_FOUND if it is unknown, another account's or of a mailbox that the caller does not see. */
export async function readDraft(
  store: Pick<Tx, "get">,
  caller: Caller,
  draftId: string,
): Promise<Draft> {
  const draft = await store.get<Draft>(keys.draft(caller.userId, draftId));
  const mailbox = draft && seesMailbox(caller, draft.mailboxId) &&
    await store.get(keys.mailbox(caller.userId, draft.mailboxId));
  if (!draft || !mailbox) throw notFound("draft");
  return draft;
}

/**
 * Whether the draft is still the one that was read. A commit can be durable before its answer is here: its writes are seen
 * by reads of other rows then, and the draft in memory is the former one. A transaction waits for that answer.
 */
export async function isCurrent({ database }: Service, draft: Draft): Promise<boolean> {
  return await database.transact((tx) => isCurrentIn(tx, draft));
}

/** The same in a transaction, which checks it. */
export async function isCurrentIn(tx: Tx, draft: Draft): Promise<boolean> {
  const stored = await tx.get<Draft>(keys.draft(draft.userId, draft.draftId));
  return stored?.revision === draft.revision;
}

/** Writes an open draft. One that has ended is written by `keepEnded`. */
export function writeDraft(tx: Pick<Tx, "set">, draft: Draft): void {
  tx.set(keys.draft(draft.userId, draft.draftId), draft);
}
