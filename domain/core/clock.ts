import { z } from "zod";

/** Time as the service sees it: ms since 1970, wake-ups, and measured time. */
export interface Clock {
  now(): number;
  /**
   * Calls `wake` when `now()` has reached `at`, or soon after. If the clock is set back, it waits for longer: for what must
   * not be early. Returns what cancels it.
   */
  wakeAt(at: number, wake: () => void): () => void;
  /** Calls `wake` in `delayMs`, or soon after, also if the clock is set back meanwhile. Returns what cancels it. */
  wakeIn(delayMs: number, wake: () => void): () => void;
  /** Milliseconds since an arbitrary start; they never go back. To measure how long something takes. */
  elapsed(): number;
  /** Calls `run` after `delayMs` of real time, for deadlines of work. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/**
 * No timer is longer than this. Timers stop while the machine sleeps, and jobs follow the wall clock: after a sleep, or
 * after the clock was set, a wake-up is at most a minute late.
 */
const longestMs = 60_000;

interface Alarm {
  at: number;
  wake: () => void;
  /** Its own timer; set in its last minute. */
  timer?: ReturnType<typeof setTimeout>;
}

/** Alarms more than a minute away share one timer, because a service may have thousands. */
const far = new Set<Alarm>();
let farTimer: ReturnType<typeof setTimeout> | undefined;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
  wakeAt(at, wake) {
    const alarm: Alarm = { at, wake };
    arm(alarm);
    return () => {
      clearTimeout(alarm.timer);
      if (far.delete(alarm)) checkFar();
    };
  },
  wakeIn(delayMs, wake) {
    const at = Date.now() + delayMs, end = performance.now() + delayMs;
    const restMs = () => Math.min(at - Date.now(), end - performance.now());
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(
        () => restMs() > 0 ? wait() : wake(),
        Math.min(longestMs, Math.max(0, Math.ceil(restMs()))),
      );
    };
    wait();
    return () => clearTimeout(timer);
  },
};

function arm(alarm: Alarm): void {
  const waitMs = alarm.at - Date.now();
  if (waitMs > longestMs) {
    far.add(alarm);
    return checkFar();
  }
  alarm.timer = setTimeout(
    () => Date.now() < alarm.at ? arm(alarm) : alarm.wake(),
    Math.max(0, waitMs),
  );
}

/** Checks the far alarms every minute while there are any. */
function checkFar(): void {
  if (far.size === 0) {
    clearTimeout(farTimer);
    farTimer = undefined;
    return;
  }
  farTimer ??= setTimeout(() => {
    farTimer = undefined;
    const soon = Date.now() + longestMs;
    for (const alarm of far) {
      if (alarm.at > soon) continue;
      far.delete(alarm);
      arm(alarm);
    }
    checkFar();
  }, longestMs);
}

/** The clocks of instances on one store differ by less, in ms. */
export const clockSlackMs = 60_000;

/**
 * Whether `at` is in the last `spanMs` before `now`. A time further ahead than clocks differ was written by a clock that
 * was wrong, and is not recent: else it would be until that date.
 */
export function isRecent(at: number, now: number, spanMs: number): boolean {
  return at > now - spanMs && at <= now + clockSlackMs;
}

/** A time in a response, as `isoTime` writes it. */
export const timestampField = z.string().meta({ format: "date-time" });

/** A time as responses have it: ISO 8601 with milliseconds and Z; docs/specification.md "General". */
export function isoTime(ms: number): string {
  // `toISOString` throws for a time that no Date can have.
  if (!Number.isInteger(ms) || Math.abs(ms) > maxTimeMs) return new Date(ms).toISOString();
  const day = Math.floor(ms / dayMs);
  let dayText = dayTexts.get(day);
  if (dayText === undefined) {
    dayText = new Date(ms).toISOString().slice(0, -timeOfDayLength);
    if (dayTexts.size >= maxDayTexts) dayTexts.clear();
    dayTexts.set(day, dayText);
  }
  const time = ms - day * dayMs;
  const hours = two[Math.floor(time / 3_600_000)], minutes = two[Math.floor(time / 60_000) % 60];
  const seconds = two[Math.floor(time / 1_000) % 60];
  return `${dayText}${hours}:${minutes}:${seconds}.${three[time % 1_000]}Z`;
}

/** The farthest time of ECMAScript. */
const maxTimeMs = 8.64e15;
const dayMs = 86_400_000;
const timeOfDayLength = "00:00:00.000Z".length;
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const three = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, "0"));
/** Each day is formatted once: a page of a list has a hundred times of a few days, and formatting one takes 3 µs. */
const dayTexts = new Map<number, string>();
const maxDayTexts = 1_000;
