import { countActivity } from "../../activity/counters.ts";
import type { Service } from "../../core/service.ts";
import type { SenderFacts } from "../../ports/sender_checks.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { applyProcessing } from "../lifecycle/apply_processing.ts";
import { writeCheckpoints } from "../record/checkpoints.ts";
import type { Email } from "../record/email.ts";
import { participantsOf } from "../record/threads/participants.ts";
import { rememberSubject, threadBySubject } from "../record/threads/subject_threads.ts";
import { joinThread } from "../record/threads/threads.ts";
import { writeEmail } from "../record/write_email.ts";
import type { MailboxStats } from "../../mailboxes/mailbox_stats.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";

/**
 * Writes a new email, received or sent, into the caller's transaction: its record and index rows, its thread, the
 * counters of its mailbox and its jobs. Mail that was parsed before, with its `body`, also emits `email.received`; for
 * other mail the job does. `facts`: of received mail whose sender is not checked yet. Returns the email with its thread.
 * The draft of a reply has the thread of its parent.
 */
export async function storeEmail(
  tx: Tx,
  service: Service,
  draft: Email,
  body: MessageBody | null,
  facts?: SenderFacts,
): Promise<Email> {
  const { userId, mailboxId } = draft;
  const address = (await tx.peek<Mailbox>(keys.mailbox(userId, mailboxId)))?.address ?? "";
  const participants = participantsOf(draft, address);
  const { threadId, merged } = await joinThread(
    tx,
    { ...draft, participants },
    service.ids.timed(service.clock.now()),
    () => threadBySubject(tx, draft, participants),
  );
  const email: Email = { ...draft, threadId };
  await rememberSubject(tx, email, participants);
  writeEmail(tx, email, body?.excerpt ?? "");
  for (const from of merged) {
    service.jobs.add(tx, "merge_thread", { userId, from });
  }
  await countEmail(tx, email);
  countActivity(tx, userId, email.direction === "inbound" ? "received" : "sent", email.receivedAt);
  await applyProcessing(tx, service, email, null, {
    is: "stored",
    inbound: email.direction === "inbound",
    large: email.size >= largeMessageBytes,
    parsed: email.parsed,
    facts,
  });
  if (body) tx.afterCommit(() => service.parsedBodies.keep(email, body));
  return email;
}

/** Counts a new email in the stats of its mailbox; if another process counts there too, in the row of this lane. */
async function countEmail(tx: Tx, email: Email): Promise<void> {
  const { userId, mailboxId, emailId, receivedAt } = email;
  const isInbound = email.direction === "inbound";
  const statsKey = keys.mailboxStats(userId, mailboxId);
  const own = tx.lane !== null && tx.contended(statsKey)
    ? keys.mailboxStatsLane(userId, mailboxId, tx.lane)
    : null;
  const stats = await tx.get<MailboxStats>(own ?? statsKey, { likelyAbsent: own !== null });
  const { emails, lastEmailAt, rows = 0, newestId = "", newestGone, checkpoints }: MailboxStats =
    stats ?? { emails: 0, lastEmailAt: 0 };
  const before = { rows, newestId, newestGone, checkpoints };
  const held = own ? undefined : await writeCheckpoints(tx, email, before);
  const counted: MailboxStats = {
    emails: emails + (isInbound ? 1 : 0),
    lastEmailAt: isInbound ? receivedAt : lastEmailAt,
    rows: rows + 1,
    newestId: emailId < newestId ? newestId : emailId,
    ...(newestGone && emailId < newestId ? { newestGone } : {}),
    ...(held ? { checkpoints: held } : {}),
  };
  tx.set(own ?? statsKey, counted);
}
