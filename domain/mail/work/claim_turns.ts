import { LRUCache } from "lru-cache";

const maxMailboxes = 1_000;

/**
 * Runs the claims of one mailbox in this process one after another, so that fifty workers do not all choose the same
 * email. Between processes the commits decide.
 */
export class ClaimTurns {
  private readonly last = new Map<string, Promise<unknown>>();
  /** For each mailbox the email up to which this process found nothing left to hand out. */
  readonly handedOut = new LRUCache<string, string>({ max: maxMailboxes });

  async run<R>(mailboxId: string, work: () => Promise<R>): Promise<R> {
    const before = this.last.get(mailboxId);
    const turn = before ? before.then(work, work) : work();
    this.last.set(mailboxId, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(mailboxId) === turn) this.last.delete(mailboxId);
    }
  }
}
