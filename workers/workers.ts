import { endGrants } from "../domain/apps/end_grants.ts";
import { reverifyDomain } from "../domain/custom_domains/reverify_domain.ts";
import { embedEmails } from "../domain/indexing/embed_emails.ts";
import { indexAttachments, setFilesAside } from "../domain/indexing/index_attachments.ts";
import { purgeAccount } from "../domain/end_account/purge_account.ts";
import { logIndexFailure, processEmails, setEmailAside } from "../domain/indexing/process_email.ts";
import { rebuildIndex } from "../domain/indexing/rebuild_index.ts";
import { reembed } from "../domain/indexing/reembed.ts";
import { runCheck, setCheckAside } from "../domain/mail/receive/check_sender.ts";
import { recordBounce } from "../domain/mail/send/record_bounce.ts";
import { cutDrafts } from "../domain/mail/manage/remove_drafts.ts";
import { sendReset } from "../domain/mail/send/to_people/send_reset.ts";
import { sendScheduled } from "../domain/mail/send/drafts/send_scheduled.ts";
import { mailNotice, planNotices } from "../domain/mail/send/notices/notices.ts";
import { sendQueued } from "../domain/mail/send/send_queued.ts";
import { endMember } from "../domain/accounts/members/end_member.ts";
import { sendInvitation } from "../domain/mail/send/to_people/send_invitation.ts";
import { sendVerification } from "../domain/mail/send/send_verification.ts";
import { purgeMailbox } from "../domain/mail/manage/purge_mailbox.ts";
import { purgeEmail, unindexEmails } from "../domain/mail/manage/purge_email.ts";
import { mergeThread } from "../domain/mail/record/threads/merge_thread.ts";
import { removeBlob } from "../domain/store/blobs/blob_release.ts";
import { deliver } from "../domain/webhooks/deliver.ts";
import { fanOut } from "../domain/webhooks/emit.ts";
import { endKey } from "../domain/webhooks/end_key.ts";
import { purgeWebhook } from "../domain/webhooks/purge.ts";
import { AccountQueue } from "./account_queue.ts";
import { DeliveryQueue } from "./delivery_queue.ts";
import type { Workers } from "./worker.ts";

/** A sender whose DNS does not answer delays the checks of other mail of the account, but of no other account. */
const maxChecksOfAccount = 64;

/** Half of the sends at work: the rest is free for other accounts. */
const maxSendsOfAccount = 8;

/** A burst to one account is processed without looking into the database for more. */
const maxBatchedOfAccount = 5_000;

/** Every kind of job with how it is run. */
export const workers: Workers = {
  process_email: {
    // One batch is marked processed while the index, in its own thread, takes the second; the third waits for the index.
    concurrency: 3,
    batch: 32,
    queue: () => new AccountQueue(Infinity, maxBatchedOfAccount),
    run: processEmails,
    failed: logIndexFailure,
    setAside: setEmailAside,
  },
  process_large_email: {
    // A job that waits for a Worker of the parse pool holds nothing else in memory.
    concurrency: 16,
    queue: () => new AccountQueue(),
    run: processEmails,
    failed: logIndexFailure,
    setAside: setEmailAside,
  },
  check_sender: {
    // A check waits for the DNS, up to 10 s, and holds little meanwhile. Mail of silent domains to fifteen accounts
    // leaves room for the checks of others.
    concurrency: 1_024,
    queue: () => new AccountQueue(maxChecksOfAccount),
    run: (service, [job]) => runCheck(service, job),
    setAside: setCheckAside,
  },
  index_attachments: {
    // One file is read at a time; another job waits for it and holds one message.
    concurrency: 2,
    queue: () => new AccountQueue(),
    run: (service, [job]) => indexAttachments(service, job),
    setAside: setFilesAside,
  },
  embed_email: {
    concurrency: 2,
    batch: 16,
    queue: () => new AccountQueue(Infinity, maxBatchedOfAccount),
    run: embedEmails,
  },
  rebuild_index: { concurrency: 1, run: (service, [job]) => rebuildIndex(service, job) },
  reembed: { concurrency: 1, run: (service, [job]) => reembed(service, job) },
  merge_thread: { concurrency: 2, run: (service, [job]) => mergeThread(service, job) },
  send_email: {
    // A relay that hangs holds a job for minutes, and each job may hold a message of the largest size.
    concurrency: 16,
    queue: () => new AccountQueue(maxSendsOfAccount),
    run: (service, [job]) => sendQueued(service, job),
  },
  send_draft: {
    // Enough to fill commits; each may hold a message of the largest size.
    concurrency: 16,
    queue: () => new AccountQueue(maxSendsOfAccount),
    run: (service, [job]) => sendScheduled(service, job),
  },
  send_within: {
    concurrency: 8,
    queue: () => new AccountQueue(maxSendsOfAccount / 2),
    run: (service, [job]) => sendQueued(service, job),
  },
  send_reset: { concurrency: 4, run: (service, [job]) => sendReset(service, job) },
  send_verification: { concurrency: 4, run: (service, [job]) => sendVerification(service, job) },
  plan_notices: { concurrency: 4, run: (service, [job]) => planNotices(service, job) },
  mail_notice: {
    // Each holds up to 4 MB of drafts while it writes the mail, and waits for the relay then.
    concurrency: 16,
    queue: () => new AccountQueue(maxSendsOfAccount),
    run: (service, [job]) => mailNotice(service, job),
  },
  read_bounce: {
    concurrency: 16,
    queue: () => new AccountQueue(),
    run: (service, [job]) => recordBounce(service, job),
    async setAside({ database, jobs, log }, job) {
      const error = "the process died three times while this job was at work";
      await database.transact((tx) => jobs.deadLetter(tx, job, error));
      log.error("job.dead_lettered", { kind: job.kind, job_id: job.jobId, error });
    },
  },
  // One, because it can be millions of rows, and nobody waits for it.
  purge_account: { concurrency: 1, run: (service, [job]) => purgeAccount(service, job) },
  send_invitation: { concurrency: 4, run: (service, [job]) => sendInvitation(service, job) },
  end_member: { concurrency: 2, run: (service, [job]) => endMember(service, job) },
  end_key: { concurrency: 2, run: (service, [job]) => endKey(service, job) },
  end_grants: { concurrency: 2, run: (service, [job]) => endGrants(service, job) },
  purge_email: { concurrency: 4, run: (service, [job]) => purgeEmail(service, job) },
  remove_blob: { concurrency: 4, run: (service, [job]) => removeBlob(service, job) },
  // One, because a cut reads up to 150 MB, and nobody waits for it.
  cut_drafts: { concurrency: 1, run: (service, [job]) => cutDrafts(service, job) },
  unindex_email: { concurrency: 1, batch: 100, run: unindexEmails },
  // Two, because a purge is many commits, and arrivals come first.
  purge_mailbox: { concurrency: 2, run: (service, [job]) => purgeMailbox(service, job) },
  // Each waits up to 10 s for the DNS; four at once check thousands of domains a day.
  reverify_domain: { concurrency: 4, run: (service, [job]) => reverifyDomain(service, job) },
  fan_out_event: { concurrency: 32, run: (service, [job]) => fanOut(service, job) },
  deliver_webhook: {
    // The queue sets the limits.
    concurrency: Infinity,
    queue: () => new DeliveryQueue(),
    run: (service, [job]) => deliver(service, job),
  },
  purge_webhook: { concurrency: 1, run: (service, [job]) => purgeWebhook(service, job) },
};
