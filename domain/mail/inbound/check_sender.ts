import { describeError } from "../../core/log.ts";
import type { Service } from "../../core/service.ts";
import type { SenderAuth, SenderFacts } from "../../ports/sender_checks.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";
import { readBlob } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { type Email } from "../record/email.ts";
import { recordEmailChange } from "../record/email_changes.ts";
import { emitProcessed } from "../record/email_events.ts";
import { storedEmail, storedEmailKeys } from "../record/read_email.ts";
import { authWithoutCheck } from "../record/stored_auth.ts";
import type { EmailRow } from "../record/email_row.ts";
import { writeRow } from "../record/write_email.ts";

/** A check that the DNS has not answered by then is `error`. */
const checkMs = 10_000;
/** After this many failed runs, 7 s after the first one, the check itself has failed. */
const mostTries = 4;

type CheckJob = Job<"check_sender">;

/** Checks the sender of a received email. Throws if its bytes cannot be read. */
export async function checkSender(
  service: Service,
  email: Email,
  facts: SenderFacts,
): Promise<SenderAuth> {
  return await service.senderChecks.check({
    userId: email.userId,
    facts,
    reversePath: email.envelope.from,
    from: email.from.address,
    raw: () => rawInTurn(service, email),
    until: email.receivedAt + checkMs,
  });
}

/** The bytes of an email. A large one waits for the turn of its account, so that few bodies are hashed at once. */
async function* rawInTurn(service: Service, { userId, raw }: Email): AsyncGenerator<Uint8Array> {
  if (raw.size < largeMessageBytes) return yield* readBlob(service.database, raw);
  const turn = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const ended = service.largeMessageTurns.run(userId, () => (turn.resolve(), over.promise));
  try {
    await turn.promise;
    yield* readBlob(service.database, raw);
  } finally {
    over.resolve();
    await ended;
  }
}

/** Checks the sender of an email that `process_email` did not check in time, and ends its processing if that waits for it. */
export async function runCheck(service: Service, job: CheckJob): Promise<void> {
  const { userId, emailId, facts } = job.payload;
  // A large body is hashed: acknowledgements come first.
  await service.arrivalLoad.idle(service.clock.now() - job.createdAt);
  const email = await storedEmail(service.database, userId, emailId);
  if (!email || email.auth) return await endCheck(service, job, null);
  const auth = await checkSender(service, email, facts).catch((error) => {
    if (job.attempts + 1 < mostTries) throw error;
    service.log.warn("mail.sender_unchecked", {
      email_id: emailId,
      error: describeError(error),
    });
    return authWithoutCheck("error");
  });
  await endCheck(service, job, auth);
}

/** Ends the job of an email that was being checked when the process died three times. */
export async function setCheckAside(service: Service, job: CheckJob): Promise<void> {
  service.log.error("mail.sender_unchecked", { email_id: job.payload.emailId });
  await endCheck(service, job, authWithoutCheck("error"));
}

async function endCheck(
  service: Service,
  job: CheckJob,
  auth: SenderAuth | null,
): Promise<void> {
  const { userId, emailId } = job.payload;
  const unchecked = keys.emailUnchecked(userId, emailId);
  await service.database.transact(async (tx) => {
    const [email, status] = await Promise.all([
      storedEmail(tx, userId, emailId),
      tx.get<"indexed" | "failed">(unchecked),
    ]);
    if (status !== null) tx.delete(unchecked);
    service.jobs.complete(tx, job);
    if (!email) return;
    const checked = settleAuth(tx, userId, email, auth);
    if (status !== null) await emitProcessed(tx, service, checked, status);
    // Requests that wait for the verdict see it before the email is indexed.
    else if (checked !== email) {
      recordEmailChange(tx, checked, "email.updated", service.clock.now());
    }
  }, { prefetch: [...storedEmailKeys(userId, emailId), unchecked] });
}

/** Writes the result of the check into the row of the email, if there is one and the row has none. */
export function settleAuth<Row extends EmailRow | Email>(
  tx: Tx,
  userId: string,
  email: Row,
  auth: SenderAuth | null,
): Row {
  if (email.auth || !auth) return email;
  const checked = { ...email, auth };
  writeRow(tx, userId, checked);
  return checked;
}
