import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Plan, PlanLimits, PlanTable } from "../core/plans.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { TookTooLong, within } from "../core/within.ts";
import {
  giveBack,
  type HeldWindows,
  type RequestWindow,
  reserve,
  settle,
  type SharedWindows,
  spans,
  type Standing,
  standing,
  take,
  type WindowSpan,
  windowStart,
} from "./windows.ts";

export type Admission = { passed: boolean; standing: Standing };

/**
 * Counts requests in fixed windows, ARCHITECTURE.md 9: exactly the limit passes in one process, never more over
 * several that share a store. Blocks are reserved in one commit for all who wait and spent in memory; a refusal is
 * decided in memory alone.
 */
export class RateLimiter {
  private readonly subjects = new LRUCache<string, SubjectState>({ max: maxSubjects });
  private readonly anonymous: RequestWindow[];
  private readonly windows: Record<"rest" | "mcp", Record<Plan, RequestWindow[]>>;

  constructor(private readonly service: RateLimited) {
    const { free, pro, enterprise } = service.plans;
    const windows = (mcp: boolean) => ({
      free: windowsOf(free, mcp),
      pro: windowsOf(pro, mcp),
      enterprise: windowsOf(enterprise, mcp),
    });
    this.windows = { rest: windows(false), mcp: windows(true) };
    this.anonymous = [{
      id: "minute",
      span: "minute",
      limit: service.settings.ANONYMOUS_REQUESTS_PER_MINUTE,
    }];
  }

  /** Spends a request of the account, in every window or, where one is used up, in none; `mcp` has its minute besides. */
  admitAccount(userId: string, plan: Plan, mcp: boolean): Promise<Admission> {
    return this.admit(this.subject("account", userId), this.windows[mcp ? "mcp" : "rest"][plan]);
  }

  /** Spends a request of a client address without a valid credential. */
  admitAddress(address: string): Promise<Admission> {
    return this.admit(this.subject("address", address), this.anonymous);
  }

  /** Where the account stands, for an answer that costs nothing. */
  standingOfAccount(userId: string, plan: Plan, mcp: boolean): Promise<Standing> {
    return this.look(this.subject("account", userId), this.windows[mcp ? "mcp" : "rest"][plan]);
  }

  standingOfAddress(address: string): Promise<Standing> {
    return this.look(this.subject("address", address), this.anonymous);
  }

  /** The whole anonymous window, for answers that nothing was counted for and nothing could be read. */
  uncounted(): Standing {
    return standing(this.anonymous, {}, this.service.clock.now());
  }

  /** Puts back what is reserved and not spent, so that a restart costs nobody a request. */
  async close(): Promise<void> {
    const ending = [...this.subjects.values()];
    this.subjects.clear();
    await Promise.all(ending.map(async (state) => {
      // One that fails has reserved nothing.
      await state.reserving?.catch(() => {});
      const { key, windows, held } = state;
      if (!windows.some(({ id }) => held[id]?.held > 0)) return;
      await this.service.database.transact(async (tx) => {
        const shared = await tx.get<SharedWindows>(key) ?? {};
        const next = giveBack(windows, shared, held);
        if (next !== shared) tx.set(key, next, { expireInMs: lifetimeOf(windows) });
      });
    }));
  }

  private async admit(state: SubjectState, windows: RequestWindow[]): Promise<Admission> {
    for (;;) {
      const now = this.service.clock.now();
      const verdict = take(windows, state.held, now);
      if (verdict.kind === "refused") return { passed: false, standing: verdict.standing };
      if (verdict.kind === "passed") {
        state.held = verdict.held;
        return { passed: true, standing: standing(windows, state.held, now) };
      }
      state.waiting++;
      const reserved = await this.reserved(state, windows).finally(() => state.waiting--);
      // While the database cannot be written nothing can be counted; what can be read is read all the same.
      if (!reserved) return { passed: true, standing: standing(windows, state.held, now) };
    }
  }

  /** Waits for a reservation; false where the database cannot be written. */
  private async reserved(state: SubjectState, windows: RequestWindow[]): Promise<boolean> {
    if (!state.reserving) {
      state.reservingSince = this.service.clock.elapsed();
      state.reserving = this.reserve(state, windows).finally(() => state.reserving = null);
    }
    try {
      await within(
        this.service.clock,
        state.reserving,
        state.reservingSince + patienceMs - this.service.clock.elapsed(),
      );
      return true;
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === "SERVICE_UNAVAILABLE";
      if (isAway || error instanceof TookTooLong) return false;
      throw error;
    }
  }

