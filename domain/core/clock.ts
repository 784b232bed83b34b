import { z } from "zod";

/** Time as the service sees it: milliseconds since 1970, and wake-ups. */
export interface Clock {
  now(): number;
  /** Calls `wake` once `now()` has reached `at` (or soon after); the answer cancels it. */
  wakeAt(at: number, wake: () => void): () => void;
  /** Milliseconds that never go back, to measure how long something takes; their zero means nothing. */
  elapsed(): number;
  /** Calls `run` after `delayMs` of real time, for the deadline of work; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/**
 * No timer is longer than this. Timers follow the running of the machine, jobs the clock on the wall: after a sleep, or
 * when somebody sets the clock, a wake-up is a minute late at most.
 */
const longestMs = 60_000;

interface Alarm {
  at: number;
  wake: () => void;
  /** Its own timer, in its last minute. */
  timer?: ReturnType<typeof setTimeout>;
}

/** Alarms that are more than a minute away share one timer: a service may have thousands. */
const far = new Set<Alarm>();
let look: ReturnType<typeof setTimeout> | undefined;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  wakeAt(at, wake) {
    const alarm: Alarm = { at, wake };
    arm(alarm);
    return () => {
      clearTimeout(alarm.timer);
      if (far.delete(alarm)) lookAgain();
    };
  },
};

function arm(alarm: Alarm): void {
  const waitMs = alarm.at - Date.now();
  if (waitMs > longestMs) {
    far.add(alarm);
    return lookAgain();
  }
  alarm.timer = setTimeout(
    () => Date.now() < alarm.at ? arm(alarm) : alarm.wake(),
    Math.max(0, waitMs),
  );
}

/** Looks at the far alarms every minute, as long as there are any. */
function lookAgain(): void {
  if (far.size === 0) {
    clearTimeout(look);
    look = undefined;
    return;
  }
  look ??= setTimeout(() => {
    look = undefined;
    const soon = Date.now() + longestMs;
    for (const alarm of far) {
      if (alarm.at > soon) continue;
      far.delete(alarm);
      arm(alarm);
    }
    lookAgain();
  }, longestMs);
}

/** A time of an answer, as `isoTime` writes it. */
export const timestampField = z.string().meta({ format: "date-time" });

/** The wire form of a time: ISO 8601 with milliseconds and Z (SPEC.md, first paragraph). */
export function isoTime(ms: number): string {
  if (!Number.isInteger(ms)) return new Date(ms).toISOString();
  const day = Math.floor(ms / dayMs);
  if (day !== lastDay) {
    lastDayText = new Date(ms).toISOString().slice(0, -timeOfDayLength);
    lastDay = day;
  }
  const time = ms - day * dayMs;
  const hours = two[Math.floor(time / 3_600_000)], minutes = two[Math.floor(time / 60_000) % 60];
  const seconds = two[Math.floor(time / 1_000) % 60];
  return `${lastDayText}${hours}:${minutes}:${seconds}.${three[time % 1_000]}Z`;
}

const dayMs = 86_400_000;
const timeOfDayLength = "00:00:00.000Z".length;
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const three = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, "0"));
/** A page of a list tells a hundred times, most of them of one day: the calendar is asked once a day. */
let lastDay = NaN;
let lastDayText = "";
