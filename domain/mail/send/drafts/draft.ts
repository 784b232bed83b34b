import { z } from "zod";
import { notFound, ServiceError, unavailable } from "../../../core/errors.ts";
import { type Caller, seesMailbox } from "../../../core/caller.ts";
import type { Service } from "../../../core/service.ts";
import type { Tx } from "../../../store/database.ts";
import * as keys from "../../../store/keys.ts";
import { requireCurrent, StaleRevision } from "../../lifecycle/apply.ts";
import { type DraftEventType, isPossible } from "../../lifecycle/draft.ts";
import type { Draft } from "../../record/draft.ts";

export const draftId = z.string().min(1).max(100).describe("draft_id of a draft");

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
 * What `read` reads of a draft. Throws StaleRevision if it fails because the draft has changed since it was read. A
 * commit can be durable before its answer is here: its writes are seen by reads of other rows then, and the draft in
 * memory is the former one. A transaction waits for that answer.
 */
export async function readOf<R>(
  { database }: Pick<Service, "database">,
  draft: Draft,
  read: () => Promise<R>,
): Promise<R> {
  try {
    return await read();
  } catch (error) {
    await database.transact((tx) => requireCurrent(tx, draft));
    throw error;
  }
}

/** Throws CONFLICT if the status of the draft does not allow the event. */
export function requirePossible(draft: Draft, event: DraftEventType): void {
  if (!isPossible(draft, event)) throw conflictOf(draft);
}

/** The error of a request that the status of the draft does not allow. */
export function conflictOf({ status }: Draft): ServiceError {
  const states: Record<Draft["status"], string> = {
    draft: "nobody has asked to send it",
    scheduled: "it waits for its time",
    pending_approval: "it waits for a person's approval",
    sent: "it was sent",
    canceled: "it was canceled",
    rejected: "a person rejected it",
  };
  return new ServiceError("CONFLICT", `The draft is ${status}: ${states[status]}.`, { status });
}

/** Throws CONFLICT if the content is not the one with this hash. */
export function requireHash(hash: string, expected: string | undefined): void {
  if (expected === undefined || hash === expected) return;
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
      if (!(error instanceof StaleRevision)) throw error;
      if (turn === mostTurns) throw unavailable("The draft changes all the time.");
    }
  }
}
