/** Emails held and last seen of one mailbox (SPEC.md, Mailbox: email_count, last_email_date): inbound mail only. */
export interface MailboxStats {
  emails: number;
  lastEmailAt: number;
  /** Emails of either direction: the rows that its list has. */
  rows?: number;
  /** The greatest of their ids. */
  newestId?: string;
  /** Which checkpoints of its list hold, where not all do. */
  checkpoints?: CheckpointsHeld;
}

/** The checkpoints that hold: those of this generation, the first of them numbered `from`. */
export interface CheckpointsHeld {
  generation: number;
  from: number;
}
