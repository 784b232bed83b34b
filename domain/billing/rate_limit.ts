import { growingCache } from "../core/work/growing_cache.ts";
import type { Clock } from "../core/clock.ts";
import { isUnavailable } from "../core/errors.ts";
import type { Plan, PlanLimits, PlanTable } from "../core/plans.ts";
import type { Caller } from "../core/caller.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { TookTooLong, within } from "../core/work/within.ts";
import {
  giveBack,
  type HeldWindows,
  putBack,
  type RateLimitStatus,
  type RequestWindow,
  reserve,
  scarcer,
  settle,
  type SharedWindows,
  spans,
  statusOf,
  take,
  type WindowSpan,
  windowStart,
} from "./windows.ts";

export interface Admission {
  passed: boolean;
  status: RateLimitStatus;
  /**
   * Puts the request back, once, and returns the state of the window after that. Absent if the request was not counted.
   */
  undo?(): RateLimitStatus;
}

/**
 * Counts requests in fixed windows: exactly the limit passes in one process, never more in several that share a store
 * (docs/decisions.md "Access decisions"). A block of requests is reserved in one commit for all that wait, and spent in
 * memory. A refusal needs no read.
 */
export class RateLimiter {
  private readonly subjects = growingCache<string, SubjectState>(maxSubjects);
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

  /**
   * Takes one request from every window of the caller's account and of its key, or from none if one is exhausted. With
   * `mcp`, also from the MCP minute.
   */
  async admitCaller(caller: Limited, mcp: boolean): Promise<Admission> {
    const taken: Admission[] = [];
    for (const { state, windows } of this.subjectsOf(caller, mcp)) {
      const admission = await this.admit(state, windows);
      if (!admission.passed) {
        for (const { undo } of taken) undo?.();
        return admission;
      }
      taken.push(admission);
    }
    const undo = () => scarcest(taken.map(({ undo, status }) => undo?.() ?? status));
    return {
      passed: true,
      status: scarcest(taken.map(({ status }) => status)),
      ...(taken.some(({ undo }) => undo) ? { undo } : {}),
    };
  }

  /** Takes one request of a session's cookie, which counts in no window of its account. */
  admitSession(sessionId: string): Promise<Admission> {
    return this.admit(this.subject("session", sessionId), sessionWindows);
  }

  /** Takes one request of a client address without a valid credential. */
  admitAddress(address: string): Promise<Admission> {
    return this.admit(this.subject("address", address), this.anonymous);
  }

  /** The windows of the caller's account and key, without taking a request. */
  async statusOfCaller(caller: Limited, mcp: boolean): Promise<RateLimitStatus> {
    const subjects = this.subjectsOf(caller, mcp);
    return scarcest(
      await Promise.all(subjects.map(({ state, windows }) => this.peek(state, windows))),
    );
  }

  statusOfAddress(address: string): Promise<RateLimitStatus> {
    return this.peek(this.subject("address", address), this.anonymous);
  }

  /** The same if it needs no read; otherwise null. */
  knownStatusOfAddress(address: string): RateLimitStatus | null {
    const { key, held } = this.subject("address", address);
    const isKnown = this.anonymous.every(({ id }) => held[id]) ||
      this.service.database.isKnownAbsent(key);
    return isKnown ? statusOf(this.anonymous, held, this.service.clock.now()) : null;
  }

  /** The full anonymous window, for answers that count nothing because the database could not be read. */
  uncounted(): RateLimitStatus {
    return statusOf(this.anonymous, {}, this.service.clock.now());
  }

  /** Returns reserved requests that were not used, so that a restart costs no account a request. */
  async close(): Promise<void> {
    const ending = [...this.subjects.values()];
    this.subjects.clear();
    await Promise.all(ending.map(async (state) => {
      // A reservation that fails has reserved nothing.
      await state.reserving?.catch(() => {});
      const { key, held, lifetimeMs } = state;
      if (!Object.values(held).some((block) => block.held > 0)) return;
      await this.service.database.transact(async (tx) => {
        const shared = await tx.get<SharedWindows>(key) ?? {};
        const next = giveBack(shared, held);
        if (next !== shared) tx.set(key, next, { expireInMs: lifetimeMs });
      });
    }));
  }

  /** The account, then the keys with a limit: the caller's own, and those that made it. */
  private subjectsOf({ userId, plan, keyLimits = [] }: Limited, mcp: boolean) {
    const keys = keyLimits.map(({ keyId, limit }) => ({
      state: this.subject("key", keyId),
      windows: [{ id: "minute", span: "minute", limit, name: "key" } satisfies RequestWindow],
    }));
    const windows = this.windows[mcp ? "mcp" : "rest"][plan];
    return [{ state: this.subject("account", userId), windows }, ...keys];
  }

