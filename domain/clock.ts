/** Time as the service sees it: milliseconds since 1970, and wake-ups. */
export interface Clock {
  now(): number;
  /** Calls `wake` once `now()` has reached `at` (or soon after); the answer cancels it. */
  wakeAt(at: number, wake: () => void): () => void;
}

/** setTimeout's longest delay; a later wake-up is armed again on the way. */
const maxTimeoutMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      const wait = at - Date.now();
      timer = setTimeout(
        () => wait > maxTimeoutMs ? arm() : wake(),
        Math.max(0, Math.min(wait, maxTimeoutMs)),
      );
    };
    arm();
    return () => clearTimeout(timer);
  },
};

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
