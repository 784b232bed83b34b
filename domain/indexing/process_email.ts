import { describeError } from "../core/log.ts";
import type { Service } from "../core/service.ts";
import { within } from "../core/work/within.ts";
import { authWithoutCheck } from "../mail/record/stored_auth.ts";
import type { Tx } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { isStoreFault } from "../store/remote/faults.ts";
import { emitReceived } from "../mail/record/email_events.ts";
import { parsedFields, readBody } from "../mail/reading/parsing/parsed_bodies.ts";
import { nullIfDeleted } from "../mail/reading/parsing/stored_message.ts";
import type { Email } from "../mail/record/email.ts";
import { type MessageBody, unreadBody } from "../../mime/body/parse_body.ts";
import { readRow, type StoredRow } from "../mail/record/email_row.ts";
import { storedEmail, storedEmailKeys } from "../mail/record/read_email.ts";
import { writeDetails, writeEmail } from "../mail/record/write_email.ts";
import { indexedEmail } from "./indexed_email.ts";
import { checkSender, type SenderCheck, showAuth } from "../mail/inbound/check_sender.ts";
import { endWithoutEmail, finishEmail, handOverCheck, type ProcessStatus } from "./finish_email.ts";

/** A job of an email of either size. */
type ProcessJob = Job<"process_email" | "process_large_email">;

/** How long an indexed email waits for the check of its sender; after that the check becomes a separate job. */
const checkGraceMs = 25;
/** The same for an email that is not indexed yet: its verdict must not wait for the index. */
const longestTogetherMs = 1_000;

/** After this many failed runs, 15 s after the first one, the email is indexed without its text. */
const triesWithText = 5;

/**
 * Follows an arrival or a send: the email is indexed, its sender is checked, and then it is marked processed (its row
 * under emails_unprocessed is deleted). A large email is parsed first, and its rows are written again with what its body
 * adds. Each step is a commit. A job can run twice: each step first checks if it was done. The index is durable before
 * the mark.
 *
 * A job that failed runs alone the next time, so that a message that cannot be indexed does not block others.
 */
export async function processEmails(service: Service, jobs: ProcessJob[]): Promise<void> {
  const oldest = Math.min(...jobs.map(({ createdAt }) => createdAt));
  await service.arrivalLoad.idle(service.clock.now() - oldest);
  const failures: unknown[] = [];
  const attempt = (some: ProcessJob[]) =>
    processTogether(service, some).catch((error) => failures.push(error));
  await attempt(jobs.filter(({ attempts }) => attempts === 0));
  for (const job of jobs) if (job.attempts > 0) await attempt([job]);
  if (failures.length > 0) throw failures[0];
}

async function processTogether(service: Service, jobs: ProcessJob[]): Promise<void> {
  const read = (await Promise.all(jobs.map((job) => readJob(service, job))))
    .filter((each) => each !== null);
  if (read.length === 0) return;
  // The index runs in its own thread: snippets and events are written meanwhile, even if indexing fails.
  const indexing = addToIndex(service, read);
  indexing.catch(() => {});
  const checks = new SenderCheckRun(service, read);
  const found = await Promise.all(read.map((each) => showParsed(service, each)));
  const status = await checks.beside(indexing);
  await Promise.all(
    found.map(({ job, email }, n) => {
      const check = checks.of(n);
      return service.semantic && status === "indexed"
        ? handOver(service, job, email, check)
        : finishEmail(service, job, email, { status, check });
    }),
  );
}

/** The checks of the senders of a batch, which run while the batch is indexed. */
class SenderCheckRun {
  private readonly checks: (SenderCheck | null)[];
  private readonly ended: Promise<unknown>;
  private readonly handedOver = new Set<number>();

  constructor(private readonly service: Service, private readonly read: readonly ReadJob[]) {
    this.checks = read.map(({ job, email }) => {
      const facts = "facts" in job.payload && email.auth === null ? job.payload.facts : null;
      return facts ? { auth: null, facts } : null;
    });
    this.ended = Promise.all(this.checks.map(async (check, n) => {
      if (!check) return;
      // A failure leaves the check to its job, which tries again.
      const auth = await checkSender(service, read[n].email, check.facts!).catch(() => null);
      check.auth = auth;
    }));
  }

  /**
   * The result or failure of the indexing. If it takes long or fails, the checks have been given to separate jobs
   * before.
   */
  async beside(indexing: Promise<ProcessStatus>): Promise<ProcessStatus> {
    const { clock } = this.service;
    try {
      await within(clock, indexing, longestTogetherMs);
    } catch {
      await this.handOverAll();
    }
    const status = await indexing;
    await within(clock, this.ended, checkGraceMs).catch(() => {});
    return status;
  }

  /** null if there is nothing to check, or a separate job does it. */
  of(n: number): SenderCheck | null {
    return this.handedOver.has(n) ? null : this.checks[n];
  }

  /** Once for each email: a job that failed before has given its check to a separate job then. */
  private async handOverAll(): Promise<void> {
    const { service } = this;
    await Promise.all(this.checks.map(async (check, n) => {
      const { payload, attempts } = this.read[n].job;
      if (!check || attempts > 0) return;
      this.handedOver.add(n);
      const { facts } = check;
      await service.database.transact((tx) => {
        handOverCheck(tx, service, payload, { auth: null, facts });
      });
    }));
  }
}

