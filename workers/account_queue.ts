import type { Job } from "../domain/store/jobs.ts";
import type { WaitingQueue } from "./dispatch.ts";

/** Jobs of one account kept in memory; the rest wait in the database until these are done. */
const maxWaitingOfAccount = 1_000;

interface Account {
  waiting: Job[];
  busy: boolean;
}

/** Accounts take turns, one job of each at work: one that has a thousand holds up no other. */
export class AccountQueue implements WaitingQueue {
  private readonly accounts = new Map<string, Account>();
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  push(job: Job): boolean {
    const account = this.accountOf(job);
    if (account.waiting.length >= maxWaitingOfAccount) return false;
    account.waiting.push(job);
    this.waiting++;
    return true;
  }

  take(): Job | null {
    for (const [userId, account] of this.accounts) {
      if (account.busy || account.waiting.length === 0) continue;
      account.busy = true;
      this.waiting--;
      // To the end: the others have their turn first.
      this.accounts.delete(userId);
      this.accounts.set(userId, account);
      return account.waiting.shift()!;
    }
    return null;
  }

  done(job: Job): void {
    const account = this.accountOf(job);
    account.busy = false;
    if (account.waiting.length === 0) this.accounts.delete(ownerOf(job));
  }

  private accountOf(job: Job): Account {
    const userId = ownerOf(job);
    let account = this.accounts.get(userId);
    if (!account) this.accounts.set(userId, account = { waiting: [], busy: false });
    return account;
  }
}

function ownerOf(job: Job): string {
  return (job as Job<{ userId: string }>).payload.userId;
}