  private async admit(state: SubjectState, windows: RequestWindow[]): Promise<Admission> {
    for (;;) {
      const now = this.service.clock.now();
      const verdict = take(windows, state.held, now);
      if (verdict.kind === "refused") return { passed: false, status: verdict.status };
      if (verdict.kind === "passed") {
        state.held = verdict.held;
        const undo = () => {
          state.held = putBack(state.held, verdict.held, windows);
          return statusOf(windows, state.held, this.service.clock.now());
        };
        return { passed: true, status: statusOf(windows, state.held, now), undo };
      }
      state.waiting++;
      const reserved = await this.reserved(state, windows).finally(() => state.waiting--);
      // If the database cannot be written, nothing can be counted; reads still work, so requests pass.
      if (!reserved) return { passed: true, status: statusOf(windows, state.held, now) };
    }
  }

  /** Waits for a reservation; false if the database cannot be written. */
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
      if (isUnavailable(error) || error instanceof TookTooLong) return false;
      throw error;
    }
  }

  private async peek(state: SubjectState, windows: RequestWindow[]): Promise<RateLimitStatus> {
    const unknown = () => windows.some(({ id }) => !state.held[id]);
    // While the database is unavailable the answer is what this process knows.
    const shared = unknown()
      ? await this.service.database.get<SharedWindows>(state.key).catch(() => null)
      : null;
    if (shared && unknown()) {
      const { grants } = reserve(windows, shared, state.held, 0, this.service.clock.now());
      state.held = settle(state.held, grants);
    }
    return statusOf(windows, state.held, this.service.clock.now());
  }

  private async reserve(state: SubjectState, windows: RequestWindow[]): Promise<void> {
    const minute = windowStart("minute", this.service.clock.now());
    state.block = state.minute === minute ? Math.min(state.block * 2, largestBlock(windows)) : 1;
    state.minute = minute;
    const grants = await this.service.database.transact(async (tx) => {
      const shared = await tx.get<SharedWindows>(state.key) ?? {};
      const wanted = Math.max(state.waiting, state.block);
      const next = reserve(windows, shared, state.held, wanted, this.service.clock.now());
      if (next.shared !== shared) {
        tx.set(state.key, next.shared, { expireInMs: state.lifetimeMs });
      }
      return next.grants;
    });
    state.held = settle(state.held, grants);
  }

  private subject(kind: keys.RateSubject, id: string): SubjectState {
    const name = `${kind} ${id}`;
    const known = this.subjects.get(name);
    if (known) return known;
    const state: SubjectState = {
      key: keys.rateWindows(kind, id),
      // Twice its longest window.
      lifetimeMs: 2 * spans[kind === "account" ? "day" : "minute"],
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

/** Opening the dashboard costs some requests: they must not starve the agents of the account. */
const sessionWindows: RequestWindow[] = [{ id: "minute", span: "minute", limit: 300 }];

/** Whose windows count for a request. */
type Limited = Pick<Caller, "userId" | "plan" | "keyLimits">;

const scarcest = (all: RateLimitStatus[]) => all.reduce(scarcer);

type RateLimited = {
  database: Database;
  clock: Clock;
  plans: PlanTable;
  settings: { ANONYMOUS_REQUESTS_PER_MINUTE: number };
};

/** The limited windows of a plan; `mcp` adds the minute of MCP calls. */
function windowsOf(limits: PlanLimits, mcp: boolean): RequestWindow[] {
  const windows: { id: string; span: WindowSpan; limit: number | null }[] = [
    { id: "minute", span: "minute", limit: limits.requestsPerMinute },
    { id: "hour", span: "hour", limit: limits.requestsPerHour },
    { id: "day", span: "day", limit: limits.requestsPerDay },
  ];
  if (mcp) windows.push({ id: "mcp_minute", span: "minute", limit: limits.mcpRequestsPerMinute });
  return windows.flatMap(({ id, span, limit }) => limit === null ? [] : [{ id, span, limit }]);
}

/** What this process knows of an account or a client address. */
type SubjectState = {
  key: Deno.KvKey;
  /** How long its row is kept. */
  lifetimeMs: number;
  held: HeldWindows;
  waiting: number;
  /** Size of the last block: it doubles within a minute. */
  block: number;
  minute: number;
  reserving: Promise<void> | null;
  /** By `clock.elapsed()`. */
  reservingSince: number;
};

/** Commits take milliseconds: after this long the database is locked, full or gone. */
const patienceMs = 2_000;

/** A subject that is dropped from the cache loses at most its block; no extra request passes. */
const maxSubjects = 50_000;

/**
 * The largest block of one process: a tenth of the smallest window, at most 256. Other instances can use the rest, and a
 * killed process loses no more than this.
 */
function largestBlock(windows: RequestWindow[]): number {
  const least = Math.min(...windows.map(({ limit }) => limit));
  return Math.max(1, Math.min(256, Math.floor(least / 10)));
}