/**
 * Adds emails to the index. An email that failed five times is added without its text. If that succeeds, the text was the
 * cause: the email is then found by its header fields, and its processing has failed permanently.
 */
async function addToIndex(service: Service, read: ReadJob[]): Promise<ProcessStatus> {
  const emails = read.map(({ email, body }) => indexedEmail(email, body));
  try {
    await service.searchIndex.add(emails);
    return "indexed";
  } catch (error) {
    const [{ job }] = read;
    // A full disk says nothing about the text.
    if (read.length > 1 || job.attempts + 1 < triesWithText || isStoreFault(error)) throw error;
    await service.searchIndex.add(emails.map((each) => ({
      ...each,
      text: "",
      attachmentNames: [],
    })));
    const facts = { email_id: job.payload.emailId, error: describeError(error) };
    service.log.warn("mail.not_indexed", facts);
    return "failed";
  }
}

/**
 * Adds the job for the vectors. It is separate because the provider can be slow, and lexical search finds the email
 * already. A model inside this process is even slower: then the email counts as processed now.
 */
async function handOver(
  service: Service,
  job: ProcessJob,
  email: Email,
  check: SenderCheck | null,
): Promise<void> {
  const { userId, emailId } = email;
  if (service.semantic?.embedder.inBackground) {
    const also = (tx: Tx) => {
      tx.set(keys.emailWithoutVectors(userId, emailId), 1);
      service.jobs.add(tx, "embed_email", { userId, emailId });
    };
    return await finishEmail(service, job, email, { check, also });
  }
  const waits = await service.database.transact(async (tx) => {
    const [unprocessed, stored] = await Promise.all([
      tx.get(keys.emailUnprocessed(userId, emailId)),
      tx.get<StoredRow>(keys.email(userId, emailId)),
    ]);
    if (unprocessed === null || !stored) return false;
    const current = readRow(emailId, stored);
    service.jobs.complete(tx, job);
    service.jobs.add(tx, "embed_email", { userId, emailId });
    showAuth(tx, service, userId, current, check);
    if (!current.auth) handOverCheck(tx, service, { userId, emailId }, check);
    return true;
  });
  if (!waits) await finishEmail(service, job, email, { check });
}

/** A job whose email and body were read. */
interface ReadJob {
  job: ProcessJob;
  email: Email;
  body: MessageBody;
}

/** The email of a job with its body. If the email was deleted, ends the job and returns null. */
async function readJob(service: Service, job: ProcessJob): Promise<ReadJob | null> {
  const { userId, emailId } = job.payload;
  const email = await storedEmail(service.database, userId, emailId);
  // An email that was being read when the process died twice may be the cause: it is parsed in a Worker with a deadline.
  const inWorker = (job.deaths ?? 0) > 1;
  // Mail is often read soon after it came.
  const body = email &&
    await nullIfDeleted(readBody(service, email, { remember: true, inWorker }));
  if (body) return { job, email, body };
  await endWithoutEmail(service, job);
  return null;
}

/**
 * Ends the job of an email that was being read when the process died three times. The email stays listed and downloadable;
 * its `problem` says that it was not read.
 */
export async function setEmailAside(service: Service, job: ProcessJob): Promise<void> {
  const { userId, emailId } = job.payload;
  const problem = "The message was set aside: the service stopped three times while it was read.";
  const email = await service.database.transact(async (tx) => {
    const current = await storedEmail(tx, userId, emailId);
    if (!current) return null;
    const parsed = { ...(current.parsed ?? parsedFields(unreadBody(problem))), problem };
    const next: Email = { ...current, parsed, truncated: true };
    if (current.parsed) writeDetails(tx, next);
    else {
      writeEmail(tx, next, "");
      await emitReceived(tx, service, next);
    }
    return next;
  });
  service.log.error("mail.set_aside", { email_id: emailId });
  const check = "facts" in job.payload ? { auth: authWithoutCheck("error"), facts: null } : null;
  if (email) await finishEmail(service, job, email, { check });
  else await endWithoutEmail(service, job);
}

/** Writes what a large email's body adds into its rows and emits `email.received`; returns the email as it is now. */
async function showParsed(
  service: Service,
  { job, email, body }: ReadJob,
): Promise<{ job: ProcessJob; email: Email }> {
  if (email.parsed) return { job, email };
  const { userId, emailId } = email;
  const shown = await service.database.transact(async (tx) => {
    const current = await storedEmail(tx, userId, emailId);
    if (!current || current.parsed) return current;
    const next: Email = {
      ...current,
      parsed: parsedFields(body),
      truncated: current.truncated || body.truncated,
    };
    writeEmail(tx, next, body.excerpt);
    await emitReceived(tx, service, next);
    return next;
  }, { prefetch: storedEmailKeys(userId, emailId) });
  service.log.debug("mail.parsed", { email_id: emailId, problem: body.problem });
  return { job, email: shown ?? email };
}

/** Logs an indexing failure at attempts 1, 2, 3, 5, 9 and so on. */
export function logIndexFailure(service: Service, job: Job, error: unknown): void {
  if ((job.attempts & (job.attempts - 1)) !== 0) return;
  service.log.warn("mail.process_failed", {
    job_id: job.jobId,
    attempts: job.attempts + 1,
    error: describeError(error),
  });
}
