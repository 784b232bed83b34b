import type { DraftEventName } from "../../core/draft_events.ts";
import type { FinishedBlob } from "../../store/blobs.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { DraftStatus } from "../../core/draft_events.ts";
import type { Decider, Draft } from "../record/draft.ts";
import type { DraftEffect, Transition } from "./effects.ts";
import type { Reason, SendOutput } from "../record/send_output.ts";

/*
 * The life cycle of a draft: the states after each event. A dash: the event is impossible in this state.
 *
 * | state            | save                               | send | time_reached | approve         | want_approval    | refuse | reject   | cancel   | purge |
 * | ---------------- | ---------------------------------- | ---- | ------------ | --------------- | ---------------- | ------ | -------- | -------- | ----- |
 * | none             | draft, scheduled, pending_approval | –    | –            | –               | –                | –      | –        | –        | –     |
 * | draft            | draft, scheduled, pending_approval | sent | –            | –               | pending_approval | –      | –        | canceled | none  |
 * | scheduled        | draft, scheduled, pending_approval | sent | sent         | –               | pending_approval | draft  | –        | canceled | none  |
 * | pending_approval | draft, scheduled, pending_approval | –    | –            | scheduled, sent | –                | draft  | rejected | canceled | none  |
 * | sent             | –                                  | –    | –            | –               | –                | –      | –        | –        | none  |
 * | canceled         | –                                  | –    | –            | –               | –                | –      | –        | –        | none  |
 * | rejected         | –                                  | –    | –            | –               | –                | –      | –        | –        | none  |
 *
 * `save` writes its content: with reasons it waits for a person, else with a time it is scheduled. `send`: somebody asked
 * for it. `time_reached`: the job of a scheduled draft. `approve`: a person did; it is sent, or scheduled if its time is
 * to come. `want_approval`: it was to be sent, and the policy asks for a person. `refuse`: it was to be sent, and a rule
 * forbids it. `purge`: its mailbox was deleted.
 */

/** A send in the same commit. */
export interface DraftSent {
  output: SendOutput;
  /** As they were written. */
  recipients: readonly string[];
  kept: Uint8Array;
}

/**
 * `now`: the time of the event, ms since 1970. `hash`: of the content. `kept`: what is kept of the content of a draft that
 * has ended.
 */
export type DraftEvent =
  | { type: "purge" }
  | { now: number; hash: string } & MoveOfDraft;

type MoveOfDraft =
  | Saved
  | { type: "send" | "time_reached"; sent: DraftSent }
  /** null: it waits for its time. */
  | { type: "approve"; by: Decider | null; sent: DraftSent | null }
  | { type: "want_approval"; reasons: readonly Reason[]; sendAt: number | null }
  | { type: "refuse"; reasons: readonly Reason[] }
  | { type: "reject"; by: Decider | null; reason: string | null; kept: Uint8Array }
  | { type: "cancel"; kept: Uint8Array };

interface Saved {
  type: "save";
  /** Of a new draft; that of another stays. */
  about: Pick<Draft, "draftId" | "userId" | "mailboxId" | "replyToEmailId">;
  content: { blob: FinishedBlob; headBytes: number };
  sendAt: number | null;
  /** Why a person must approve it first. */
  reasons: readonly Reason[];
  /** The key of the request, and its answer. */
  remember: { under: IdempotencyKey; answerOf(draft: Draft): unknown };
}

export type DraftEventType = DraftEvent["type"];

type Move = Transition<Draft, DraftEffect>;

const undecided = { approvedHash: null, decidedBy: null } as const;

const open = ["draft", "scheduled", "pending_approval"] as const;

/** The states in which an event is possible. */
const possible: Record<DraftEventType, readonly (DraftStatus | "none")[]> = {
  save: ["none", ...open],
  send: ["draft", "scheduled"],
  time_reached: ["scheduled"],
  approve: ["pending_approval"],
  want_approval: ["draft", "scheduled"],
  refuse: ["scheduled", "pending_approval"],
  reject: ["pending_approval"],
  cancel: open,
  purge: [...open, "sent", "canceled", "rejected"],
};

/** Whether an event is possible; null: there is no draft yet. */
export function isPossible(state: Pick<Draft, "status"> | null, type: DraftEventType): boolean {
  return possible[type].includes(state?.status ?? "none");
}

/** Open drafts can still be sent. */
export function isOpen({ status }: Pick<Draft, "status">): boolean {
  return (open as readonly string[]).includes(status);
}

/** The draft after an event; null: there is none. Throws if the event is impossible in this state. */
export function draft(
  before: Draft | null,
  event: DraftEvent,
): Transition<Draft | null, DraftEffect> {
  const { next, effects } = moved(before, event);
  const waited = before?.status === "pending_approval", waits = next?.status === "pending_approval";
  if (waited === waits) return { next, effects };
  return { next, effects: [...effects, { wait: waits ? "begins" : "ends" }] };
}

