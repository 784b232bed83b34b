import type { Lacking } from "../ports/vector_index.ts";

/** How often the log says how much is left. */
const reportMs = 10 * 60_000;
/** Emails of an account that are looked up at once. */
const pageEmails = 64;

/** Mail of the index that has no vectors of a model: accounts take turns, each with its newest first. */
export class Backlog {
  private readonly turns: { userId: string; emailIds: string[] }[] = [];
  private left = 0;
  private reportedAt = -Infinity;

  constructor(private readonly lacking: Lacking, private readonly model: string) {}

  /** The next email; null if none is left. */
  async next(): Promise<{ userId: string; emailId: string } | null> {
    for (let isNew = false;;) {
      const account = this.turns.shift();
      if (!account) {
        if (isNew || !await this.list()) return null;
        isNew = true;
        continue;
      }
      if (account.emailIds.length === 0) {
        const { userId } = account;
        account.emailIds = await this.lacking.newest({
          userId,
          model: this.model,
          limit: pageEmails,
        });
      }
      const emailId = account.emailIds.shift();
      if (emailId === undefined) continue;
      this.turns.push(account);
      this.left--;
      return { userId: account.userId, emailId };
    }
  }

  /** About how many emails are left, once in ten minutes; else null. */
  report(elapsed: number): number | null {
    if (elapsed - this.reportedAt < reportMs) return null;
    this.reportedAt = elapsed;
    return Math.max(0, this.left);
  }

  private async list(): Promise<boolean> {
    const accounts = await this.lacking.accounts(this.model);
    this.left = accounts.reduce((sum, { count }) => sum + count, 0);
    this.turns.push(...accounts.map(({ userId }) => ({ userId, emailIds: [] })));
    return accounts.length > 0;
  }
}
