import type { User } from "../../../accounts/user.ts";
import { type ErrorCode, ServiceError } from "../../../core/errors.ts";
import type { Service } from "../../../core/service.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import type { Tx } from "../../../store/database.ts";
import type { Job } from "../../../store/jobs.ts";
import * as keys from "../../../store/keys.ts";
import { moveDraftAlone, noAudit } from "../../lifecycle/apply.ts";
import { judgedAddresses, type Submission } from "../outgoing_message.ts";
import { judge, knownWriters, SendRefused } from "../send_rules.ts";
import { submit } from "../submit.ts";
import type { Draft } from "../../record/draft.ts";
import { untilUnchanged } from "./draft.ts";
import { endedContent, loadOpen } from "./draft_content.ts";
import type { Reason } from "../../record/send_output.ts";

/** Temporary failures: the job is tried again. All other codes need a person. */
const passing: readonly ErrorCode[] = ["SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];

/**
 * Sends a scheduled draft when its time has come. If a person must approve it by now it waits for one; if it is refused
 * it is a `draft` again with the codes in its reasons; if its thread goes too fast it waits. If the draft was changed,
 * it has another job and this one ends.
 */
export async function sendScheduled(service: Service, job: Job<"send_draft">): Promise<void> {
  await untilUnchanged(() => runOnce(service, job));
}

async function runOnce(service: Service, job: Job<"send_draft">): Promise<void> {
  const { database, jobs, clock } = service;
  const { userId, draftId, sendAt } = job.payload;
  const complete = () => database.transact((tx) => jobs.complete(tx, job));
  const draft = await database.get<Draft>(keys.draft(userId, draftId));
  if (draft?.status !== "scheduled" || draft.sendAt !== sendAt) return await complete();
  const [user, mailbox] = await Promise.all([
    database.get<User>(keys.user(userId)),
    database.get<Mailbox>(keys.mailbox(userId, draft.mailboxId)),
  ]);
  if (!user || !mailbox) return await complete();
  if (clock.now() < sendAt) {
    // The clock was set back, or somebody woke the job.
    return await database.transact((tx) => jobs.putOff(tx, job, sendAt, { attempts: 0 }));
  }
  const { submission, hash } = await loadOpen(service, draft);
  const keep = async (
    event: { type: "want_approval"; sendAt: number } | { type: "refuse" },
    reasons: readonly Reason[],
  ) => {
    const facts = { now: clock.now(), hash, reasons };
    const end = (tx: Tx) => jobs.complete(tx, job);
    const { status } = await moveDraftAlone(service, noAudit, draft, { ...facts, ...event }, end);
    service.log.warn("draft.not_sent", { draft_id: draftId, status });
  };
  try {
    const kept = endedContent(submission);
    const of = { draft, hash, kept, event: { type: "time_reached" }, job } as const;
    const sent = await submit(service, user, noAudit, submission, of);
    if ("wanted" in sent) await keep({ type: "want_approval", sendAt }, sent.wanted);
  } catch (error) {
    if (!(error instanceof ServiceError) || passing.includes(error.code)) throw error;
    if (error.code === "RATE_LIMIT_EXCEEDED") {
      const runAt = clock.now() + (error.retryAfterSeconds ?? 60) * 1_000;
      service.log.warn("draft.paused", { draft_id: draftId, reason: error.message });
      return await database.transact((tx) => jobs.putOff(tx, job, runAt));
    }
    const reasons = error instanceof SendRefused
      ? error.reasons
      : await reasonsOf(service, submission, error.code);
    await keep({ type: "refuse" }, reasons);
  }
}

/** The mail is refused for all its recipients. */
async function reasonsOf(
  service: Service,
  submission: Submission,
  code: ErrorCode,
): Promise<Reason[]> {
  const writers = await knownWriters(service, submission, { always: true });
  const { provenances } = await service.database.transact((tx) =>
    judge(tx, service, submission, writers, { all: true })
  );
  return judgedAddresses(submission).map((recipient) => ({
    recipient,
    provenance: provenances.get(recipient) ?? "new",
    code,
  }));
}
