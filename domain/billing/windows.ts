/**
 * Fixed windows of requests, as arithmetic: no clock, no store. A process reserves a block of each window from the
 * row that all instances share (`reserve`) and spends it in memory (`take`), so that a busy account costs one commit
 * a block and not one a request, and never more than the limit pass over any number of instances.
 */

export type WindowSpan = "minute" | "hour" | "day";

/** A limited window of one account: `id` tells two windows of one span apart. */
export type RequestWindow = { id: string; span: WindowSpan; limit: number };

/** What all instances share, by window id: `start` in ms since the epoch, `spent` handed out so far, in blocks. */
export type SharedWindows = Record<string, { start: number; spent: number }>;

/** What one process knows: the shared count as last seen, and `held`, its own part of it that is not used yet. */
export type HeldWindows = Record<string, { start: number; spent: number; held: number }>;

/** The window that a caller should mind. `resetAt` in ms since the epoch. */
export type Standing = { limit: number; remaining: number; resetAt: number; span: WindowSpan };

export type Verdict =
  | { kind: "passed"; held: HeldWindows }
  | { kind: "refused"; standing: Standing }
  /** Nothing is known, or the block is used up: ask the store, then again. */
  | { kind: "reserve" };

/** What is shown where nothing is limited (DECISIONS.md 4): the largest whole number that JSON carries exactly. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/** Starts of windows are those of the clock in UTC. */
export function windowStart(span: WindowSpan, now: number): number {
  return now - (((now % spans[span]) + spans[span]) % spans[span]);
}

/**
 * Spends one request in every window, or in none: refused without asking the store where a window is known to be
 * used up, so that a refusal is the cheapest answer there is.
 */
export function take(windows: RequestWindow[], held: HeldWindows, now: number): Verdict {
  const known = windows.map((window) => current(window, held[window.id], now));
  if (windows.some((window, n) => known[n] && left(window, known[n]) <= 0)) {
    return { kind: "refused", standing: standing(windows, held, now) };
  }
  if (known.some((block) => !block || block.held === 0)) return { kind: "reserve" };
  const spent: HeldWindows = { ...held };
  windows.forEach((window, n) => {
    const block = known[n];
    if (block) spent[window.id] = { ...block, held: block.held - 1 };
  });
  return { kind: "passed", held: spent };
}

/** A block handed to one process: `spent` is the shared count with it. */
export type Grants = Record<string, { start: number; spent: number; granted: number }>;

/**
 * Reserves up to `wanted` requests of every window, the same number of each, no more than the scarcest has. Answers
 * the shared row to write (the same object when there is nothing to write) and the grants, for `settle`.
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

/** Adds a block that is now durably reserved to what the process holds; requests may have been spent meanwhile. */
export function settle(held: HeldWindows, grants: Grants): HeldWindows {
  const next: HeldWindows = { ...held };
  for (const [id, { start, spent, granted }] of Object.entries(grants)) {
    const kept = held[id]?.start === start ? held[id].held : 0;
    next[id] = { start, spent, held: kept + granted };
  }
  return next;
}

/** Puts back what a process holds and will not use, as it stops: the row to write, the same object for nothing. */
export function giveBack(
  windows: RequestWindow[],
  shared: SharedWindows,
  held: HeldWindows,
): SharedWindows {
  const next: SharedWindows = { ...shared };
  let changed = false;
  for (const { id } of windows) {
    const row = shared[id], block = held[id];
    if (!row || block?.start !== row.start || block.held === 0) continue;
    next[id] = { start: row.start, spent: Math.max(0, row.spent - block.held) };
    changed = true;
  }
  return changed ? next : shared;
}

/**
 * The window with the least left, of equals the one that ends last, so that `resetAt` is when there is more. A
 * window nothing is known of counts as whole.
 */
export function standing(windows: RequestWindow[], held: HeldWindows, now: number): Standing {
  let least: Standing = {
    limit: unlimited,
    remaining: unlimited,
    resetAt: windowStart("minute", now) + spans.minute,
    span: "minute",
  };
  for (const window of windows) {
    const block = current(window, held[window.id], now);
    const remaining = block ? Math.max(0, left(window, block)) : window.limit;
    const resetAt = (block?.start ?? windowStart(window.span, now)) + spans[window.span];
    if (
      remaining < least.remaining || (remaining === least.remaining && resetAt > least.resetAt)
    ) {
      least = { limit: window.limit, remaining, resetAt, span: window.span };
    }
  }
  return least;
}

/** SPEC.md, Errors: the details of RATE_LIMIT_EXCEEDED. `retry_after` in whole seconds, at least 1, never too early. */
export function refusalDetails(
  { limit, span, resetAt }: Standing,
  now: number,
): { limit: number; window: WindowSpan; retry_after: number } {
  return { limit, window: span, retry_after: Math.max(1, Math.ceil((resetAt - now) / 1000)) };
}

export const spans: Record<WindowSpan, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * The entry if it is of the window that `now` is in, or of the next: an instance whose clock is ahead, or our own
 * before it was put back, has begun that one, and to begin the old again would hand its requests out twice. What lies
 * further ahead is a clock that was wrong, and counts for nothing.
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

/** What this process may still promise: the limit less what is spent, its own unused block not counted as spent. */
function left(window: RequestWindow, block: { spent: number; held: number }): number {
  return window.limit - (block.spent - block.held);
}
