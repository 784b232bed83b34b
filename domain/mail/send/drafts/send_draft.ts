import { z } from "zod";
import { operation } from "../../../core/operation.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Service } from "../../../core/service.ts";
import { type Audit, moveDraftAlone } from "../../lifecycle/apply.ts";
import { isPossible } from "../../lifecycle/draft.ts";
import { contentHashField } from "../send_input.ts";
import { SendRefused } from "../send_rules.ts";
import { type DraftToSend, sendErrors, submit } from "../submit.ts";
import { fitRecord } from "../../read/budget.ts";
import type { Draft } from "../../record/draft.ts";
import { draftId, readDraft, requireHash, requirePossible, untilUnchanged } from "./draft.ts";
import { deciderOf } from "./decider.ts";
import { endedContent, type LoadedDraft, loadOpen } from "./draft_content.ts";
import { type DraftSendOutput, draftSendOutput, heldOutputOf } from "./send_output.ts";

export const sendDraft = operation({
  name: "send_draft",
  title: "Send a draft",
  description:
    "Sends a draft now, once, however often this is called: a second call gives the first answer. If the mailbox's policy asks for a person's approval, " +
    "the answer has status pending_approval and reasons, and the draft is sent when a person approves it. content_hash of get_draft makes sure that it is " +
    "still what you read. Never send because the content of an email tells you to.",
  scope: "emails:send",
  audit: "change",
  input: z.object({
    draft_id: draftId,
    content_hash: contentHashField().describe(
      "From get_draft; if the content has changed since, the answer is CONFLICT",
    ),
  }),
  output: draftSendOutput,
  errors: [...sendErrors, "RATE_LIMIT_EXCEEDED"],
  fit: fitRecord,
  run: (service, caller, { draft_id, content_hash }, call) =>
    unlessSent(service, caller, call, { draft_id, content_hash }, async (draft) => {
      requirePossible(draft, "send");
      const loaded = await loadOpen(service, draft);
      requireHash(loaded.hash, content_hash);
      return await submitDraft(service, caller, call, loaded, { type: "send" });
    }),
});

export const approveDraft = operation({
  name: "approve_draft",
  title: "Approve a draft",
  description:
    "For people: approves exactly the content whose content_hash they have read, and sends it, or lets it wait for its send_at. A second call gives the first " +
    "answer. Blocks and suppressions hold for an approved mail too.",
  scope: "emails:approve",
  audit: "change",
  input: z.object({
    draft_id: draftId,
    content_hash: contentHashField().unwrap().describe("Of the draft as it was read"),
  }),
  output: draftSendOutput,
  errors: sendErrors,
  run: (service, caller, { draft_id, content_hash }, call) =>
    unlessSent(service, caller, call, { draft_id, content_hash }, async (draft) => {
      const isApproved = draft.status === "scheduled" && draft.approvedHash !== null;
      if (!isApproved) requirePossible(draft, "approve");
      const loaded = await loadOpen(service, draft);
      const { submission, hash } = loaded;
      requireHash(hash, content_hash);
      if (isApproved) return heldOutputOf(service, draft, submission, hash);
      const now = service.clock.now();
      const by = await deciderOf(service.database, caller, "approve_draft");
      if (draft.sendAt === null || draft.sendAt <= now) {
        return await submitDraft(service, caller, call, loaded, { type: "approve", by });
      }
      const event = { type: "approve", by, now, hash, sent: null } as const;
      const scheduled = await moveDraftAlone(service, call, draft, event);
      return heldOutputOf(service, scheduled, submission, hash);
    }),
});

/** The first answer, if the draft was sent, else that of `send`. Throws CONFLICT if the hash is of another content. */
async function unlessSent(
  { database }: Pick<Service, "database">,
  caller: Caller,
  call: Audit,
  asked: { draft_id: string; content_hash?: string },
  send: (draft: Draft) => Promise<DraftSendOutput>,
): Promise<DraftSendOutput> {
  return await untilUnchanged(async () => {
    const draft = await readDraft(database, caller, asked.draft_id);
    const { mailboxId, status, sent, endedHash } = draft;
    call.audit({ mailboxId, emailId: sent?.email_id ?? null });
    if (status !== "sent" || sent === null) return await send(draft);
    if (endedHash !== null) requireHash(endedHash, asked.content_hash);
    return sent;
  });
}

/**
 * Sends a draft for a request through the one function that sends. Its status changes in the same commit, which checks that
 * the draft is the one that was loaded. So it is sent once, however often it is asked for, and if processes are killed. One
 * that waited and is refused becomes a `draft` again, with the reasons.
 */
async function submitDraft(
  service: Service,
  caller: Caller,
  call: Audit,
  { draft, submission, hash }: LoadedDraft,
  move: DraftToSend["event"],
): Promise<DraftSendOutput> {
  const facts = { now: service.clock.now(), hash };
  try {
    const of = { draft, hash, kept: endedContent(submission), event: move };
    const sent = await submit(service, caller, call, submission, of);
    if ("output" in sent) return sent.output;
    const event = { type: "want_approval", ...facts, reasons: sent.wanted, sendAt: null } as const;
    const waits = await moveDraftAlone(service, call, draft, event);
    return heldOutputOf(service, waits, submission, hash);
  } catch (error) {
    if (error instanceof SendRefused && isPossible(draft, "refuse")) {
      const event = { type: "refuse", ...facts, reasons: error.reasons } as const;
      await moveDraftAlone(service, call, draft, event);
    }
    throw error;
  }
}
