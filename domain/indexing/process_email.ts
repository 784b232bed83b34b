import { describeError } from "../core/log.ts";
import type { Service } from "../core/service.ts";
import { within } from "../core/work/within.ts";
import type { Job } from "../store/jobs.ts";
import { isStoreFault } from "../store/remote/faults.ts";
import { readBody } from "../mail/read/parsing/parsed_bodies.ts";
import { hasFilesToIndex, parsedFields } from "../mail/record/email.ts";
import { nullIfDeleted } from "../mail/read/parsing/stored_message.ts";
import type { Email } from "../mail/record/email.ts";
import { type MessageBody, unreadBody } from "../../mime/body/parse_body.ts";
import { storedEmail, storedEmailKeys } from "../mail/record/read_email.ts";
import { writeDetails, writeEmail } from "../mail/record/write_email.ts";
import { indexedEmail } from "./indexed_email.ts";
import { checkSender, failedCheck, notCheckedBefore } from "../mail/receive/check_sender.ts";
import { advance } from "../mail/lifecycle/apply.ts";
import { endJob, endWithoutEmail } from "../mail/lifecycle/processing_jobs.ts";
import type { SenderCheck } from "../mail/lifecycle/processing.ts";

/** A job of an email of either size. */
type ProcessJob = Job<"process_email" | "process_large_email">;

/** How long an indexed email waits for the check of its sender; after that the check becomes a separate job. */
const checkGraceMs = 25;
/** The same for an email that is not indexed yet: its verdict must not wait for the index. */
const longestTogetherMs = 1_000;

/** After this many failed runs, 15 s after the first one, the email is indexed without its text. */
const triesWithText = 5;

/**
 * Follows an arrival or a send: the email is indexed, its sender is checked, and then it is processed
 * (`mail/lifecycle/processing.ts`). A large email is parsed first, and its rows are written again with what its body
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
  const { checks, ended } = beginChecks(service, read);
  const emails = await Promise.all(read.map((each) => showParsed(service, each)));
  const isLate = await within(service.clock, indexing, longestTogetherMs)
    .then(() => false, () => true);
  if (isLate) await endChecks(service, read, checks);
  const withText = await indexing;
  await within(service.clock, ended, checkGraceMs).catch(() => {});
  const inBackground = service.semantic?.embedder.inBackground;
  await Promise.all(read.map(({ job }, n) =>
    endJob(service, job, {
      is: "indexed",
      problem: emails[n].parsed?.problem ?? null,
      withText,
      // A provider can be slow, and lexical search finds the email already. A model inside this process is even slower.
      embedded: !service.semantic ? "done" : inBackground ? "later" : "waiting",
      hasFiles: hasFilesToIndex(emails[n]),
      check: checks[n] && { ...checks[n] },
    })
  ));
}

/** The checks of the senders of a batch, which run while it is indexed; null if there is nothing to check. */
type Checks = (SenderCheck | null)[];

function beginChecks(
  service: Service,
  read: readonly ReadJob[],
): { checks: Checks; ended: Promise<unknown> } {
  const checks = read.map(({ job, email }): SenderCheck | null => {
    const facts = "facts" in job.payload && email.auth === null ? job.payload.facts : null;
    return facts ? { auth: null, facts, again: notCheckedBefore(service) } : null;
  });
  const ended = Promise.all(checks.map(async (check, n) => {
    // After a failure a job of its own tries again.
    if (check) {
      check.auth = await checkSender(service, read[n].email, check.facts!).catch(() => null);
    }
  }));
  return { checks, ended };
}

/**
 * Ends the checks of a batch whose indexing takes long or failed: a verdict does not wait for the index. What is not
 * found yet is left to jobs; a job that failed before has left it then.
 */
async function endChecks(
  service: Service,
  read: readonly ReadJob[],
  checks: Checks,
): Promise<void> {
  await Promise.all(checks.map(async (check, n) => {
    const { payload, attempts } = read[n].job;
    if (!check || attempts > 0) return;
    const found = { ...check };
    checks[n] = null;
    await service.database.transact((tx) =>
      advance(tx, service, payload, { is: "checked", check: found })
    );
  }));
}

/**
 * Adds emails to the index; returns whether it took their texts. An email that failed five times is added without its
 * text. If that succeeds, the text was the cause: the email is then found by its header fields, and its processing has
 * failed permanently.
 */
async function addToIndex(service: Service, read: ReadJob[]): Promise<boolean> {
  const emails = read.map(({ email, body }) => indexedEmail(email, body));
  try {
    await service.searchIndex.add(emails);
    return true;
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
    return false;
  }
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
 * its `problem` is that it was not read.
 */
export async function setEmailAside(service: Service, job: ProcessJob): Promise<void> {
  const { userId, emailId } = job.payload;
  const problem = "The message was set aside: the service stopped three times while it was read.";
  const email = await storedEmail(service.database, userId, emailId);
  service.log.error("mail.set_aside", { email_id: emailId });
  if (!email) return await endWithoutEmail(service, job);
  const check = "facts" in job.payload ? failedCheck(service) : null;
  const hasFiles = hasFilesToIndex(email);
  await endJob(service, job, { is: "set aside", problem, hasFiles, check }, async (tx) => {
    const current = await storedEmail(tx, userId, emailId);
    if (!current) return;
    const parsed = { ...(current.parsed ?? parsedFields(unreadBody(problem))), problem };
    const next: Email = { ...current, parsed, truncated: true };
    if (current.parsed) writeDetails(tx, next);
    else writeEmail(tx, next, "");
  });
}

/** Writes what a large email's body adds into its rows, with `email.received`; returns the email as it is now. */
async function showParsed(service: Service, { email, body }: ReadJob): Promise<Email> {
  if (email.parsed) return email;
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
    await advance(tx, service, next, { is: "parsed", problem: body.problem });
    return next;
  }, { prefetch: storedEmailKeys(userId, emailId) });
  service.log.debug("mail.parsed", { email_id: emailId, problem: body.problem });
  return shown ?? email;
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
