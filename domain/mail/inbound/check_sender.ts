import { describeError } from "../../core/log.ts";
import type { Service } from "../../core/service.ts";
import type { SenderAuth, SenderFacts } from "../../ports/sender_checks.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";
import { readBlob } from "../../store/blobs.ts";
import type { Tx } from "../../store/database.ts";
import type { CheckedBefore } from "../../core/job_kinds.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { isStoreFault } from "../../store/remote/faults.ts";
import { type Email } from "../record/email.ts";
import { recordEmailChange } from "../record/email_changes.ts";
import { emitProcessed } from "../record/email_events.ts";
import { storedEmail, storedEmailKeys } from "../record/read_email.ts";
import { authWithoutCheck } from "../record/stored_auth.ts";
import type { EmailRow } from "../record/email_row.ts";
import { writeRow } from "../record/write_email.ts";

/** A check that the DNS has not answered by then is `error`. */
const checkMs = 10_000;
/** How long after an `error` the sender is checked again: the DNS may have been down, or a stranger's mail kept it busy. */
const againAfterMs = [30_000, 120_000];
/** After this many failed runs, 7 s after the first one, the check itself has failed. */
const mostTries = 4;

type CheckJob = Job<"check_sender">;

/** Checks the sender of a received email, within 10 s after `from` (ms since 1970). Throws if its bytes cannot be read. */
export async function checkSender(
  service: Service,
  email: Email,
  facts: SenderFacts,
  from = email.receivedAt,
): Promise<SenderAuth> {
  return await service.senderChecks.check({
    userId: email.userId,
    facts,
    reversePath: email.envelope.from,
    from: email.from.address,
    raw: () => rawInTurn(service, email),
    // Its time may be that of a clock ahead.
    until: Math.min(from, service.clock.now()) + checkMs,
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

/**
 * Checks the sender of an email that `process_email` did not check in time, and ends its processing if that waits for it.
 * With `again`, checks an email whose verdict is `error` once more.
 */
export async function runCheck(service: Service, job: CheckJob): Promise<void> {
  const { userId, emailId, facts, again } = job.payload;
  // A large body is hashed: acknowledgements come first.
  await service.arrivalLoad.idle(service.clock.now() - job.createdAt);
  const email = await storedEmail(service.database, userId, emailId);
  const isDone = email && (again === undefined ? email.auth !== null : isSettled(email));
  if (!email || isDone) return await endCheck(service, job, null);
  const from = again === undefined ? email.receivedAt : service.clock.now();
  const auth = await checkSender(service, email, facts, from).catch((error) => {
    // A full disk says nothing about the sender.
    if (job.attempts + 1 < mostTries || isStoreFault(error)) throw error;
    service.log.warn("mail.sender_unchecked", {
      email_id: emailId,
      error: describeError(error),
    });
    return authWithoutCheck("error");
  });
  await endCheck(service, job, { auth, facts, again });
}

/** Ends the job of an email that was being checked when the process died three times. */
export async function setCheckAside(service: Service, job: CheckJob): Promise<void> {
  service.log.error("mail.sender_unchecked", { email_id: job.payload.emailId });
  await endCheck(service, job, { auth: authWithoutCheck("error"), facts: null });
}

async function endCheck(
  service: Service,
  job: CheckJob,
  check: SenderCheck | null,
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
    if (status === null) showAuth(tx, service, userId, email, check);
    else await emitProcessed(tx, service, settleAuth(tx, service, userId, email, check), status);
  }, { prefetch: [...storedEmailKeys(userId, emailId), unchecked] });
}

/** A check of a sender: its result, or the input for a separate job. */
export interface SenderCheck {
  auth: SenderAuth | null;
  /** null if it is not to be checked again. */
  facts: SenderFacts | null;
  /** The checks before, if all were `error`. */
  again?: CheckedBefore;
}

/** Whether the verdict stands. An `error` is only the lack of one. */
function isSettled({ auth }: Pick<EmailRow, "auth">): boolean {
  return auth !== null && auth.verdict !== "error";
}

/**
 * As `settleAuth`, for an email that is not processed in the same commit: requests that wait for the verdict are told of
 * it now.
 */
export function showAuth<Row extends EmailRow | Email>(
  tx: Tx,
  service: Service,
  userId: string,
  email: Row,
  check: SenderCheck | null,
): void {
  const checked = settleAuth(tx, service, userId, email, check);
  if (checked !== email) {
    recordEmailChange(tx, { ...checked, userId }, "email.updated", service.clock.now());
  }
}

/**
 * Writes the result of the check into the row of the email, if there is one and the row has none. After an `error` the
 * sender is checked again, and what is found then takes its place.
 */
export function settleAuth<Row extends EmailRow | Email>(
  tx: Tx,
  service: Service,
  userId: string,
  email: Row,
  check: SenderCheck | null,
): Row {
  const auth = check?.auth;
  if (!auth || isSettled(email)) return email;
  const { facts, again = { errors: 0, since: service.clock.now() } } = check;
  const after = againAfterMs[again.errors];
  if (auth.verdict === "error" && facts && after !== undefined) {
    const next = { ...again, errors: again.errors + 1 };
    const payload = { userId, emailId: email.emailId, facts, again: next };
    service.jobs.add(tx, "check_sender", payload, again.since + after);
  }
  if (email.auth && auth.verdict === "error") return email;
  const checked = { ...email, auth };
  writeRow(tx, userId, checked);
  return checked;
}
