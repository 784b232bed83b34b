/** `email_count` and `last_email_date` of one mailbox: received mail only. */
export interface MailboxStats {
  emails: number;
  lastEmailAt: number;
  /** Emails of either direction: the rows that its list has. */
  rows?: number;
  /** The greatest of their ids. */
  newestId?: string;
  /** The valid checkpoints of its list, if not all are valid. */
  checkpoints?: CheckpointsHeld;
}

/** The checkpoints that hold: those of this generation, the first of them numbered `from`. */
export interface CheckpointsHeld {
  generation: number;
  from: number;
}
