/** Kinds of jobs that storing an email causes. */
export const processEmailJob = "process_email";

export const mergeThreadJob = "merge_thread";

export interface ProcessEmail {
  userId: string;
  emailId: string;
}

export interface MergeThread {
  userId: string;
  from: string;
  into: string;
}

export const purgeMailboxJob = "purge_mailbox";

export interface PurgeMailbox {
  userId: string;
  mailboxId: string;
}

/** The job of a received email that calls itself a report. */
export const readBounceJob = "read_bounce";

export interface ReadBounce {
  userId: string;
  emailId: string;
}

export const endKeyJob = "end_key";

export interface EndKey {
  userId: string;
  keyId: string;
}
