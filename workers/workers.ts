import { mergeThread } from "../domain/mail/merge_thread.ts";
import { logIndexFailure, processEmails } from "../domain/mail/process_email.ts";
import { type SendEmail, sendEmailJob } from "../domain/mail/send.ts";
import {
  type MergeThread,
  mergeThreadJob,
  type ProcessEmail,
  processEmailJob,
} from "../domain/mail/store_email.ts";
import { transmit } from "../domain/mail/transmit.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./dispatch.ts";

/** Every kind of job with how it is run. */
export const workers: Worker[] = [
  {
    kind: processEmailJob,
    concurrency: 1,
    batch: 16,
    run: (service, jobs) => processEmails(service, jobs as Job<ProcessEmail>[]),
    failed: logIndexFailure,
  },
  {
    kind: mergeThreadJob,
    concurrency: 2,
    run: (service, [job]) => mergeThread(service, job as Job<MergeThread>),
  },
  {
    kind: sendEmailJob,
    concurrency: 8,
    run: (service, [job]) => transmit(service, job as Job<SendEmail>),
  },
];
