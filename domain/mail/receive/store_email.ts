import type { Receives } from "./delivery.ts";
import type { SenderFacts } from "../../ports/sender_checks.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { addEmail } from "../lifecycle/apply.ts";
import type { Email } from "../record/email.ts";
import { participantsOf } from "../record/threads/participants.ts";
import { rememberSubject, threadBySubject } from "../record/threads/subject_threads.ts";
import { joinThread } from "../record/threads/threads.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { MessageBody } from "../../../mime/body/parse_body.ts";

/**
 * Writes a new email, received or sent, into the caller's transaction: its record and index rows, its thread, the
 * counters of its mailbox and its jobs. Mail that was parsed before, with its `body`, also emits `email.received`; for
 * other mail the job does. `facts`: of received mail whose sender is not checked yet. Returns the email with its thread.
 * A reply of this account comes with the thread of its parent.
 */
export async function storeEmail(
  tx: Tx,
  service: Receives,
  unthreaded: Email,
  body: MessageBody | null,
  facts?: SenderFacts,
): Promise<Email> {
  const { userId, mailboxId } = unthreaded;
  const address = (await tx.peek<Mailbox>(keys.mailbox(userId, mailboxId)))?.address ?? "";
  const participants = participantsOf(unthreaded, address);
  const { threadId, merged } = await joinThread(
    tx,
    { ...unthreaded, participants },
    service.ids.timed(service.clock.now()),
    () => threadBySubject(tx, unthreaded, participants),
  );
  const email: Email = { ...unthreaded, threadId };
  await rememberSubject(tx, email, participants);
  for (const from of merged) {
    service.jobs.add(tx, "merge_thread", { userId, from });
  }
  await addEmail(tx, service, email, { excerpt: body?.excerpt ?? "", facts });
  if (body) tx.afterCommit(() => service.parsedBodies.keep(email, body));
  return email;
}
