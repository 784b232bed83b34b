import type { Job } from "../domain/store/jobs.ts";
import type { WaitingQueue } from "./worker.ts";

/** The kinds of jobs that are queued like this. */
type EmailKind =
  | "process_email"
  | "process_large_email"
  | "embed_email"
  | "check_sender"
  | "read_bounce"
  | "index_attachments"
  | "send_email"
  | "send_draft"
  | "send_within"
  | "mail_notice";

/** How many jobs of one account are in memory, if a kind says nothing else; the others wait in the database. */
const usualWaiting = 1_000;

interface Account<Kind extends EmailKind> {
  waiting: Job<Kind>[];
  atWork: number;
}

/**
 * Accounts take turns. Each has at most one job (or `mostAtWork`) at work, so an account with a thousand jobs delays no
 * other.
 */
export class AccountQueue<Kind extends EmailKind> implements WaitingQueue<Kind> {
  private readonly accounts = new Map<string, Account<Kind>>();
  private waiting = 0;

  constructor(private readonly mostAtWork = 1, private readonly mostWaiting = usualWaiting) {}

  get size(): number {
    return this.waiting;
  }

  push(job: Job<Kind>): boolean {
    const account = this.accountOf(job);
    if (account.waiting.length >= this.mostWaiting) return false;
    account.waiting.push(job);
    this.waiting++;
    return true;
  }

  take(): Job<Kind> | null {
    for (const [userId, account] of this.accounts) {
      if (account.atWork >= this.mostAtWork || account.waiting.length === 0) continue;
      account.atWork++;
      this.waiting--;
      // To the end: the other accounts are next.
      this.accounts.delete(userId);
      this.accounts.set(userId, account);
      return account.waiting.shift()!;
    }
    return null;
  }

  done(job: Job<Kind>): void {
    const account = this.accountOf(job);
    account.atWork--;
    if (account.waiting.length === 0 && account.atWork === 0) {
      this.accounts.delete(job.payload.userId);
    }
  }

  private accountOf(job: Job<Kind>): Account<Kind> {
    const { userId } = job.payload;
    let account = this.accounts.get(userId);
    if (!account) this.accounts.set(userId, account = { waiting: [], atWork: 0 });
    return account;
  }
}
