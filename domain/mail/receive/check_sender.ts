import { describeError } from "../../core/log.ts";
import type { Service } from "../../core/service.ts";
import type { SenderAuth, SenderFacts } from "../../ports/sender_checks.ts";
import { largeMessageBytes } from "../../../mime/body/parse_question.ts";
import { readBlob } from "../../store/blobs.ts";
import type { CheckedBefore } from "../../core/job_kinds.ts";
import type { Job } from "../../store/jobs.ts";
import { isStoreFault } from "../../store/remote/faults.ts";
import { endJob } from "../lifecycle/processing_jobs.ts";
import type { SenderCheck } from "../lifecycle/processing.ts";
import type { Email } from "../record/email.ts";
import { storedEmail } from "../record/read_email.ts";
import { authWithoutCheck } from "../record/stored_auth.ts";

type Checks =
  & Parameters<typeof endJob>[0]
  & Pick<Service, "arrivalLoad" | "largeMessageTurns" | "log" | "senderChecks">;

/** A check that the DNS has not answered by then is `error`. */
const checkMs = 10_000;
/** After this many failed runs, 7 s after the first one, the check itself has failed. */
const mostTries = 4;

type CheckJob = Job<"check_sender">;

/** Checks the sender of a received email, within 10 s after `from` (ms since 1970). Throws if its bytes cannot be read. */
export async function checkSender(
  service: Checks,
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
async function* rawInTurn(service: Checks, { userId, raw }: Email): AsyncGenerator<Uint8Array> {
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
export async function runCheck(service: Checks, job: CheckJob): Promise<void> {
  const { userId, emailId, facts, again } = job.payload;
  // A large body is hashed: acknowledgements come first.
  await service.arrivalLoad.idle(service.clock.now() - job.createdAt);
  const email = await storedEmail(service.database, userId, emailId);
  const isDone = again === undefined ? email?.auth : email?.auth?.verdict !== "error";
  if (!email || isDone) {
    return await service.database.transact((tx) => service.jobs.complete(tx, job));
  }
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
  const check = { auth, facts, again: again ?? notCheckedBefore(service) };
  await endJob(service, job, { is: "checked", check });
}

/** Ends the job of an email that was being checked when the process died three times. */
export async function setCheckAside(service: Checks, job: CheckJob): Promise<void> {
  service.log.error("mail.sender_unchecked", { email_id: job.payload.emailId });
  await endJob(service, job, { is: "checked", check: failedCheck(service) });
}

export function notCheckedBefore({ clock }: Pick<Service, "clock">): CheckedBefore {
  return { errors: 0, since: clock.now() };
}

/** Of a sender that is not checked any more. */
export function failedCheck(service: Pick<Service, "clock">): SenderCheck {
  return { auth: authWithoutCheck("error"), facts: null, again: notCheckedBefore(service) };
}
