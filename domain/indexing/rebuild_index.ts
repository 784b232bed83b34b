import { readBody } from "../mail/read/parsing/parsed_bodies.ts";
import { describeError } from "../core/log.ts";
import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { type Email, hasFilesToIndex } from "../mail/record/email.ts";
import type { MailPlace } from "../core/job_kinds.ts";
import type { Tx } from "../store/database.ts";
import { deletedOf, type MailPage, pageOfAllMail } from "./all_mail.ts";
import { indexedEmail } from "./indexed_email.ts";

/** Emails added to the index in one commit: memory stays flat, and other jobs get their turn after each batch. */
const batchEmails = 64;

/** This row exists while `reindex` fills the index. At a start it means that the reindex was killed. */
export const reindexingKey = () => keys.mark("reindexing");

/**
 * Called at the start, and when an index was emptied while the service runs. If the index is empty or a reindex was
 * killed, and there is mail, adds the job that indexes all of it. The service runs meanwhile; search does not find mail
 * that is not indexed yet.
 */
export async function refillIndex(service: Service, isEmpty: boolean): Promise<void> {
  const { database, jobs, log } = service;
  if (!isEmpty && await database.get(reindexingKey()) === null) return;
  const [email] = await database.collect({ prefix: keys.allEmails() }, { limit: 1 });
  if (!email) return;
  service.isRebuildingIndex = true;
  log.warn("search.index_rebuilding", {
    meaning:
      "the search index is new, damaged, not filled or of an earlier version; it is rebuilt from the store",
  });
  const waiting = await database.collect<Job>({ prefix: keys.jobsDue() });
  const earlier = waiting.filter(({ value }) => value.kind === "rebuild_index");
  await database.transact((tx) => {
    tx.delete(reindexingKey());
    // What they have indexed is lost, and one rebuild is enough.
    for (const { value } of earlier) jobs.complete(tx, value);
    jobs.add(tx, "rebuild_index", { after: null });
  });
}

/** The pause after a refill that the database refused, ms. */
const refillAgainMs = 10_000;

/** Refills the index after it was emptied while the service runs; tries until the database takes the job. */
export async function refillEmptied(service: Service): Promise<void> {
  try {
    await refillIndex(service, true);
  } catch (error) {
    service.log.warn("search.refill_failed", { error: describeError(error) });
    service.clock.after(refillAgainMs, () => void refillEmptied(service));
  }
}

/**
 * Indexes one batch of all mail, and adds the job of the next batch. Mail that is not parsed yet is left to its own job,
 * which parses and indexes it: hostile mail costs its deadline once.
 */
export async function rebuildIndex(service: Service, job: Job<"rebuild_index">): Promise<void> {
  const { database, jobs, searchIndex, semantic } = service;
  service.isRebuildingIndex = true;
  const { live, last } = await indexPage(service, job.payload.after);
  // Mail that was deleted meanwhile was removed from the index already, and must not come back.
  for (const { userId, emailId } of await deletedOf(service, live)) {
    await searchIndex.remove(userId, [emailId]);
  }
  const isDone = await database.transact(async (tx) => {
    // The index was emptied meanwhile, and another rebuild begins at the first email.
    if (!await jobs.stands(tx, job)) return false;
    jobs.complete(tx, job);
    indexFiles(tx, service, live);
    if (last) jobs.add(tx, "rebuild_index", { after: last });
    else if (semantic) {
      const { model } = semantic.embedder;
      jobs.add(tx, "reembed", { model, after: null });
    }
    return !last;
  });
  if (!isDone) return;
  service.isRebuildingIndex = false;
  service.log.info("search.index_rebuilt");
}

/** Indexes the emails of a page of all mail that are parsed; the others are left to their jobs. */
export async function indexPage(service: Service, after: MailPlace | null): Promise<MailPage> {
  const page = await pageOfAllMail(service, after, batchEmails);
  const parsed = page.live.filter((email) => email.parsed !== null);
  const emails = await Promise.all(
    parsed.map(async (email) =>
      indexedEmail(email, await readBody(service, email, { remember: false }))
    ),
  );
  await service.searchIndex.add(emails);
  return page;
}

/** The texts of files are read by jobs of the running service, which can end a file that takes too much. */
export function indexFiles(
  tx: Tx,
  { jobs }: Pick<Service, "jobs">,
  emails: readonly Email[],
): void {
  for (const { userId, emailId } of emails.filter(hasFilesToIndex)) {
    jobs.add(tx, "index_attachments", { userId, emailId });
  }
}