function moved(
  before: Draft | null,
  event: DraftEvent,
): Transition<Draft | null, DraftEffect> {
  if (!isPossible(before, event.type)) {
    throw new Error(`${event.type} is impossible for a draft that is ${before?.status ?? "none"}`);
  }
  if (event.type === "save") return saved(before, event);
  if (event.type === "purge") return { next: null, effects: closed(before!) };
  const { hash } = event;
  const next: Draft = { ...before!, revision: before!.revision + 1, updatedAt: event.now };
  switch (event.type) {
    case "send":
    case "time_reached":
      return sent(next, hash, event.sent);
    case "approve": {
      const approved: Draft = { ...next, reasons: [], approvedHash: hash, decidedBy: event.by };
      if (event.sent) return sent(approved, hash, event.sent, ["draft.approved"]);
      return changed({ ...approved, status: "scheduled" }, hash, ["draft.approved"]);
    }
    case "want_approval": {
      const { reasons, sendAt } = event;
      const waits = { ...next, ...undecided, status: "pending_approval", sendAt, reasons };
      return changed(waits as Draft, hash, ["draft.updated", "draft.pending_approval"]);
    }
    case "refuse": {
      const { reasons } = event;
      const back: Draft = { ...next, ...undecided, status: "draft", sendAt: null, reasons };
      // Without audit: the call that is refused answers an error.
      return { next: back, effects: [changeOf(back, hash, "draft.updated")] };
    }
    case "reject":
      return ended(
        { ...next, rejectReason: event.reason, decidedBy: event.by },
        "rejected",
        hash,
        event.kept,
      );
    case "cancel":
      return ended(next, "canceled", hash, event.kept);
  }
}

/** A draft that is new or changed. Its content is judged again: an approval is only for what was approved. */
function saved(
  before: Draft | null,
  event: Saved & { now: number; hash: string },
): Move {
  const { about, now, hash, content: { blob, headBytes }, sendAt, reasons, remember } = event;
  const former = before ?? {
    ...about,
    revision: 0,
    ...undecided,
    rejectReason: null,
    endedHash: null,
    sent: null,
    createdAt: now,
  };
  const next: Draft = {
    ...former,
    status: reasons.length > 0 ? "pending_approval" : sendAt === null ? "draft" : "scheduled",
    revision: former.revision + 1,
    content: { blob: blob.ref, headBytes },
    sendAt,
    reasons,
    ...(former.approvedHash === hash ? {} : undecided),
    updatedAt: now,
  };
  const bytes = blob.ref.size - (before?.content?.blob.size ?? 0);
  const names: DraftEventName[] = [before ? "draft.updated" : "draft.created"];
  if (next.status === "pending_approval") names.push("draft.pending_approval");
  const { effects } = changed(next, hash, names);
  return {
    next,
    effects: [
      { count: "drafts", open: before ? 0 : 1, bytes },
      ...released(before),
      { attach: blob },
      ...effects,
      ...remember.under ? [{ remember: remember.answerOf(next), under: remember.under }] : [],
    ],
  };
}

/** An open draft after a change, with the job that sends it at its time. */
function changed(
  next: Draft,
  hash: string,
  names: readonly DraftEventName[],
): Move {
  const { userId, draftId, mailboxId, status, sendAt } = next;
  const effects: DraftEffect[] = names.map((name) => changeOf(next, hash, name));
  if (status === "scheduled") {
    if (sendAt === null) throw new Error("a scheduled draft needs a time");
    effects.push({ job: "send_draft", payload: { userId, draftId, sendAt }, at: sendAt });
  }
  return { next, effects: [...effects, { audit: { mailboxId } }] };
}

/** The send writes the row of the audit, which has the email. */
function sent(
  open: Draft,
  hash: string,
  { output, recipients, kept }: DraftSent,
  names: readonly DraftEventName[] = [],
): Move {
  const { mailboxId, updatedAt: since } = open;
  const approvedHash = open.approvedHash === hash ? hash : null;
  const before: Draft = { ...open, reasons: [], approvedHash, sent: output };
  const { next, effects } = ended(before, "sent", hash, kept);
  return {
    next,
    effects: [
      ...approvedHash === null ? [] : [{ known: recipients, mailboxId, since }],
      ...names.map((name) => changeOf(next, hash, name)),
      ...effects,
    ],
  };
}

/** An ended draft is kept without the bytes of its attachments, and no longer counts as open. */
function ended(
  before: Draft,
  status: "sent" | "canceled" | "rejected",
  hash: string,
  kept: Uint8Array,
): Move {
  const next: Draft = { ...before, status, content: null, endedHash: hash };
  const { mailboxId } = next;
  const endedBytes = kept.length + JSON.stringify(next).length;
  return {
    next,
    effects: [
      ...closed(before, endedBytes),
      { keep: kept },
      changeOf(next, hash, `draft.${status}`),
      ...status === "sent" ? [] : [{ audit: { mailboxId } }],
    ],
  };
}

/** An open draft that ends or is purged; one that has ended before has no content. */
function closed(before: Draft, endedBytes?: number): DraftEffect[] {
  if (!before.content) return [];
  const bytes = -before.content.blob.size;
  return [{ count: "drafts", open: -1, bytes, endedBytes }, ...released(before)];
}

function released(before: Draft | null): DraftEffect[] {
  return before?.content ? [{ release: before.content.blob }] : [];
}

function changeOf(draft: Draft, contentHash: string, change: DraftEventName): DraftEffect {
  return { change, draft, contentHash };
}
