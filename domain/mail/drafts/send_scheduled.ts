import type { User } from "../../accounts/user.ts";
import { type ErrorCode, ServiceError } from "../../core/errors.ts";
import type { Service } from "../../core/service.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { moveDraftAlone, noAudit } from "../lifecycle/apply.ts";
import { judgedAddresses, type Submission } from "../outbound/outgoing_message.ts";
import { ApprovalWanted, judge, type Reason, SendRefused } from "../outbound/send_rules.ts";
import { knownWriters } from "../outbound/submit.ts";
import type { Draft } from "../record/draft.ts";
import { untilUnchanged } from "./draft.ts";
import { loadOpen } from "./draft_content.ts";
import { commitDraft } from "./send_draft.ts";

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
  const loaded = await loadOpen(service, draft);
  const inCommit = (tx: Tx) => jobs.complete(tx, job);
  try {
    await commitDraft(service, user, noAudit, loaded, "time_reached", inCommit);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "RATE_LIMIT_EXCEEDED") {
      const runAt = clock.now() + (error.retryAfterSeconds ?? 60) * 1_000;
      service.log.warn("draft.paused", { draft_id: draftId, reason: error.message });
      return await database.transact((tx) => jobs.putOff(tx, job, runAt));
    }
    const event = await notSent(service, error, loaded.submission, sendAt);
    if (event === null) throw error;
    const at = { now: clock.now(), hash: loaded.hash };
    const { status } = await moveDraftAlone(service, noAudit, draft, { ...at, ...event }, inCommit);
    service.log.warn("draft.not_sent", { draft_id: draftId, status });
  }
}

/** What happens to a draft that was not sent because of this error; null if it is tried again as it is. */
async function notSent(service: Service, error: unknown, submission: Submission, sendAt: number) {
  if (error instanceof ApprovalWanted) {
    return { type: "want_approval" as const, reasons: error.reasons, sendAt };
  }
  if (!(error instanceof ServiceError) || passing.includes(error.code)) return null;
  const reasons = error instanceof SendRefused
    ? error.reasons
    : await reasonsOf(service, submission, error.code);
  return { type: "refuse" as const, reasons };
}

/** The mail is refused for all its recipients. */
async function reasonsOf(
  service: Service,
  submission: Submission,
  code: ErrorCode,
): Promise<Reason[]> {
  const { userId, mailboxId } = submission.mailbox;
  const recipients = judgedAddresses(submission);
  const writers = await knownWriters(service, submission, { always: true });
  const { provenances } = await service.database.transact((tx) =>
    judge(tx, service, { userId, mailboxId, recipients, writers, approved: false }, { all: true })
  );
  return recipients.map((recipient) => ({
    recipient,
    provenance: provenances.get(recipient) ?? "new",
    code,
  }));
}
