import { endKey } from "../domain/webhooks/end_key.ts";
import { mergeThread } from "../domain/mail/threads/merge_thread.ts";
import { logIndexFailure, processEmails, setEmailAside } from "../domain/indexing/process_email.ts";
import { recordBounce } from "../domain/mail/outbound/record_bounce.ts";
import {
  type SendEmail,
  sendEmailJob,
  sendQueued,
  sendWithinJob,
} from "../domain/mail/outbound/send_queued.ts";
import { processLargeEmailJob } from "../domain/mail/store_email.ts";
import { embedEmailJob, embedEmails } from "../domain/indexing/embed_emails.ts";
import {
  type RebuildIndex,
  rebuildIndex,
  rebuildIndexJob,
} from "../domain/indexing/rebuild_index.ts";
import { type Reembed, reembed, reembedJob } from "../domain/indexing/reembed.ts";
import type { Job } from "../domain/store/jobs.ts";
import { AccountQueue } from "./account_queue.ts";
import type { Worker } from "./dispatch.ts";
import { purgeMailboxWorker } from "./purge_mailbox.ts";
import { reverifyDomainWorker } from "./reverify_domain.ts";
import { webhookWorkers } from "./webhooks.ts";
import {
  type EndKey,
  endKeyJob,
  type MergeThread,
  mergeThreadJob,
  type ProcessEmail,
  processEmailJob,
  type ReadBounce,
  readBounceJob,
} from "../domain/core/job_kinds.ts";

/** Every kind of job with how it is run. */
export const workers: Worker[] = [
  {
    kind: embedEmailJob,
    concurrency: 2,
    batch: 16,
    run: (service, jobs) => embedEmails(service, jobs as Job<ProcessEmail>[]),
  },
  {
    kind: reembedJob,
    concurrency: 1,
    run: (service, [job]) => reembed(service, job as Job<Reembed>),
  },
  {
    kind: rebuildIndexJob,
    concurrency: 1,
    run: (service, [job]) => rebuildIndex(service, job as Job<RebuildIndex>),
  },
  {
    kind: processEmailJob,
    // One batch is parsed while the index, in its own thread, takes another, and a third waits there for its turn.
    concurrency: 3,
    batch: 16,
    run: (service, jobs) => processEmails(service, jobs as Job<ProcessEmail>[]),
    failed: logIndexFailure,
    setAside: (service, job) => setEmailAside(service, job as Job<ProcessEmail>),
  },
  {
    kind: processLargeEmailJob,
    // They wait for a Worker of the pool, with nothing in memory but this.
    concurrency: 16,
    queue: () => new AccountQueue(),
    run: (service, jobs) => processEmails(service, jobs as Job<ProcessEmail>[]),
    failed: logIndexFailure,
    setAside: (service, job) => setEmailAside(service, job as Job<ProcessEmail>),
  },
  {
    kind: mergeThreadJob,
    concurrency: 2,
    run: (service, [job]) => mergeThread(service, job as Job<MergeThread>),
  },
  {
    kind: sendEmailJob,
    // A relay that hangs holds a job for minutes; each may hold a message of the largest size.
    concurrency: 16,
    run: (service, [job]) => sendQueued(service, job as Job<SendEmail>),
  },
  {
    kind: sendWithinJob,
    concurrency: 8,
    run: (service, [job]) => sendQueued(service, job as Job<SendEmail>),
  },
  {
    kind: readBounceJob,
    concurrency: 16,
    queue: () => new AccountQueue(),
    run: (service, [job]) => recordBounce(service, job as Job<ReadBounce>),
    setAside: (service, job) =>
      service.database.transact((tx) =>
        service.jobs.bury(tx, job, "the process died of it thrice")
      ),
  },
  {
    kind: endKeyJob,
    concurrency: 2,
    run: (service, [job]) => endKey(service, job as Job<EndKey>),
  },
  purgeMailboxWorker,
  reverifyDomainWorker,
  ...webhookWorkers,
];
