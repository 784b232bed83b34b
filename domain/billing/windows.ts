/**
 * Arithmetic of fixed request windows, without clock and store. A process reserves a block of each window from the row
 * that all instances share (`reserve`) and spends it in memory (`take`): a busy account costs one commit per block, not
 * per request, and no number of instances passes more than the limit. A kill loses a block, which the next window makes
 * good; `usage_counts.ts` stores its blocks, because mail is paid for and storage has no next window.
 */

export type WindowSpan = "minute" | "hour" | "day";

/** A limited window of one account; two windows may have the same span, but not the same `id`. */
export type RequestWindow = {
  id: string;
  span: WindowSpan;
  limit: number;
  /** What a refusal calls it; absent: its span. */
  name?: "key";
};

/** The shared row, by window id: `start` in ms since 1970, `spent` the requests of all reserved blocks. */
export type SharedWindows = Record<string, { start: number; spent: number }>;

/** What one process knows: the shared count as last read, and `held`, the unused rest of its own blocks. */
export type HeldWindows = Record<string, { start: number; spent: number; held: number }>;

/** The scarcest window of a caller. `resetAt` in ms since 1970. */
export type RateLimitStatus = {
  limit: number;
  remaining: number;
  resetAt: number;
  window: WindowSpan | "key";
};

export type Verdict =
  | { kind: "passed"; held: HeldWindows }
  | { kind: "refused"; status: RateLimitStatus }
  /** No block, or it is used up: reserve one and try again. */
  | { kind: "reserve" };

/** Shown for an unlimited plan: the largest integer that is exact in JSON. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/** Start of the window at `now`, in UTC. */
export function windowStart(span: WindowSpan, now: number): number {
  return now - (((now % spans[span]) + spans[span]) % spans[span]);
}

/**
 * Takes one request from every window, or from none. A known exhausted window refuses without a read of the store: a
 * refusal is the cheapest answer.
 */
export function take(windows: RequestWindow[], held: HeldWindows, now: number): Verdict {
  const known = windows.map((window) => current(window, held[window.id], now));
  if (windows.some((window, n) => known[n] && left(window, known[n]) <= 0)) {
    return { kind: "refused", status: statusOf(windows, held, now) };
  }
  if (known.some((block) => !block || block.held === 0)) return { kind: "reserve" };
  const spent: HeldWindows = { ...held };
  windows.forEach((window, n) => {
    const block = known[n];
    if (block) spent[window.id] = { ...block, held: block.held - 1 };
  });
  return { kind: "passed", held: spent };
}

/**
 * Puts a request back into the windows from which `take` took it. `taken` is what the process held after that: nothing is
 * put into a window that began later.
 */
export function putBack(held: HeldWindows, taken: HeldWindows, windows: RequestWindow[]) {
  const next: HeldWindows = { ...held };
  for (const { id } of windows) {
    const block = held[id];
    if (block && block.start === taken[id]?.start) next[id] = { ...block, held: block.held + 1 };
  }
  return next;
}

/** A block for one process: `spent` is the shared count including it. */
export type Grants = Record<string, { start: number; spent: number; granted: number }>;

/**
 * Reserves up to `wanted` requests of every window, the same number of each, at most what the scarcest has left. Returns
 * the shared row to write (the same object if nothing changed) and the grants for `settle`.
 */
export function reserve(
  windows: RequestWindow[],
  shared: SharedWindows,
  held: HeldWindows,
  wanted: number,
  now: number,
): { shared: SharedWindows; grants: Grants } {
  const seen = windows.map((window) => {
    const row = current(window, shared[window.id], now) ??
      { start: windowStart(window.span, now), spent: 0 };
    const block = held[window.id];
    return { ...row, held: block?.start === row.start ? block.held : 0 };
  });
  const possible = windows.map((window, n) =>
    seen[n].held + Math.max(0, window.limit - seen[n].spent)
  );
  const block = Math.min(wanted, ...possible);
  const next: SharedWindows = { ...shared };
  const grants: Grants = {};
  windows.forEach((window, n) => {
    const { start, spent, held } = seen[n];
    const granted = Math.max(0, block - held);
    grants[window.id] = { start, spent: spent + granted, granted };
    if (granted > 0) next[window.id] = { start, spent: spent + granted };
  });
  const changed = Object.values(grants).some(({ granted }) => granted > 0);
  return { shared: changed ? next : shared, grants };
}

/** Adds a committed block to what the process holds; it may have spent requests meanwhile. */
export function settle(held: HeldWindows, grants: Grants): HeldWindows {
  const next: HeldWindows = { ...held };
  for (const [id, { start, spent, granted }] of Object.entries(grants)) {
    const kept = held[id]?.start === start ? held[id].held : 0;
    next[id] = { start, spent, held: kept + granted };
  }
  return next;
}

/** Returns the unused requests of a process that stops: the row to write, the same object if nothing changed. */
export function giveBack(shared: SharedWindows, held: HeldWindows): SharedWindows {
  const next: SharedWindows = { ...shared };
  let changed = false;
  for (const [id, block] of Object.entries(held)) {
    const row = shared[id];
    if (block.start !== row?.start || block.held === 0) continue;
    next[id] = { start: row.start, spent: Math.max(0, row.spent - block.held) };
    changed = true;
  }
  return changed ? next : shared;
}

/** The scarcest window of a subject. A window without a known count is full. */
export function statusOf(
  windows: RequestWindow[],
  held: HeldWindows,
  now: number,
): RateLimitStatus {
  let least: RateLimitStatus = {
    limit: unlimited,
    remaining: unlimited,
    resetAt: windowStart("minute", now) + spans.minute,
    window: "minute",
  };
  for (const window of windows) {
    const block = current(window, held[window.id], now);
    const remaining = block ? Math.max(0, left(window, block)) : window.limit;
    const resetAt = (block?.start ?? windowStart(window.span, now)) + spans[window.span];
    const { limit, span, name } = window;
    least = scarcer(least, { limit, remaining, resetAt, window: name ?? span });
  }
  return least;
}

/** The one with fewer requests left; of equals the one that ends last, so that requests are left at `resetAt`. */
export function scarcer(one: RateLimitStatus, other: RateLimitStatus): RateLimitStatus {
  if (other.remaining !== one.remaining) return other.remaining < one.remaining ? other : one;
  return other.resetAt > one.resetAt ? other : one;
}

/** After how many seconds a refused request has a window again: whole ones, rounded up, at least 1. */
export function retryAfterSeconds({ resetAt }: RateLimitStatus, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}

export const spans: Record<WindowSpan, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * The entry if it belongs to the window at `now` or the next one. An instance whose clock is ahead begins the next one
 * early, and so did this one if its clock was set back since; to restart the old window would grant its requests twice.
 * An entry further ahead came from a wrong clock and is ignored.
 */
function current<Entry extends { start: number }>(
  window: RequestWindow,
  entry: Entry | undefined,
  now: number,
): Entry | undefined {
  if (!entry) return undefined;
  const start = windowStart(window.span, now);
  return entry.start === start || entry.start === start + spans[window.span] ? entry : undefined;
}

/** What this process can still grant: the limit minus what is spent; its own unused block is not spent. */
function left(window: RequestWindow, block: { spent: number; held: number }): number {
  return window.limit - (block.spent - block.held);
}
