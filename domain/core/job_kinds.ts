import type { SenderFacts } from "../ports/sender_checks.ts";
import type { BlobRef } from "./blob_ref.ts";

/** One email of an account. */
export interface EmailOfAccount {
  userId: string;
  emailId: string;
}

/** The last email that a walk through all mail has handled. */
export interface MailPlace {
  userId: string;
  emailId: string;
}

/** How often the check of a sender was `error`, and when first (ms since 1970). */
export interface CheckedBefore {
  errors: number;
  since: number;
}

/**
 * Every kind of job with its payload. `Jobs.add` and `Worker` are typed by this table, and `workers/workers.ts` must
 * have a worker for each kind.
 */
export interface JobPayloads {
  /** Indexes a small email. With `facts`, of received mail, the same job checks its sender. */
  process_email: EmailOfAccount & { facts?: SenderFacts };
  /** Parses a large email in a Worker of the parse pool, and indexes it. */
  process_large_email: EmailOfAccount;
  /**
   * Checks the sender of a large email, or of a small one if that takes longer than indexing it. `again`: it was
   * `error` before.
   */
  check_sender: EmailOfAccount & { facts: SenderFacts; again?: CheckedBefore };
  /** Gives the index the texts of an email's files. */
  index_attachments: EmailOfAccount;
  /** Gives an email its vectors, after its words are indexed. */
  embed_email: EmailOfAccount;
  /** Gives all mail to an index that was lost. */
  rebuild_index: { after: MailPlace | null };
  /** Gives all mail new vectors after a change of the model. */
  reembed: { model: string; after: MailPlace | null };
  /** Moves the messages of a thread that became an alias. */
  merge_thread: { userId: string; from: string };
  /** Sends an email that has recipients outside this service. */
  send_email: EmailOfAccount;
  /** Sends an email whose recipients are all mailboxes of this service. */
  send_within: EmailOfAccount;
  /** Mails a person the link that confirms the address. */
  send_verification: { userId: string; memberId?: string };
  /** Mails an invited person the link; `by` is the name of who invited. */
  send_invitation: { userId: string; memberId: string; by: string };
  /** Ends what a person made who is gone, or that is beyond a lowered role. */
  end_member: { userId: string; memberId: string };
  /** Mails the link that sets a new password to the person with this email (lower case), if there is one. */
  send_reset: { email: string };
  /** Finds whom to tell of drafts that began to wait for a person. */
  plan_notices: { userId: string };
  /** Mails a person what waits. */
  mail_notice: { userId: string; memberId: string };
  /** Sends a draft at its time. A draft that was changed meanwhile has another job. */
  send_draft: { userId: string; draftId: string; sendAt: number };
  /** Reads a delivery report about a recipient of a sent email. */
  read_bounce: EmailOfAccount & { recipient: string | null; raw: BlobRef };
  /** Ends a deleted email: its bytes are released, and its storage is given back. */
  purge_email: EmailOfAccount & { raw: BlobRef };
  /** Removes the bytes of a large blob that nothing refers to any more. */
  remove_blob: { userId: string; blobId: string };
  /** Removes the oldest of an account's ended drafts, if there are too many. */
  cut_drafts: { userId: string };
  /** Removes a deleted email from the indexes. */
  unindex_email: EmailOfAccount;
  purge_mailbox: { userId: string; mailboxId: string };
  /** Checks the DNS records of a proved domain again. */
  reverify_domain: { userId: string; domainId: string };
  fan_out_event: { userId: string; eventId: string };
  deliver_webhook: { userId: string; webhookId: string; deliveryId: string; eventId: string };
  purge_webhook: { webhookId: string };
  /** Removes everything of an account that ended at `endedAt` (ms since 1970). */
  purge_account: { userId: string; endedAt: number };
  /** Ends what depends on a key or a grant that has ended; `keyId` is the id of either. */
  end_key: { userId: string; keyId: string };
  /** Removes the grants that a person ended all at once. */
  end_grants: { userId: string; memberId: string };
}

export type JobKind = keyof JobPayloads;