  private async look(state: SubjectState, windows: RequestWindow[]): Promise<Standing> {
    const unknown = () => windows.some(({ id }) => !state.held[id]);
    // An answer tells where its caller stands also while the database is away: as far as this process knows.
    const shared = unknown()
      ? await this.service.database.get<SharedWindows>(state.key).catch(() => null)
      : null;
    if (shared && unknown()) {
      const { grants } = reserve(windows, shared, state.held, 0, this.service.clock.now());
      state.held = settle(state.held, grants);
    }
    return standing(windows, state.held, this.service.clock.now());
  }

  private async reserve(state: SubjectState, windows: RequestWindow[]): Promise<void> {
    const minute = windowStart("minute", this.service.clock.now());
    state.block = state.minute === minute ? Math.min(state.block * 2, largestBlock(windows)) : 1;
    state.minute = minute;
    const further = windows.filter(({ id }) => !state.windows.some((known) => known.id === id));
    state.windows = [...state.windows, ...further];
    const grants = await this.service.database.transact(async (tx) => {
      const shared = await tx.get<SharedWindows>(state.key) ?? {};
      const wanted = Math.max(state.waiting, state.block);
      const next = reserve(windows, shared, state.held, wanted, this.service.clock.now());
      if (next.shared !== shared) {
        tx.set(state.key, next.shared, { expireInMs: lifetimeOf(windows) });
      }
      return next.grants;
    });
    state.held = settle(state.held, grants);
  }

  private subject(kind: "account" | "address", id: string): SubjectState {
    const name = `${kind} ${id}`;
    const known = this.subjects.get(name);
    if (known) return known;
    const state: SubjectState = {
      key: keys.rateWindows(kind, id),
      windows: [],
      held: {},
      waiting: 0,
      block: 1,
      minute: 0,
      reserving: null,
      reservingSince: 0,
    };
    this.subjects.set(name, state);
    return state;
  }
}

type RateLimited = {
  database: Database;
  clock: Clock;
  plans: PlanTable;
  settings: { ANONYMOUS_REQUESTS_PER_MINUTE: number };
};

/** The windows of a plan; `mcp` adds the minute that MCP calls have besides. Unlimited ones are not there. */
function windowsOf(limits: PlanLimits, mcp: boolean): RequestWindow[] {
  const windows: { id: string; span: WindowSpan; limit: number | null }[] = [
    { id: "minute", span: "minute", limit: limits.requestsPerMinute },
    { id: "hour", span: "hour", limit: limits.requestsPerHour },
    { id: "day", span: "day", limit: limits.requestsPerDay },
  ];
  if (mcp) windows.push({ id: "mcp_minute", span: "minute", limit: limits.mcpRequestsPerMinute });
  return windows.flatMap(({ id, span, limit }) => limit === null ? [] : [{ id, span, limit }]);
}

/** An account or a client address, as this process knows it. */
type SubjectState = {
  key: Deno.KvKey;
  /** Every window that this subject was counted in, for giving back. */
  windows: RequestWindow[];
  held: HeldWindows;
  waiting: number;
  /** The last block asked for: it doubles while an account is busy within a minute. */
  block: number;
  minute: number;
  reserving: Promise<void> | null;
  /** By `clock.elapsed()`. */
  reservingSince: number;
};

/** A database that takes longer to write a row is locked, full or gone: its commits take milliseconds. */
const patienceMs = 2_000;

/** A subject that falls out loses at most the block it holds: never more pass. */
const maxSubjects = 50_000;

/**
 * What one process may hold unspent, at most a tenth of the scarcest window: other instances can have the rest, and a
 * process that is killed takes no more than that with it.
 */
function largestBlock(windows: RequestWindow[]): number {
  const least = Math.min(...windows.map(({ limit }) => limit));
  return Math.max(1, Math.min(256, Math.floor(least / 10)));
}

/** A row cleans itself up once its longest window, and the next, have passed. */
function lifetimeOf(windows: RequestWindow[]): number {
  return 2 * Math.max(...windows.map(({ span }) => spans[span]));
}
