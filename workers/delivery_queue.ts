import type { Job } from "../domain/store/jobs.ts";
import type { WaitingQueue } from "./worker.ts";

/**
 * Decides which waiting delivery begins next, so that a receiver that hangs delays only its own deliveries.
 *
 * - Each webhook has its own queue; queues take turns.
 * - A queue begins with one attempt at a time. The number doubles, up to 16, while its receiver answers within 2 s, and
 *   halves, down to 1, when it does not.
 * - One account has at most two thirds of the slots. Queues whose latest attempt was not prompt, or that had none yet,
 *   share three quarters of the slots: the rest is free for receivers that are known to answer.
 * - The second and third attempt begin at their time and take no slot: this schedule is promised. So at most three
 *   times the slots are in flight. Later ones wait in the queue: after an outage there can be any number of them.
 */
export class DeliveryQueue implements WaitingQueue<"deliver_webhook"> {
  private readonly queues = new Map<string, WebhookQueue>();
  private readonly accounts = new Map<string, Load>();
  private readonly all: Load = { busy: 0, unproven: 0 };
  private readonly retries: Job<"deliver_webhook">[] = [];
  private waiting = 0;

  /** Jobs that are due and have not begun. */
  get size(): number {
    return this.waiting;
  }

  /** Returns false if the queue is full: the job stays in the database until a sweep. */
  push(job: Job<"deliver_webhook">): boolean {
    if (!takesSlot(job)) this.retries.push(job);
    else {
      const queue = this.queueOf(job);
      if (queue.waiting.length >= maxWaitingOfWebhook) return false;
      queue.waiting.push(job);
    }
    this.waiting++;
    return true;
  }

  /** The next job that may begin; null if each must wait. Pass a returned job to `done` when it has ended. */
  take(): Job<"deliver_webhook"> | null {
    const retry = this.retries.shift();
    if (retry) {
      this.waiting--;
      return retry;
    }
    for (const [id, queue] of this.queues) {
      const job = queue.waiting[0];
      if (job === undefined || !this.admits(queue, job.payload.userId)) continue;
      queue.waiting.shift();
      this.waiting--;
      // To the end: the other queues are next.
      this.queues.delete(id);
      this.queues.set(id, queue);
      this.count(queue, job.payload.userId, 1);
      return job;
    }
    return null;
  }

  /** The attempt has ended after `durationMs`. */
  done(job: Job<"deliver_webhook">, durationMs: number): void {
    const queue = this.queueOf(job);
    const { userId } = job.payload;
    if (takesSlot(job)) this.count(queue, userId, -1);
    const prompt = durationMs < promptMs;
    this.move(queue, userId, prompt);
    queue.limit = prompt ? Math.min(queue.limit * 2, mostAtWork) : Math.max(1, queue.limit >> 1);
    this.forgetIdle();
  }

  private admits(queue: WebhookQueue, userId: string): boolean {
    if (queue.busy >= queue.limit) return false;
    const account = this.accounts.get(userId) ?? { busy: 0, unproven: 0 };
    if (this.all.busy >= slots || account.busy >= slotsOfAccount) return false;
    return queue.proven ||
      (this.all.unproven < unprovenOf(slots) && account.unproven < unprovenOf(slotsOfAccount));
  }

  private count(queue: WebhookQueue, userId: string, by: 1 | -1): void {
    queue.busy += by;
    const account = this.accounts.get(userId) ?? { busy: 0, unproven: 0 };
    for (const load of [this.all, account]) {
      load.busy += by;
      if (!queue.proven) load.unproven += by;
    }
    if (account.busy > 0) this.accounts.set(userId, account);
    else this.accounts.delete(userId);
  }

  /** Changes whether a queue is proven, and counts its attempts in flight accordingly. */
  private move(queue: WebhookQueue, userId: string, proven: boolean): void {
    if (queue.proven === proven) return;
    queue.proven = proven;
    const account = this.accounts.get(userId);
    for (const load of account ? [this.all, account] : [this.all]) {
      load.unproven += proven ? -queue.busy : queue.busy;
    }
  }

  private queueOf(job: Job<"deliver_webhook">): WebhookQueue {
    const id = job.payload.webhookId;
    let queue = this.queues.get(id);
    if (!queue) this.queues.set(id, queue = { waiting: [], busy: 0, limit: 1, proven: false });
    return queue;
  }

  /** Forgets idle queues, oldest first, while there are too many. */
  private forgetIdle(): void {
    if (this.queues.size <= maxQueues) return;
    for (const [id, queue] of this.queues) {
      if (queue.busy === 0 && queue.waiting.length === 0) this.queues.delete(id);
      if (this.queues.size <= maxQueues) return;
    }
  }
}

interface WebhookQueue {
  waiting: Job<"deliver_webhook">[];
  busy: number;
  limit: number;
  /** Its latest attempt ended promptly. */
  proven: boolean;
}

interface Load {
  busy: number;
  /** How many of these are in queues that are not proven. */
  unproven: number;
}

/** At most this many first attempts are in flight. Each needs a socket, and a process may open at least 1,024 files. */
const slots = 384;
const slotsOfAccount = slots * 2 / 3;
const mostAtWork = 16;
const maxQueues = 5_000;
const maxWaitingOfWebhook = 1_000;

/** A slower receiver takes a slot that others could use many times. */
const promptMs = 2_000;

/** False for the second and the third attempt. */
function takesSlot({ attempts }: Job): boolean {
  return attempts === 0 || attempts > 2;
}

function unprovenOf(share: number): number {
  return share * 3 / 4;
}
