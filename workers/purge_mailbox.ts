import { purgeMailbox } from "../domain/mail/purge_mailbox.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./dispatch.ts";
import { type PurgeMailbox, purgeMailboxJob } from "../domain/core/job_kinds.ts";

/** Two at once: a purge is many commits, and arrivals come first. */
export const purgeMailboxWorker: Worker = {
  kind: purgeMailboxJob,
  concurrency: 2,
  run: (service, [job]) => purgeMailbox(service, job as Job<PurgeMailbox>),
};
