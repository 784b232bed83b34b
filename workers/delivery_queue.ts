import type { Job } from "../domain/store/jobs.ts";
import type { WaitingQueue } from "./worker.ts";

/**
 * Decides which waiting delivery begins next, so that a receiver that hangs delays only its own deliveries.
 *
 * - Each webhook has its own lane; lanes take turns.
 * - A lane begins with one attempt at a time. The number doubles, up to 16, while its receiver answers within 2 s, and
 *   halves, down to 1, when it does not.
 * - One account has at most two thirds of the slots. Lanes whose latest attempt was not prompt, or that had none yet,
 *   share three quarters of the slots: the rest is free for receivers that are known to answer.
 * - The second and third attempt begin at their time and take no slot: this schedule is promised. So at most three
 *   times the slots are in flight. Later ones wait in the lane: after an outage there can be any number of them.
 */
export class DeliveryQueue implements WaitingQueue<"deliver_webhook"> {
  private readonly lanes = new Map<string, Lane>();
  private readonly accounts = new Map<string, Load>();
  private readonly all: Load = { busy: 0, unproven: 0 };
  private readonly retries: Job<"deliver_webhook">[] = [];
  private waiting = 0;

  /** Jobs that are due and have not begun. */
  get size(): number {
    return this.waiting;
  }

  /** Returns false if the lane is full: the job stays in the database until a sweep. */
  push(job: Job<"deliver_webhook">): boolean {
    if (!takesSlot(job)) this.retries.push(job);
    else {
      const lane = this.laneOf(job);
      if (lane.waiting.length >= maxWaitingInLane) return false;
      lane.waiting.push(job);
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
    for (const [id, lane] of this.lanes) {
      const job = lane.waiting[0];
      if (job === undefined || !this.admits(lane, job.payload.userId)) continue;
      lane.waiting.shift();
      this.waiting--;
      // To the end: the other lanes are next.
      this.lanes.delete(id);
      this.lanes.set(id, lane);
      this.count(lane, job.payload.userId, 1);
      return job;
    }
    return null;
  }

  /** The attempt has ended after `durationMs`. */
  done(job: Job<"deliver_webhook">, durationMs: number): void {
    const lane = this.laneOf(job);
    const { userId } = job.payload;
    if (takesSlot(job)) this.count(lane, userId, -1);
    const prompt = durationMs < promptMs;
    this.move(lane, userId, prompt);
    lane.limit = prompt ? Math.min(lane.limit * 2, maxInLane) : Math.max(1, lane.limit >> 1);
    this.forgetIdle();
  }

  private admits(lane: Lane, userId: string): boolean {
    if (lane.busy >= lane.limit) return false;
    const account = this.accounts.get(userId) ?? { busy: 0, unproven: 0 };
    if (this.all.busy >= slots || account.busy >= slotsOfAccount) return false;
    return lane.proven ||
      (this.all.unproven < unprovenOf(slots) && account.unproven < unprovenOf(slotsOfAccount));
  }

  private count(lane: Lane, userId: string, by: 1 | -1): void {
    lane.busy += by;
    const account = this.accounts.get(userId) ?? { busy: 0, unproven: 0 };
    for (const load of [this.all, account]) {
      load.busy += by;
      if (!lane.proven) load.unproven += by;
    }
    if (account.busy > 0) this.accounts.set(userId, account);
    else this.accounts.delete(userId);
  }

  /** Changes whether a lane is proven, and counts its attempts in flight accordingly. */
  private move(lane: Lane, userId: string, proven: boolean): void {
    if (lane.proven === proven) return;
    lane.proven = proven;
    const account = this.accounts.get(userId);
    for (const load of account ? [this.all, account] : [this.all]) {
      load.unproven += proven ? -lane.busy : lane.busy;
    }
  }

  private laneOf(job: Job<"deliver_webhook">): Lane {
    const id = job.payload.webhookId;
    let lane = this.lanes.get(id);
    if (!lane) this.lanes.set(id, lane = { waiting: [], busy: 0, limit: 1, proven: false });
    return lane;
  }

  /** Forgets idle lanes, oldest first, while there are too many. */
  private forgetIdle(): void {
    if (this.lanes.size <= maxLanes) return;
    for (const [id, lane] of this.lanes) {
      if (lane.busy === 0 && lane.waiting.length === 0) this.lanes.delete(id);
      if (this.lanes.size <= maxLanes) return;
    }
  }
}

interface Lane {
  waiting: Job<"deliver_webhook">[];
  busy: number;
  limit: number;
  /** Its latest attempt ended promptly. */
  proven: boolean;
}

interface Load {
  busy: number;
  /** How many of these are in lanes that are not proven. */
  unproven: number;
}

/** At most this many first attempts are in flight. Each needs a socket, and a process may open at least 1,024 files. */
const slots = 384;
const slotsOfAccount = slots * 2 / 3;
const maxInLane = 16;
const maxLanes = 5_000;
const maxWaitingInLane = 1_000;

/** A slower receiver takes a slot that others could use many times. */
const promptMs = 2_000;

/** False for the second and the third attempt. */
function takesSlot({ attempts }: Job): boolean {
  return attempts === 0 || attempts > 2;
}

function unprovenOf(share: number): number {
  return share * 3 / 4;
}
