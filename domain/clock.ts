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
  return new Date(ms).toISOString();
}
